words = ["pear", "fig", "banana", "kiwi"]
print(sorted(words), sorted(words, key=len)[0], sorted(words, key=lambda w: w[-1]))
f = lambda x, y=2: x * y
print(f(3), f(3, 4), (lambda: 7)(), (lambda *a: a)(1, 2))
print(list(map(lambda x: x + 1, [1, 2])), list(filter(lambda x: x > 1, [1, 2, 3])))
