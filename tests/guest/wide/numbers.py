# int and float: operators, printing, parsing, the math module.
for a in (7, -7, 0, 123456789):
    for b in (3, -3, 10):
        print(a + b, a - b, a * b, a // b, a % b, a / b, a & b, a | b, a ^ b, a < b, a == b, end=' ')
    print(~a, -a, +a, abs(a), a << 3, a >> 1, a ** 2, bool(a))
for a in (7.5, -7.5, 0.1):
    for b in (2, -2.5, 0.3):
        print(a + b, a - b, a * b, a // b, a % b, a / b, a < b, a >= b, end=' ')
    print(-a, abs(a), a ** 2, int(a), round(a), round(a, 1))
print(2 ** 61, -2 ** 61, 2 ** 62 - 1, 10 ** 18, 2 ** -1, 2.0 ** 10, 9 ** 0.5, (-8) ** 3, 0 ** 0, 1e308 * 10, -1e308 * 10)
for x in (0.0, -0.0, 1.0, 100.0, 1e15, 1e16, 1e17, 123456789012345678.0, 1e21, 1e22, 1e23, 1e100, 1.5e300, 1e-4, 1e-5, 1.5e-7, 5e-324, 2.2250738585072014e-308,
          1.7976931348623157e308, 0.1, 0.2, 0.3, 1 / 3, 2 / 3, 1e-10, 3.141592653589793, 2.5, 1234.5678, 9007199254740993.0, 4.35, 0.1 + 0.2, 5e-7, 299792458.0, 6.62607015e-34):
    print(x, -x, x * 3, end=' ')
print()
for t in ('1e400', '1e-400', '123456789012345678901234567890', '0.000000000000000000000000000001234', '2.2250738585072011e-308', '1.7976931348623158e308', '8.41e21', '9.5367431640625e-07', '1e23', '0.1e1', '.5', '5.', '1_0.5'):
    print(float(t), end=' ')
print()
print(float('inf'), float('-inf'), float('nan'), float('inf') > 1e308, float('nan') == float('nan'), 1 == 1.0, 2 ** 53 == 2.0 ** 53, 2 ** 53 + 1 == 2.0 ** 53, hash(1) == hash(1.0))
for n in range(12):
    print('%.*f %.*e' % (n, 2 / 3, n, 1234.5), round(1234.56789, n - 4), end=' ')
print()
print('%.0f %.0f %.0f %.0f %.1f %.2f %.20f %.3f' % (0.5, 1.5, 2.5, 3.5, 0.25, 2.675, 0.1, 1e10), '%g %g %g %g %g' % (1e5, 1e6, 1e-4, 1e-5, 123456.7), '%.10g' % 0.1, '%#g' % 1.0, '%.0e' % 15)
for i in range(-30, 30, 3):
    print(10.0 ** i, 7 * 10.0 ** i, end=' ')
print()
x = 1.0
for i in range(60):
    x = x * 1.7 - 0.3
    print(x, end=' ')
print()
x = 0.7
for i in range(40):
    x = 3.9 * x * (1 - x)
print(x)
import math
print(math.pi, math.e, math.sqrt(2), math.floor(-2.5), math.ceil(2.1), math.trunc(-2.7), math.fabs(-3), math.fmod(7, -3), math.gcd(12, 18), math.factorial(15), math.isqrt(99), math.hypot(3, 4), math.copysign(1, -0.0), math.inf, math.isnan(math.nan), math.isclose(0.1 + 0.2, 0.3))
for v in (0.1, 0.5, 1.0, 2.0, 3.7, 10.0, 100.5):
    print(math.sin(v), math.cos(v), math.tan(v), math.exp(v), math.log(v), math.log10(v), math.log2(v), math.atan(v), math.sqrt(v), v ** 1.5, v ** -2.5, end=' ')
print(math.atan2(1, -1), math.atan2(-1, 0), math.asin(0.5), math.log(8, 2), math.degrees(math.pi), math.radians(180), math.pow(2, 0.5))
try:
    math.sqrt(-1)
except ValueError as e:
    print(e)
try:
    math.log(0)
except ValueError as e:
    print(e)
print(7 // 2.0, -7 // 2.0, 7 % -2.0, 1e15 // 1, 5 % 3.5, -0.0 % 5, divmod(-7.5, 2), int(1e18), int('-12'), 5 .bit_length(), (255).bit_length(), True + 1, True & False, True | 1, not 5)
print(1 < 2 < 3, 1 < 3 < 2, 5 == 5.0 == 5, min(1, 2.5), max(1, True), sum([1, 2.5]), 3 .real, complex if False else 'nc')
s = 0
for i in range(1000):
    s = (s * 1103515245 + 12345) % 2147483648
print(s)
print(0x7fffffff, 0o17, 0b101, 1_000_000, 0xDEADBEEF & 0xFF00, (1 << 40) | 1, -1 >> 10, 1 << 0, 12345678901234567 * 100 // 100 % 97, 3037000499 * 1500000000)
print(123456789 * 987654321, -123456789 * 987654321, 4611686018427387903, -4611686018427387904, 10 ** 17 // 7, (10 ** 18) / 3, 4611686018427387903 / 4611686018427387902)
