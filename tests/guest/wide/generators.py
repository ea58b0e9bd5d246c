# Generators: send, throw, close, yield from, expressions, recursion.
def count(n):
    i = 0
    while i < n:
        got = yield i
        if got:
            print('got', got)
        i += 1
    return 'done'

def outer():
    r = yield from count(2)
    print('inner said', r)
    r = yield from [10, 20]
    print(r)
    yield 99

print(list(outer()))
g = outer()
print(next(g), g.send('hi'), next(g))

def catching():
    while True:
        try:
            x = yield 'ready'
            print('x', x)
        except ValueError as e:
            print('caught', e)
            yield 'handled'
        finally:
            print('fin')
g = catching()
print(next(g), g.throw(ValueError('oops')), next(g), g.send(3))
g.close()

def delegating():
    try:
        yield from catching()
    except KeyError as e:
        print('key', e)
        yield 'after'
g = delegating()
print(next(g), g.throw(ValueError('through')))
print(next(g), g.throw(KeyError('k')))

class Tree:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right
    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.v
        if self.right:
            yield from self.right
print(list(Tree(5, Tree(2, Tree(1), Tree(3)), Tree(9, None, Tree(12)))))

def perms(items):
    if len(items) <= 1:
        yield items
    else:
        for i in range(len(items)):
            for p in perms(items[:i] + items[i + 1:]):
                yield [items[i]] + p
print(list(perms([1, 2, 3])), sum(1 for _ in perms(list(range(5)))))

def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
print([x for x, _ in zip(fib(), range(15))])
g = (x * x for x in range(5) if x % 2)
print(next(g), list(g), list(g), next(g, 'empty'))
def evens(): return (x for x in range(10) if not x % 2)
print(sum(evens()), max(evens()), list(map(str, evens())), dict((x, x * x) for x in evens()), 4 in evens())
def multi():
    x = yield
    y = yield x
    return x, y
g = multi()
next(g)
print(g.send(1))
try:
    g.send(2)
except StopIteration as e:
    print(e.value)
try:
    g = multi()
    g.send(5)
except TypeError as e:
    print(e)
def busy():
    yield next(me)
me = busy()
try:
    next(me)
except ValueError as e:
    print(e)
class Iter:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 3:
            raise StopIteration('value')
        return self.i
def dele():
    v = yield from Iter()
    yield v
print(list(dele()))
def with_return_in_finally():
    try:
        yield 1
    finally:
        print('cleanup')
for x in with_return_in_finally():
    print(x)
def chain(*its):
    for it in its:
        yield from it
print(list(chain('ab', [1], (2, 3), range(2))), *chain('x', 'y'))
def g2():
    for i in range(3):
        try:
            yield i
        finally:
            print('f', i)
kept = g2() # CPython finishes a dropped generator at once; here it would never run on
for i in kept:
    if i == 1: break
kept.close()
print(list(zip(count(3), count(5))), list(enumerate(count(2))))
