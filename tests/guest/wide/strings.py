# str: indexing, methods, all three ways of formatting, Unicode.
s = 'Hello, World'
print(s[0], s[-1], s[1:4], s[::-1], s[::2], len(s), s.upper(), s.lower(), s.swapcase(), s.title(), 'abc def'.capitalize())
print(s.find('o'), s.find('o', 5), s.rfind('o'), s.find('zz'), s.index('W'), s.count('l'), 'aaaa'.count('aa'), s.startswith('Hell'), s.endswith(('x', 'ld')), s.startswith('W', 7))
print('  x y '.strip(), '|' + '  x '.lstrip() + '|', '|' + ' x  '.rstrip() + '|', 'xxabxx'.strip('x'), 'abc'.lstrip('ab'))
print('a b  c '.split(), 'a,b,,c'.split(','), 'a,b,c'.split(',', 1), 'a,b,c'.rsplit(',', 1), ' a  b c '.split(None, 1), ''.split(), ''.split(','), 'a\nb\r\nc'.splitlines(), 'x--y'.partition('--'), 'nope'.partition('-'), 'a-b-c'.rpartition('-'))
print('-'.join(['a', 'b', 'c']), ''.join([]), 'x'.join('abc'), 'abcabc'.replace('b', 'XX'), 'aaa'.replace('a', 'b', 2), 'abc'.replace('', '-'))
print('abc'.isalpha(), 'abc1'.isalnum(), '123'.isdigit(), ' '.isspace(), 'AB'.isupper(), 'ab'.islower(), ''.isalpha(), 'x_1'.isidentifier())
print('7'.zfill(3), '-7'.zfill(4), 'ab'.ljust(5, '.') + '|', 'ab'.rjust(5) + '|', 'ab'.center(7, '*'), 'ab'.center(6, '*'), 'abc'.center(6, '*'), 'a\tb'.expandtabs(4), 'prefix'.removeprefix('pre'), 'file.py'.removesuffix('.py'))
print('a' + 'b' * 3, 'ab' in 'cabd', 'x' not in 'abc', 'a' < 'b', 'abc' < 'abd', 'Z' < 'a', 'abc' == 'a' + 'bc', 'a' 'b')
print('%d %5d %-5d| %05d %+d %x %X %o %#x %c %c %s %r %%' % (42, 42, 42, 42, 42, 255, 255, 8, 255, 65, 'B', 'str', 'rep'))
print('%f %.2f %10.3f %-10.1f| %e %.3e %g %g %g %G' % (3.14159, 2.71828, 1.5, 2.25, 12345.678, 0.00012, 0.0001, 1e20, 123456789.0, 1e-10))
print('%s %s' % ('a', [1, 2]), '%s' % (1,), '%(k)s=%(v)d' % {'k': 'key', 'v': 5}, '%*d' % (5, 3), '%.*f' % (2, 1.005), '%5.1f|%-8s|%8s' % (1.25, 'ab', 'cd'), '% d' % 5, '%5s%%' % 'a', '%.3s' % 'abcdef')
print('{} {}'.format(1, 'a'), '{1} {0}'.format('a', 'b'), '{x} {y!r}'.format(x=1, y='q'), '{:5d}|{:<5d}|{:^5d}|{:>5d}|{:05d}'.format(42, 42, 42, 42, 42), '{:,} {:_}'.format(1234567, 1234567), '{:+d} {: d}'.format(5, 5), '{:x} {:#x} {:b} {:#b} {:o}'.format(255, 255, 5, 5, 8))
print('{:.3f} {:10.2f}| {:e} {:g} {:%}'.format(3.14159, 2.5, 12345.678, 0.5, 0.25), '{:*^9}'.format('mid'), '{:>{w}}'.format('r', w=4), '{0[1]} {1.real}'.format([1, 2], 5), '{{}} {}'.format('x'), '{:s}'.format('s'), '{:.2}'.format('abc'), '{:c}'.format(65))
name, val = 'n', 3.14159
print(f'{name}={val:.2f} {name!r:>5} {val + 1:8.3f} {{}} {1 if val else 2} {len(name)}', f'{val=}', f'{"nested"}', f'{255:#06x}', f'{True} {None}', f'{1e10} {10**12:,}')
u = 'naïve café ☃ 𝄞'
print(u, len(u), u[2], u[-1], u[::-1], u.find('☃'), u.upper() if False else '', u.split(), 'é' in u, list('aé'), ord('☃'), chr(9731), u[10:12], repr(u), '☃' * 3, '%s|%5s|' % ('é', 'é'), '{:>4}'.format('é'))
print(repr('tab\t nl\n cr\r bs\\ quote\' dq"'), repr("it's"), repr('\x00\x1f\x7f\xa0'), '\u2603' == '☃', 'a\
b')
print(str(5), str(1.5), str(None), str([1, 'a']), str(True), int('42'), int('  -7 '), int('ff', 16), int('0x1F', 0), int('1010', 2), int('1_000'), int(3.99), int(-3.99), float('2.5'), float(' 1e3 '), float('-inf'), float('nan'), bool(''), bool('x'), int(True))
print(ord('a'), chr(97), max('hello'), sorted('hello'), ''.join(reversed('abc')), 'abc'.__len__() if False else 3, hash('abc') == hash('ab' + 'c'))
d = {}
for w in 'the quick brown fox jumps over the lazy dog the end'.split():
    d[w] = d.get(w, 0) + 1
print(d, d['t' + 'he'])
long = 'x' * 1000
print(len(long), long[500], long[:3], (long + 'y')[-1], len((long * 3).split('x')))
print('a,b;c'.replace(',', ';').split(';'), 'AbC'.lower() == 'abc', 'abc'.find(''), 'abc'.count(''), '' in 'a', 'abc'[1:1] == '')
for c in 'héy':
    print(c, end='.')
print()
print(1, 2, sep='', end='!\n'); print('a', 'b', sep='--'); print(); print(*[1, 2, 3], sep=',')
import sys
print('to stdout', file=sys.stdout); sys.stdout.write('written\n')
print(str.upper('x'), str.join('-', ['a', 'b']), list(map(str, [1, 2])), 'a b'.split is not None)
