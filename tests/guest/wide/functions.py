# Functions: arguments of all kinds, closures, recursion, lambda, decorators, global and nonlocal.
def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw
print(f(1, c=3), f(1, 5, 6, 7, c=8, e=9), f(*[1, 2], **{'c': 3, 'z': 4}), f(b=1, a=2, c=3))
def g(a, b=[]):
    b.append(a)
    return b
print(g(1), g(2), g(3, []))
def h(*, k=1): return k
print(h(), h(k=2))
def many(a, b, c, d, e, f_, g_, h_, i, j, k, l, m, n, o, p, q, r):
    x = a + r
    y = x + q
    return y, p
print(many(*range(18)))
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    return inc, get
inc, get = counter()
inc(); inc(5); print(get(), inc(by=2))
total = 0
def add(x):
    global total
    total += x
for i in range(5): add(i)
print(total)
fs = [lambda x, i=i: x + i for i in range(3)]
print([f(10) for f in fs], (lambda: 5)(), (lambda *a, **k: (a, k))(1, x=2))
late = [lambda: i for i in range(3)]
print([f() for f in late])
def deco(fn):
    def wrapper(*a, **k):
        return ('wrapped', fn(*a, **k))
    return wrapper
@deco
def plain(x, y=0): return x - y
print(plain(5, y=2), plain(3))
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
print(ack(2, 5))
def hanoi(n, a, b, c):
    if n == 0: return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
print(hanoi(8, 'a', 'b', 'c'))
def memo(fn, cache={}):
    def w(n):
        if n not in cache: cache[n] = fn(n)
        return cache[n]
    return w
@memo
def fibm(n): return n if n < 2 else fibm(n - 1) + fibm(n - 2)
print(fibm(60))
def deep_closure():
    a = 1
    def l1():
        b = 2
        def l2():
            c = 3
            def l3(): return a + b + c
            return l3
        return l2
    return l1()()()
print(deep_closure())
print(f.__name__, (lambda: 0).__name__, plain.__name__)
x = 10
def shadow():
    x = 20
    def inner(): return x
    return inner() + 1
print(shadow(), x)
def ret_none(): pass
print(ret_none(), ret_none() is None)
def multi(): return 1, 2, 3
a, b, c = multi(); print(a + b + c)
def kwonly(a, *args, key=None): return a, args, key
print(kwonly(1), kwonly(1, 2, 3, key='k'))
apply = lambda fn, *a: fn(*a)
print(apply(max, 3, 9, 2), apply(lambda: 'none'), list(map(lambda p: p[0] ** p[1], [(2, 3), (3, 2)])))
m = [].append
print(callable(m), sorted([3, 1], key=lambda v: -v), (lambda a, b=2, *c: (a, b, c))(1, 5, 6, 7))
def while_else(n):
    while n > 0:
        n -= 1
        if n == 100: break
    else:
        return 'else'
    return 'break'
print(while_else(5), while_else(200))
def chained(a): return 0 < a <= 10 != 5
print(chained(5), chained(10), chained(11))
v = 5 if x > 5 else 6; w = x and 0 or 'or'; print(v, w, not x, x or 1, None or [] or 'last')
if (n := 7) > 5: print('walrus', n)
print([y := 1, y ** 2], [z for q in range(3) if (z := q * 2)])
del x
try: x
except NameError as e: print(e)
try: f()
except TypeError as e: print(e)
try: many(1, 2)
except TypeError as e: print(e)
try: h(1)
except TypeError as e: print(e)
try: g(1, 2, 3)
except TypeError as e: print(e)
try: inc(1, 2, 3)
except TypeError as e: print(str(e).split(' ')[1:])
