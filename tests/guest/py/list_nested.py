grid = []
for y in range(3):
    row = []
    for x in range(4):
        row.append(x * y)
    grid.append(row)
print(grid)
grid[1][2] = "here"
print(grid[1], grid[-1][-1])
total = 0
for row in grid:
    for cell in row:
        if cell != "here":
            total += cell
print(total)
a = [1, [2, [3, [4]]]]
print(a[1][1][1][0], a)
