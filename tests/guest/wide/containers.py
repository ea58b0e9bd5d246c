# list, tuple, dict, set, range, slices.
l = [5, 3, 8, 1]
l.append(2); l.extend((7, 9)); l.insert(0, 0); l.insert(-1, 42); l.insert(100, 'end')
print(l, l.pop(), l.pop(0), l.index(8), l.count(3), len(l))
l.remove(42); l.sort(); print(l)
l.sort(reverse=True); print(l); l.reverse(); print(l)
print(sorted(['b', 'A', 'c'], key=str.lower), sorted([(1, 'z'), (0, 'y'), (1, 'a')], key=lambda t: t[0]))
print(sorted(range(50), key=lambda x: (x * 37) % 11))
words = ['pear', 'fig', 'apple', 'kiwi', 'date', 'plum', 'lime']
print(sorted(words, key=len), sorted(words, key=len, reverse=True))
m = list(range(10))
print(m[2:5], m[::-1], m[8:2:-2], m[-3:], m[:-7], m[5:2], m[::3], m[20:], m[-100:2])
m[2:4] = 'abc'; print(m)
m[::2] = range(len(m[::2])); print(m)
del m[1:3]; print(m); del m[::-2]; print(m)
m[1:1] = [1, 2]; print(m); m[:] = []; print(m)
m *= 3; n = [1] * 3 + [0]; n *= 2; print(m, n, n == [1, 1, 1, 0] * 2, [1, 2] < [1, 3], [2] > [1, 9], [1] <= [1], [1, 2] != [1, 2])
c = [1, [2]]; d = c.copy(); d[1].append(3); d.append(4); print(c, d); c.clear(); print(c)
t = (1, 2, 3)
print(t + (4,), t * 2, t[1:], t[::-1], 2 in t, 5 not in t, t.count(1), t.index(3), hash(t) == hash((1, 2, 3)), (), (1,), t < (1, 2, 4))
d = {'one': 1, 'two': 2}
d['three'] = 3; d.update({'four': 4}, five=5); d.setdefault('six', 6); d.setdefault('one', 100)
print(d, len(d), d.get('zz'), d.get('zz', 0), d.pop('two'), d.pop('nope', 'gone'), 'one' in d, list(d), list(d.values()), list(d.items()))
del d['one']; d['one'] = 'again'; print(d); print(d.popitem(), d.keys(), d.values(), d.items())
for k, v in d.items(): print(k, v, end=';')
print()
big = {}
for i in range(200): big[i * 7 % 211] = i
for i in range(0, 200, 3): del big[i * 7 % 211]
print(len(big), sum(big.values()), list(big)[:10], big[7], 14 in big)
big2 = {str(i): i for i in range(100)}
print(big2['55'], '99' in big2, '100' in big2, len(big2), list(big2)[-3:])
mixed = {1: 'int', 1.0: 'float', True: 'bool', 'k': None, (1, 2): 't', None: 0, 2.5: 'f'}
print(mixed, mixed[1], mixed[(1, 2)], mixed[None])
print({1: 2} == {1: 2.0}, {1: 2} != {1: 3}, {} == {}, dict([(1, 2), ('a', 'b')]), dict(a=1, b=2), dict.fromkeys('abc', 0))
e = {'a': 1}; e |= {'b': 2}; print(e | {'c': 3}, e)
try:
    for k in e: e[k + 'x'] = 1
except RuntimeError as x: print(x)
s = {3, 1, 2}; s.add(5); s.discard(1); s.discard(99)
print(sorted(s), len(s), 3 in s, sorted(s | {9}), sorted(s & {3, 5, 7}), sorted(s - {3}), sorted(s ^ {3, 100}), {1, 2} <= {1, 2, 3}, {1} == {1}, set(), sorted(set('hello')))
s.update([8, 9]); s.remove(8); print(sorted(s), {1, 2}.issubset([1, 2, 3]), {1}.isdisjoint({2}), sorted({1}.union([5])))
r = range(2, 20, 3)
print(r, list(r), len(r), r[2], r[-1], 8 in r, 9 in r, r[1:3], list(reversed(r)), range(5) == range(0, 5, 1), list(range(5, 0, -2)), list(range(0)), bool(range(0)))
print(list(enumerate('ab', 1)), list(zip([1, 2, 3], 'xy')), list(map(lambda a, b: a * b, [1, 2], [3, 4])), list(filter(None, [0, 1, '', 'a'])), list(reversed([1, 2, 3])))
print(any([0, 0, 1]), all([1, 0]), sum([1, 2, 3], 10), min(3, 1, 2), max('abc'), min([5, 2], key=lambda x: -x), max([], default='none'), sum([0.1] * 3))
print([[j for j in range(i)] for i in range(4)], {i % 3 for i in range(9)}, {k: v for k, v in [(1, 2)]}, sum(i * i for i in range(10)), tuple(x for x in 'ab'))
(a, b), [c, *d] = (1, 2), [3, 4, 5]; print(a, b, c, d)
a = b = [1]; b += [2]; print(a, a is b)
x, y = 1, 2; x, y = y, x; print(x, y)
it = iter([1, 2, 3]); print(next(it), list(it), next(it, 'end'), list(iter([4, 5].pop, 4)))
print(divmod(17, 5), divmod(-17, 5), divmod(7.5, 2), pow(2, 10), pow(3, 20, 7), round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(-1.5), abs(-3.5))
print(isinstance(True, int), isinstance(1, (str, int)), callable(len), callable(5), bin(10), hex(255), oct(8), bin(-5), hex(-255), id(a) == id(b))
w = [3, 1, 2]; w[0], w[1] = w[1], w[0]; print(w, [1, 2, 3][True], 'abc'[False])
print(list('abc'), tuple('ab'), list({'a': 1}), list((1, 2)), ', '.join(str(i) for i in range(3)))
nested = [1, (2, [3, {'k': {4}}])]; print(nested, repr(nested), str(nested) == repr(nested))
print([None] * 2, [True, False], [1.0, -0.0], ['quote\'s', "dq\"", 'both\'"', 'nl\n\t\\', '\x00\x7f\xe9'])
lst = list(range(1000)); del lst[10:990]; print(lst, len(lst))
q = []
for i in range(100): q.append(i)
while len(q) > 3: q.pop(0)
print(q)
