# Raising, catching, finally in all combinations, with, custom classes.
def order(kind):
    log = []
    try:
        log.append('try')
        if kind == 'raise':
            raise ValueError('v', 1)
        if kind == 'return':
            return log
        log.append('end')
    except ValueError as e:
        log.append(('except', e.args, str(e), repr(e)))
    else:
        log.append('else')
    finally:
        log.append('finally')
    return log

print(order('raise'), order('return'), order('none'))

def swallow():
    try:
        raise KeyError('k')
    finally:
        return 'swallowed'
print(swallow())

def nested():
    for i in range(5):
        try:
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                print('body', i)
            finally:
                print('inner', i)
        finally:
            print('outer', i)
    else:
        print('not here')
    return i
print(nested())

def reraise():
    try:
        try:
            raise IndexError('first')
        except IndexError:
            raise
    except LookupError as e:
        return 'again %s' % e
print(reraise())

class MyError(Exception):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code
    def describe(self):
        return 'code %d' % self.code

class Derived(MyError):
    pass

for c in (MyError, Derived):
    try:
        raise c(7, 'x')
    except MyError as e:
        print(type(e).__name__, e.describe(), e.args, str(e), repr(e), isinstance(e, Exception))

class CM:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print('enter', self.name)
        return self
    def __exit__(self, t, v, tb):
        print('exit', self.name, t.__name__ if t else None, v)
        return self.swallow

def use(kind):
    with CM('a', True) as a, CM('b'):
        print(a.name)
        if kind == 1:
            raise RuntimeError('inside')
        if kind == 2:
            return 'returned'
    return 'after'
for k in range(3):
    print(use(k))

def one(a): return a
def two(a, b=1): return a
def kwonly(*, k): return k
def three(a, b, c): return a

for f in (lambda: 1 / 0, lambda: [][1], lambda: {}['k'], lambda: int('x'), lambda: None.foo, lambda: undefined,
          lambda: 'a' + 1, lambda: 1 + 'a', lambda: [1] + (2,), lambda: len(5), lambda: (1, 2)[5], lambda: 'abc'[9],
          lambda: 5(), lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(3), lambda: 1 < 'a', lambda: -'a',
          lambda: {[]: 1}, lambda: iter(5), lambda: next(iter([])), lambda: 'a' * 'b', lambda: 1.5 // 0,
          lambda: 5 % 0, lambda: chr(-1), lambda: ord('ab'), lambda: float('z'), lambda: 1 << -1, lambda: 0 ** -1,
          lambda: range(1, 2, 0), lambda: [1, 2][::0], lambda: max([]), lambda: {}.popitem(), lambda: 5 in 5,
          lambda: 'x' in 5, lambda: 5 in 'x', lambda: one(), lambda: one(1, 2), lambda: two(c=3),
          lambda: kwonly(), lambda: one(1, a=2), lambda: three(), lambda: three(1)):
    try:
        f()
        print('no error')
    except Exception as e:
        print(type(e).__name__, e)

def unbound():
    print(y)
    y = 1
try:
    unbound()
except UnboundLocalError as e:
    print(type(e).__name__)
def deleted(y):
    del y
    return y
try:
    deleted(1)
except UnboundLocalError as e:
    print(e)

try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
try:
    a, b, c = [1, 2]
except ValueError as e:
    print(e)
try:
    a, *b, c = [1]
except ValueError as e:
    print(e)

def deep(n):
    return deep(n + 1)
try:
    deep(0)
except RecursionError as e:
    print(type(e).__name__)

def gen():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print('closed')
        raise
    finally:
        print('gen finally')
g = gen()
print(next(g))
g.close()
g = gen()
next(g)
try:
    g.throw(KeyError('thrown'))
except KeyError as e:
    print('out', e)

def stop():
    yield 1
    raise StopIteration
try:
    print(list(stop()))
except RuntimeError as e:
    print(e)

try:
    raise 5
except TypeError as e:
    print(e)
try:
    try:
        raise ValueError('a')
    except ValueError as e:
        raise KeyError('b') from e
except KeyError as e:
    print(repr(e))
try:
    assert 1 == 2, 'message'
except AssertionError as e:
    print(repr(e), e)
print(issubclass(ZeroDivisionError, ArithmeticError), KeyError.__name__, Exception)
