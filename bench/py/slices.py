# slices.py [ROUNDS]: list slices of many lengths: copies, stores of equal and other lengths, concatenation, reversal.
# Every slice is a new list, so a round is a fixed mix of allocations from one block to many.
import sys

LENGTHS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]


def copies(items):
    total = 0
    for n in LENGTHS:
        front = items[:n]
        back = items[-n:]
        total += front[-1] + back[0] + len(items[n:])
    return total


def rotations(items):
    for n in LENGTHS:
        items[:n] = items[1:n] + items[:1]
        items[n:] = items[n + 1:] + items[n:n + 1]
    return items[0] + items[len(items) // 2]


def grow_and_shrink(items):
    work = items[:16]
    for n in LENGTHS:
        work[4:4] = items[:n]
        work[:2] = []
        work[len(work) // 2:] = work[:8]
    return len(work) + work[0] + work[-1]


def reversals(items):
    for n in LENGTHS:
        items[:n] = items[n - 1::-1]
    return items[0] - items[-1]


def run(rounds):
    items = list(range(128))
    checksum = 0
    for i in range(rounds):
        checksum = (checksum * 31 + copies(items)) % 1000003
        checksum = (checksum * 31 + rotations(items)) % 1000003
        checksum = (checksum * 31 + grow_and_shrink(items)) % 1000003
        checksum = (checksum * 31 + reversals(items)) % 1000003
    return checksum, items


number = int(sys.argv[1]) if len(sys.argv) > 1 else 50
result, final = run(number)
print("slices(%d): checksum %d, sum %d" % (number, result, sum(final)))
print(final[:10])
