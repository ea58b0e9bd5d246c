def add(a, b):
    return a + b
def nothing():
    pass
def many():
    return 1, 2, 3
print(add(1, 2), add("x", "y"), nothing(), many())
f = add
print(f(3, 4))
def outer(x):
    def inner(y):
        return y * 2
    return inner(x) + 1
print(outer(5))
def early(n):
    for i in range(n):
        if i == 3:
            return i
    return -1
print(early(10), early(2))
def apply(fn, *args):
    return fn(*args)
print(apply(add, 5, 6))
