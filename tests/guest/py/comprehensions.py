print([x * x for x in range(6)], [x for x in range(10) if x % 3 == 0])
print([(x, y) for x in range(3) for y in range(x)])
print([[i * j for j in range(3)] for i in range(3)])
print(sorted({x % 3 for x in range(10)}), {x: x * x for x in range(3)} == {0: 0, 1: 1, 2: 4})
print(sum(x for x in range(5)), max(x * 2 for x in [3, 1]), list(x for x in "ab"))
n = 10
def f(k):
    return [n + k + i for i in range(2)]
print(f(5))
