# Containers that change while they are looked at, by the very code that looking runs. What comes out is open in part: what counts is that
# nothing but an exception does, and that the rest of the program goes on.
log = []


def attempt(f, *args):
    try:
        f(*args)
    except (RuntimeError, ValueError, KeyError, IndexError, TypeError) as e:
        log.append(type(e).__name__)


class Key:
    hook = None
    same_hash = True

    def __init__(self, n):
        self.n = n

    def __hash__(self):
        hook = Key.hook
        if hook and Key.on_hash:
            Key.hook = None
            hook()
        return 7 if Key.same_hash else self.n

    def __eq__(self, other):
        hook = Key.hook
        if hook and not Key.on_hash:
            Key.hook = None
            hook()
        return isinstance(other, Key) and self.n == other.n

    def __repr__(self):
        hook = Key.hook
        if hook:
            Key.hook = None
            hook()
        return 'k'

    def __lt__(self, other):
        hook = Key.hook
        if hook:
            Key.hook = None
            hook()
        return isinstance(other, Key) and self.n < other.n


Key.on_hash = False


def fill(d, n):
    for i in range(n):
        d[Key(i)] = [i]


def hooked(on_hash, change, f):
    Key.on_hash = on_hash
    Key.hook = change
    attempt(f)
    Key.hook = None


def refill(d):
    d.clear()
    junk = [[i] for i in range(200)]
    for i in range(3):
        d[i] = junk[i]


def grow_it(d):
    for i in range(1000, 1100):
        d[i] = [i]


for size in (3, 6, 12, 16, 40):
    for change in (lambda d: d.clear(), refill, grow_it):
        for on_hash in (False, True):
            d = {}
            fill(d, size)
            e = {}
            fill(e, size)
            s = set(d)
            t = set(e)
            for f in (lambda: d[Key(size - 1)], lambda: d.get(Key(99)), lambda: d.pop(Key(1)), lambda: d == e, lambda: repr(d),
                      lambda: d.update(e), lambda: d.setdefault(Key(77), 1), lambda: dict(d), lambda: d.popitem(), lambda: e == d,
                      lambda: e.update(d), lambda: list(d.items()) == 1, lambda: ([1], 2) in d.items(), lambda: dict.fromkeys(d),
                      lambda: d | e, lambda: e | d, lambda: d.copy()):
                hooked(on_hash, lambda: change(d), f)
                d.clear()
                fill(d, size)

            def again(x):
                x.clear()
                x.add(1)
            for f in (lambda: s & t, lambda: s | t, lambda: s - t, lambda: s ^ t, lambda: s <= t, lambda: s == t, lambda: Key(5) in s,
                      lambda: s.add(Key(1000)), lambda: s.remove(Key(2)), lambda: s.update(t), lambda: s.isdisjoint(t), lambda: repr(s),
                      lambda: s.pop()):
                hooked(on_hash, lambda: again(s), f)
                s.clear()
                s.update(set(d))

# Python code that runs when a full map grows
for n in range(1, 70):
    d = {}
    Key.same_hash = False
    fill(d, n)
    hooked(True, lambda: grow_it(d), lambda: d.setdefault(Key(500), 0))
    d = {}
    fill(d, n)
    hooked(True, lambda: d.clear(), lambda: d.setdefault(Key(500), 0))
Key.same_hash = True


# Lists
def store(l, start, stop, step, values):
    l[start:stop:step] = values


def add(l, values):
    l += values


for size in (2, 5, 9, 30):
    for change in (lambda l: l.clear(), lambda l: l.extend(range(100)), lambda l: store(l, 1, None, 1, [])):
        a = [Key(i) for i in range(size)]
        b = [Key(i) for i in range(size)]
        for f in (lambda: a == b, lambda: a < b, lambda: b == a, lambda: a.index(Key(size - 1)), lambda: a.remove(Key(size - 1)), lambda: a.count(Key(1)),
                  lambda: Key(size - 1) in a, lambda: repr(a), lambda: a.sort(), lambda: sorted(a), lambda: (a, 1) == (b, 1), lambda: max(a)):
            hooked(False, lambda: change(a), f)
            a[:] = [Key(i) for i in range(size)]

        def items(l, n):
            for i in range(n):
                if i == n // 2:
                    change(l)
                yield i
        for f in (lambda: a.extend(items(a, 4)), lambda: store(a, 1, 3, 1, items(a, 40)), lambda: store(a, 0, 4, 2, items(a, 2)),
                  lambda: store(a, size - 1, size, 1, items(a, 3)), lambda: add(a, items(a, 5)), lambda: list(items(a, 9))):
            attempt(f)
            a[:] = [Key(i) for i in range(size)]

print(all(isinstance(x, str) for x in log))
d = {}
fill(d, 20)
print(len(d), [k.n for k in d], d[Key(3)], len(set(d)))


# Results that stand for numbers
class Odd:
    def __len__(self):
        return True

    def __hash__(self):
        return True


print(len(Odd()), hash(Odd()), bool(Odd()))
