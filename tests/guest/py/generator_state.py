def echo():
    print("start")
    got = yield 1
    print("got", got)
    got = yield 2
    print("got", got)
    return "end"
g = echo()
print(next(g))
print(g.send("hello"))
try:
    next(g)
except StopIteration as e:
    print("stopped", e.value)
def permutations(items):
    if len(items) <= 1:
        yield items[:]
    else:
        for p in permutations(items[1:]):
            for i in range(len(items)):
                yield p[:i] + items[0:1] + p[i:]
for p in permutations([1, 2, 3]):
    print(p)
