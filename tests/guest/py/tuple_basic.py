t = (1, "a", 2.5)
print(t, len(t), t[0], t[-1], t[1:], t + (4,), t * 2)
print((), (1,), 1 in t, "b" in t, t == (1, "a", 2.5), (1, 2) < (1, 3))
a, b, c = t
print(a, b, c)
x, y = 1, 2
x, y = y, x
print(x, y)
(p, q), r = (1, 2), 3
print(p, q, r)
print(tuple([1, 2]), tuple(range(3)), list((4, 5)))
for i, name in ((1, "one"), (2, "two")):
    print(i, name)
first, *rest = [1, 2, 3, 4]
print(first, rest)
