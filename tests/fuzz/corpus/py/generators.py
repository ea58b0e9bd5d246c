def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
for x in count(3):
    print(x)
print(list(count(5)), sum(count(10)), 3 in count(5), tuple(count(2)))
g = count(2)
print(next(g), next(g))
def pairs(a, b):
    for x in a:
        for y in b:
            yield x, y
print(list(pairs("ab", [1, 2])))
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
for x in fib():
    if x > 50:
        break
    print(x, end=" ")
print()
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
print(list(tree(4)))
