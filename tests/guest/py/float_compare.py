a, b = 1.5, 2.5
print(a < b, a <= b, a == b, a != b, a > b, a >= b)
print(1.0 == 1, 0.1 + 0.2 == 0.3, 0.0 == -0.0)
print(int(2.9), int(-2.9), float(3), float("1.25"), float("-1e3"), round(2.5), round(3.7), round(-2.3))
print(abs(-2.5), min(1.5, 2), max(1.5, 2), sum([0.5, 0.25]))
