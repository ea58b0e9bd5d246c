# fannkuch.py [N]: pancake flips. For every permutation of 1..N: reverse as many leading numbers as the first one says,
# until the first one is 1; the answer is the largest number of flips, and a checksum over all permutations.
#
# The permutation is copied and its front reversed by slices, so the heap sees many short-lived lists of N words:
# that is what makes this program a test of how an allocator handles objects of more than one block.
import sys


def flips_of(perm):
    flips = 0
    k = perm[0]
    while k != 1:
        perm[:k] = perm[k - 1::-1]
        flips += 1
        k = perm[0]
    return flips


def fannkuch(n):
    count = list(range(1, n + 1))
    perm = list(range(1, n + 1))
    best = 0
    checksum = 0
    sign = 1
    r = n
    while True:
        while r != 1:
            count[r - 1] = r
            r -= 1
        if perm[0] != 1:
            flips = flips_of(perm[:])
            if flips > best:
                best = flips
            checksum += sign * flips
        sign = -sign
        # the next permutation: rotate the first r + 1 numbers, for the smallest r whose count is not used up
        while True:
            if r == n:
                return best, checksum
            perm[:r + 1] = perm[1:r + 1] + perm[:1]
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1


size = int(sys.argv[1]) if len(sys.argv) > 1 else 6
largest, total = fannkuch(size)
print("fannkuch(%d): %d flips, checksum %d" % (size, largest, total))
