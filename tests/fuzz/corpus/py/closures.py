def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
a, b = counter(), counter()
print(a(), a(), b(), a())
def adder(k):
    return lambda x: x + k
print(adder(5)(1), adder(10)(1))
fs = []
for i in range(3):
    def f(j=i):
        return j
    fs.append(f)
print(fs[0](), fs[1](), fs[2]())
def deep(a):
    def mid(b):
        def low(c):
            return a + b + c
        return low
    return mid
print(deep(1)(2)(3))
