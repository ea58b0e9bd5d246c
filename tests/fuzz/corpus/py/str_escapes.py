print("tab\there", "new\nline", "back\\slash", 'q\'q', "q\"q")
print("\x41\x42\u00e9\u20ac", "gr\u00fc\u00dfe")
print(repr("a\tb\n'\""), repr("it's"), repr('say "hi"'), repr("\x00\x1f"))
print(r"raw\n", len("\n"), len(r"\n"))
print("""two
lines""")
