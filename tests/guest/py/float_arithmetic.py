a, b = 7.5, 2.0
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** b)
print(-a, -a // b, -a % b, a // -b, a % -b)
print(1 + 0.5, 2 * 1.5, 7 / 2, 7 // 2.0, 7 % 2.5)
print(0.1 + 0.2, 1 / 3, 2 / 3, 10 / 4)
print(1e10, 1e100, 1e-10, 123456789.123)
print(divmod(7.5, 2))
