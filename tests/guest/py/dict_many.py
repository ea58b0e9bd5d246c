d = {}
for i in range(200):
    d[i] = i * i
print(len(d), d[0], d[199], d[57])
for i in range(0, 200, 2):
    del d[i]
print(len(d), 2 in d, 3 in d)
total = 0
for k in d:
    total += d[k]
print(total)
words = "the cat and the dog and the bird".split()
count = {}
for w in words:
    count[w] = count.get(w, 0) + 1
for w in sorted(count):
    print(w, count[w])
print(d.pop(3), d.pop(3, "gone"), count.setdefault("the", 9), count.setdefault("new", 9))
d.clear()
print(d)
