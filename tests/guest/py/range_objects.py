print(range(5), range(1, 5), range(1, 10, 2), len(range(10)), len(range(0, 10, 3)), len(range(5, 0)))
print(list(range(5)), list(range(2, 8)), list(range(10, 0, -3)), list(range(0)))
print(3 in range(5), 5 in range(5), range(10)[3], range(10)[-1], range(0, 20, 5)[2])
r = range(3)
for i in r:
    for j in r:
        print(i, j, end=" ")
print()
