line = ""
for i in range(5):
    line += str(i) + ","
print(line[:-1])
parts = []
for i in range(3):
    parts.append("%d:%s" % (i, "x" * i))
print(" ".join(parts))
s = "abc"
r = ""
for c in s:
    r = c + r
print(r, s[::-1] if False else r)
print("a" + "b" * 3 + str(1.5) + repr("q"))
long = "0123456789" * 20
print(len(long), long[95:105], long.count("5"))
print("x" * 300 == "x" * 100 * 3)
