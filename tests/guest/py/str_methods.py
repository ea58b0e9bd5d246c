s = "The quick brown fox"
print(s.upper(), s.lower())
print(s.split(), s.split("q"), "a,b,,c".split(","))
print(s.find("quick"), s.find("slow"), s.count("o"), s.replace("quick", "slow"))
print(s.startswith("The"), s.endswith("fox"), s.startswith("fox"))
print("  strip ".strip() + "|", "xxaxx".strip("x"), "  l".lstrip(), "r  ".rstrip() + "|")
print("-".join(["a", "b", "c"]), "".join([]), ", ".join(("x", "y")))
print("123".isdigit(), "12a".isdigit(), "abc".isalpha(), " ".isspace())
print(s.index("brown"), s.rfind("o"))
