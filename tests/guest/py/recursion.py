def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def hanoi(n, a, b, c):
    if n == 0:
        return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def flatten(x):
    out = []
    for e in x:
        if isinstance(e, list):
            out += flatten(e)
        else:
            out.append(e)
    return out
print(fact(15), fib(15), hanoi(6, "a", "b", "c"), depth(100), even(10), odd(7))
print(flatten([1, [2, [3, [4, []]], 5], [[6]]]))
