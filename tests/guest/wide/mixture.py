# A little of everything that compiles to an instruction of its own, close together: what tests/diff/damaged.py damages.
import sys


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return self.swallows


def unwinding(a, b=2, *c, d=4, **k):
    for i in range(a):
        try:
            with Manager(True), Manager(False):
                if i == 1:
                    continue
                if i == 2:
                    break
                if i == 3:
                    raise ValueError(i)
                yield [i, b] + list(c)
        except (KeyError, ValueError) as e:
            try:
                raise
            except ValueError:
                pass
        finally:
            d += 1
            for q in (1, 2):
                try:
                    while d:
                        d -= 1
                        if d == 3:
                            break
                finally:
                    k.pop('x', 0)
    return d


def cells(n):
    x = n

    def inner(y=3):
        nonlocal x
        x += y
        return lambda z: (x, y, z, n)
    return inner


def leaving(n):
    for i in range(n):
        for j in [1, 2, 3]:
            try:
                if i == j:
                    return (i, j)
            finally:
                n -= 1


class Items(list):
    text = 'constant string longer than ten'

    def total(self):
        return super().copy() + [1]

    @property
    def part(self):
        return self.text[1:3]

    @classmethod
    def of(cls, *a):
        return cls(a)


def main():
    yield from unwinding(3, 4, 5, d=6, z=9)
    a, *b, c = [1, 2, 3, 4]
    t = {i: j for i, j in zip('abc', (1, 2, 3))}
    del t['a']
    s = {v for v in b if v}
    print(a, b, c, t, s, *b, sep='-')
    print(f"{a}{b!r:>10}", "%d %s" % (a, c), cells(2)(4)(5), Items.of(1, 2).part, len(Items.of(1)))
    yield sum(w for w in range(4)), max(*[1, 2], **{'key': lambda v: -v}), leaving(4)


print([x for x in main()], 1.5 if sys.argv else 2, not Items.text and 3 or 4)
try:
    list(unwinding(5))
except ValueError as e:
    print(e)
