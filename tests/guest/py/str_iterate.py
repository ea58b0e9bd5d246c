for c in "abc":
    print(c, ord(c))
print(chr(65), chr(97), ord("z"))
word = ""
for i in range(26):
    word += chr(97 + i)
print(word, len(word))
print([c for c in "xyz"], list("pqr"), tuple("st"))
