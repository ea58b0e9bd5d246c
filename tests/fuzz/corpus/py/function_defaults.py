def f(a, b=2, c="three"):
    return (a, b, c)
print(f(1), f(1, 5), f(1, 5, 6), f(1, c=9), f(a=0, b=1), f(c=3, a=1, b=2))
def g(x, items=[]):
    items.append(x)
    return items
print(g(1), g(2), g(3, []))
n = 10
def h(x=n):
    return x
n = 20
print(h(), h(5))
def k(*args, **kw):
    return args, sorted(kw)
print(k(), k(1, 2), k(1, x=2, y=3))
def m(a, *, key=7):
    return a + key
print(m(1), m(1, key=2))
