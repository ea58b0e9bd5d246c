n = 5
while n:
    n -= 1
    if n == 3:
        continue
    if n == 1:
        break
    print(n)
else:
    print("not reached")
while n < 4:
    n += 1
else:
    print("else", n)
i = 0
while True:
    i += 1
    if i > 10 and i % 7 == 0:
        break
print(i)
while not i == 0:
    i -= 1
print(i)
