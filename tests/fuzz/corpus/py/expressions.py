# Expressions of every kind, for the byte-exact comparison. None of this needs to run.
zero, small, big, bigger = 0, 47, 48, 16384
neg, neg16, neg17, neg64, neg65 = -1, -16, -17, -64, -65
limit, limit1, nlimit, nlimit1 = 1073741823, 1073741824, -1073741824, -1073741825
huge = 123456789012345678901234567890
hexa, octal, binary, under = 0xFF_FF, 0o17, 0b1010, 1_000_000
wide = 0xFFFFFFFFFFFFFFFFFFFFFFFF
f1, f2, f3, f4 = 1.5, 1e100, .25, 1e-7
f5, f6, f7, f8 = 100.0, 1e16, 123456.789, 1e-300
imaginary = 2j
t1 = ()
t2 = (1,)
t3 = 1, 2.5, "text", b"bytes", None, True, ..., (2, 3)
t4 = (zero, 1)
l1 = []
l2 = [1, 2, zero]
m1 = {}
s1 = {1, 2, zero}
text = 'single' "double" '''triple
lines''' """more"""
short, empty, ten, eleven = "a", "", "0123456789", "0123456789a"
escapes = "\a\b\f\n\r\t\v\\\'\"\0\x41\u20ac\U0001F600\101\q"
raw, bts = r"\n\t", b"\x00\xff\n"
rawb = rb'\x'
uni = "grüße €"
fold1 = 2 * 3 + 4 - 1
fold2 = (1 << 20) | 0xF & ~3
fold3 = -(-7 // 2) % 5
fold4 = 2 ** 10 + zero
fold5 = not 1
fold6 = 0 or 5 or zero
fold7 = 1 and zero and 0
fold8 = 1 + 2 + zero
fold9 = 7 // -2, -7 // 2, 7 % -3, -7 % 3, 1 << 62, 1 << 31
a = zero < small <= big != bigger
b = zero is None, zero is not None, zero in l1, zero not in l1
c = not zero or small and big
d = (not zero, -small, +small, ~small)
e = zero + small * big // bigger % 3 - 4 / 5 ** 2 @ zero
e2 = zero | small ^ big & bigger << 1 >> 2
h = zero if small else big if bigger else 1
i = lambda: 0
j = lambda x, *y, z=1, **w: (x, y, z, w)
k = print(1, *l2, 3, sep="", end="x", **m1)
k2 = print(*l1, *l2)
k3 = text.upper().lower()
k4 = (text.upper)()
k5 = text.split(" ")[0][1:].strip()
n = l2[0], l2[-1], l2[:], l2[1:], l2[:1], l2[::2], l2[1:2:3], l2[zero, 1], l2[1, 2]
o = l2[zero:small, ::]
p = text.__class__.__name__
q = [x for x in l2 if x if x > 1 for y in l2]
r = [(x, y) for x in l2 for y in [z for z in l2]]
u = {k: v for k, v in m1 if k}
v = [[i for i in range(3)] for j in range(4)]
w = (lambda f: lambda x: f(f, x))(lambda s, n: n and n * s(s, n - 1))
x = zero if (small and big) or not (bigger or 0) else None
y = (zero
     + small
     * big)
z = print(zero,
          small,
          [big,
           bigger],
          {1:
           2},
          key=lambda x:
          x)
aa = text \
    .upper() \
    .lower
bb = "%d %s" % (1, "two")
cc = """x
y""" + text
dd = None == 1, True != False, ... is None
ee = zero.real, 1 .real
ff = "a" in "abc", 1 < 2 < 3
gg = yy = zz = 1
