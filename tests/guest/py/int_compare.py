values = [-2, -1, 0, 1, 2]
for a in values:
    row = []
    for b in values:
        row.append((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a >= b) + 32 * (a > b))
    print(row)
print(1 == 1.0, 1 < 1.5, 2 > 1.5, 1 == "1", 1 != "1")
