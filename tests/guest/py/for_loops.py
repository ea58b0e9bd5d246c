for i in range(3):
    print(i, end=" ")
for i in range(10, 0, -4):
    print(i, end=" ")
print(i)
n = 4
for i in range(n):
    n = 1
print(i, n)
for x in [1, "a", None]:
    print(x)
for i in range(5):
    if i == 1:
        continue
    if i == 3:
        break
    print(i)
else:
    print("not reached")
for i in range(2):
    pass
else:
    print("else", i)
for i in range(3, 0):
    print("never")
for i in range(3):
    i = i * 10
    print(i)
for i in range(2):
    for j in range(2):
        if j:
            break
        print(i, j)
