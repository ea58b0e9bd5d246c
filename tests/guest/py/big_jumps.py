def f(n):
    total = 0
    for i in range(n):
        if i == 0: total += 1; total += 2; total += 3; total += 4; total += 5; total += 6; total += 7; total += 8
        elif i == 1: total -= 1; total -= 2; total -= 3; total -= 4; total -= 5; total -= 6; total -= 7; total -= 8
        elif i == 2: total *= 2; total *= 3; total *= 4; total *= 5; total *= 6; total *= 7; total *= 8; total *= 9
        else:
            total += 1000; total += 2000; total += 3000; total += 4000; total += 5000; total += 60000; total += 700000
    return total
print([f(i) for i in range(6)])
