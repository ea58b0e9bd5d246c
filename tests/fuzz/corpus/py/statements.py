"""Statements of every kind, for the byte-exact comparison. None of this needs to run."""
import sys
import os.path
import a.b.c as abc
from collections import deque, namedtuple as nt
from . import sibling
from ..up import (one,
                  two as deux,)


def assignments(p, q):
    a = b = c = 1
    a, b = b, a
    a, b, c = c, a, b
    (a, b) = (b, a)
    [a, b] = p
    a, *b = p
    *a, b, c = p
    a, (b, [c, *_]) = q
    p.x = p.y.z = 3
    p[0] = p[1:2] = q[::2]
    p.f(1).g[2].h = a
    a += 1; b -= 2; c *= 3
    p.x //= 4
    p[a] %= 5
    p[a].y <<= 6
    p.x[b, c] **= 7
    a |= b ^ c & a
    a >>= 1
    a &= ~b
    a ^= -c
    x: int = 5
    y: "str"
    del a, b
    del p.x, p[0], p[1:2]
    del (x, c)
    assert p
    assert p and q, "message"
    return a


def loops(n, items):
    for i in range(n):
        if i == 3:
            continue
        if i > 10:
            break
        print(i)
    else:
        print("done")
    for i in range(2, n + 1):
        for j in range(i, 0, -2):
            n += j
    for i in range(10):
        pass
    for i in range(n, 5, n):
        pass
    for i in range(0, 10, 0):
        pass
    for i in range(*items):
        pass
    for k, v in items:
        if k:
            break
        print(k, v)
    else:
        n = 0
    for a.b in items:
        pass
    for a[0], (b, *c) in items:
        pass
    while n:
        n -= 1
        if n == 5:
            continue
        if n & 1 and not n & 2 or n == 8:
            break
    else:
        n = 7
    while True:
        n += 1
        if n > 100 and (n < 200 or n == 300):
            break
    while 1:
        for x in items:
            while x:
                x -= 1
                if x == 2:
                    break
            else:
                break
        else:
            break
    while False:
        print("never")


def choices(a, b):
    if a:
        b = 1
    if a:
        b = 1
    else:
        b = 2
    if a:
        b = 1
    elif b:
        b = 2
    elif not a and b:
        b = 3
    else:
        b = 4
    if 0:
        print("never")
    elif a:
        b = 5
    if 1:
        b = 6
    if not (a or b) and not (a and b):
        pass
    if (a, b):
        b = 7
    if a if b else 0:
        b = 8


def raising(f):
    try:
        f()
    except ValueError:
        f(1)
    try:
        f()
    except (KeyError, IndexError) as e:
        f(e)
    except TypeError as e:
        print(e)
    except:
        f(2)
    else:
        f(3)
    while f:
        try:
            f(4)
        except OSError:
            continue
        except EOFError:
            break
        try:
            try:
                f(5)
            except ArithmeticError:
                f(6)
        except LookupError as err:
            f(err)
    with f() as a:
        a()
    with f(), f(1) as (a, b), f(2) as f.x:
        a(b)
    for x in f:
        with f():
            if x:
                break


def scopes():
    global count, other
    count = 1
    v = 2
    w = 3

    def inner(a, b=v, *c, d, e=5, **g):
        nonlocal v
        v = a
        h = lambda x, y=w: x + y + a + v
        return [h(i, j) for i in c if i for j in range(i) if j > d]

    def second():
        def third():
            return w + v
        return third

    class Local:
        attr = v

        def method(self):
            return v, super().method(), super().attr, __class__
    return inner, second, Local


def generator(n):
    x = yield
    y = yield n
    yield x, y
    z = yield from range(n)
    print((yield z))


count = other = 0
k = [x * x for x in range(10)]
s = {x for x in k if x}
d = {x: y for x, y in zip(k, k)}
g = (x for x in k)
print(sum(x for x in k if x), max((y for y in k), default=0))
if (n := len(k)) > 3:
    print(n)
