d = {"one": 1, "two": 2}
print(d["one"], d["two"], len(d), "one" in d, "three" in d)
d["three"] = 3
d["one"] = 100
print(d["one"], d["three"], len(d))
del d["two"]
print("two" in d, sorted(d), sorted(d.keys()), sorted(d.values()))
print(d.get("one"), d.get("nine"), d.get("nine", 9))
e = {1: "a", (1, 2): "b", None: "c", 2.5: "d"}
print(e[1], e[(1, 2)], e[None], e[2.5], e[1.0])
print({}, {"k": "v"}, d == {"three": 3, "one": 100})
for key in sorted(d):
    print(key, d[key])
for key, value in sorted(d.items()):
    print(key, value)
