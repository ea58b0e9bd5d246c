# Addition, subtraction, multiplication, powers of small integers.
a, b = 17, 5
print(a + b, a - b, a * b, a ** b, b - a)
print(-a, +a, -(-a), ~a)
print(2 ** 0, 2 ** 10, 2 ** 61, (-2) ** 3, (-2) ** 61)
print(1000000 * 1000000, 123456789 * 987654321)
print(0 * 5, 0 + 0, 5 - 5)
n = 1
for i in range(1, 21):
    n *= i
print(n)
print(10 ** 18 - 1, -(10 ** 18))
print(4611686018427387903, -4611686018427387904)
