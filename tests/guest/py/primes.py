def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    found = []
    for i in range(n + 1):
        if flags[i]:
            found.append(i)
    return found
p = sieve(200)
print(len(p), p[:10], p[-1], sum(p))
