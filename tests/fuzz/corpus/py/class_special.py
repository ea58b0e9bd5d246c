class Vector:
    def __init__(self, *items):
        self.items = list(items)
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        return self.items[i]
    def __setitem__(self, i, value):
        self.items[i] = value
    def __eq__(self, other):
        return self.items == other.items
    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self.items, other.items)])
    def __repr__(self):
        return "Vector(%s)" % ", ".join([str(i) for i in self.items])
    def __call__(self, k):
        return self.items[k] * 10
    def __contains__(self, x):
        return x in self.items
    def __iter__(self):
        return iter(self.items)
v = Vector(1, 2, 3)
print(v, len(v), v[1], v == Vector(1, 2, 3), v + v, v(2), 2 in v, 9 in v)
v[0] = 7
print(v, [x for x in v], sum(v))
class Name:
    def __str__(self):
        return "a name"
print(Name(), str(Name()), "%s" % Name())
class Countdown:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n
print(list(Countdown(3)))
