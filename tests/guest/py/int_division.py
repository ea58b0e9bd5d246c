# Floor division and remainder round towards minus infinity; the remainder has the divisor's sign.
for a in (7, -7, 8, -8, 0, 1, -1):
    for b in (2, -2, 3, -3, 7, -7):
        print(a, b, a // b, a % b, divmod(a, b), (a // b) * b + a % b == a)
print(7 / 2, -7 / 2, 6 / 3, 1 / 3)
