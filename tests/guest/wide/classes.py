# Classes: attributes, inheritance, special methods, properties, super, mro.
class Vec:
    count = 0
    def __init__(self, x, y=0):
        self.x = x
        self.y = y
        Vec.count += 1
    def __repr__(self):
        return 'Vec(%r, %r)' % (self.x, self.y)
    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def __radd__(self, o):
        return Vec(self.x + o, self.y + o)
    def __sub__(self, o):
        if not isinstance(o, Vec):
            return NotImplemented
        return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self):
        return Vec(-self.x, -self.y)
    def __eq__(self, o):
        return isinstance(o, Vec) and (self.x, self.y) == (o.x, o.y)
    def __lt__(self, o):
        return self.x < o.x
    def __hash__(self):
        return hash((self.x, self.y))
    def __len__(self):
        return 2
    def __getitem__(self, i):
        return (self.x, self.y)[i]
    def __setitem__(self, i, v):
        if i == 0:
            self.x = v
        else:
            self.y = v
    def __contains__(self, v):
        return v == self.x or v == self.y
    def __call__(self, *a, **k):
        return a, k
    def __bool__(self):
        return bool(self.x or self.y)
    def __iter__(self):
        yield self.x
        yield self.y
    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self
    def __abs__(self):
        return abs(self.x) + abs(self.y)

a, b = Vec(1, 2), Vec(3, 4)
print(a + b, a - b, a * 3, 3 * a, -a, 10 + a, a == Vec(1, 2), a != b, a < b, b > a, hash(a) == hash(Vec(1, 2)))
print(len(a), a[1], 2 in a, 9 in a, a(1, k=2), bool(Vec(0)), list(a), abs(Vec(-1, -2)), sum([a, b], Vec(0, 0)))
a[0] = 7
c = a
c += b
print(a, c is a, Vec.count > 5, sorted([b, a, Vec(0)]), {Vec(1, 1): 'v'}[Vec(1, 1)])
try:
    a - 5
except TypeError as e:
    print(e)

class Base:
    kind = 'base'
    def who(self):
        return 'Base.who ' + self.kind
    @staticmethod
    def st(x):
        return x + 1
    @classmethod
    def make(cls, *a):
        return cls(*a)
    @property
    def doubled(self):
        return self.value * 2
    @doubled.setter
    def doubled(self, v):
        self.value = v // 2
    def __getattr__(self, name):
        if name.startswith('dyn_'):
            return name[4:]
        raise AttributeError(name)

class Left(Base):
    kind = 'left'
    def who(self):
        return 'Left>' + super().who()

class Right(Base):
    def who(self):
        return 'Right>' + super().who()

class Both(Left, Right):
    def __init__(self, value=5):
        self.value = value
    def who(self):
        return 'Both>' + super().who()

o = Both()
print(o.who(), o.st(4), Both.st(5), type(Both.make(3)).__name__, o.doubled, o.dyn_name)
o.doubled = 20
print(o.value, [k.__name__ for k in Both.__mro__], isinstance(o, Right), issubclass(Both, (int, Left)))
try:
    o.nothing
except AttributeError as e:
    print('no', e)
print(hasattr(o, 'value'), hasattr(o, 'zzz'), getattr(o, 'zzz', 'default'), o.__class__ is Both, Both.__name__)
setattr(o, 'extra', 1)
print(o.extra, o.__dict__)
del o.extra
print(hasattr(o, 'extra'))
Both.kind = 'changed'
print(o.who())

class Stack(list):
    def push(self, x):
        self.append(x)
    def top(self):
        return self[-1]
s = Stack([1, 2])
s.push(3)
print(s, len(s), s.top(), [x * 2 for x in s], isinstance(s, list), s == [1, 2, 3], s + [4])

class D(dict):
    def __missing__(self, k):
        return k
d = D(a=1)
d['b'] = 2
print(sorted(d.items()), len(d), 'a' in d)

class It:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n
print(list(It(4)), max(It(6)), [x for x in It(3)], tuple(It(2)), 2 in It(5))

class Seq:
    def __getitem__(self, i):
        if i > 3:
            raise IndexError
        return i * 10
print(list(Seq()), [x for x in Seq()])

class Counter:
    def __init__(self):
        self.log = []
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != 'log':
            self.log.append((name, value))
c = Counter()
c.a = 1
c.b = 2
print(c.log)

def outer():
    n = 0
    class Local:
        def bump(self):
            nonlocal n
            n += 1
            return n
    return Local
L = outer()
print(L().bump(), L().bump(), L.__name__)
print(str(Both)[:8], type(o) is Both, type(5), type('s'), type(None), type([]), type(print).__name__)
class E: pass
e = E()
e.f = lambda x: x + 1
print(e.f(1), str(e).startswith('<__main__.E object at 0x'))
class P:
    def __str__(self): return 'str P'
    def __repr__(self): return 'repr P'
    def __format__(self, spec): return 'fmt ' + spec
print(P(), [P()], '%s %r' % (P(), P()), '{} {!r} {:x>3}'.format(P(), P(), P()), f'{P()!s:>8}')
T = type('T', (Base,), {'z': 9, 'value': 4})
print(T().z, T().doubled, T)
try:
    E(1)
except TypeError as e:
    print(e)
m = Vec(5, 6).__add__
print(m(Vec(1, 1)))
