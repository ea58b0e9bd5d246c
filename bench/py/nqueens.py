# nqueens.py [N]: in how many ways N queens stand on an N by N board without attacking each other.
#
# A row per queen: every permutation of the columns is tried. The permutations come from a generator that rotates parts of
# its index list by slices; each rotation allocates three lists, and nearly all die at once.
import sys


def pick(pool, indices):
    chosen = []
    for k in indices:
        chosen.append(pool[k])
    return tuple(chosen)


def permutations(items):
    pool = list(items)
    n = len(pool)
    indices = list(range(n))
    cycles = list(range(n, 0, -1))
    yield tuple(pool)
    while n:
        i = n - 1
        while i >= 0:
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1:] + indices[i:i + 1]
                cycles[i] = n - i
            else:
                j = n - cycles[i]
                indices[i], indices[j] = indices[j], indices[i]
                yield pick(pool, indices)
                break
            i -= 1
        if i < 0:
            return


def is_peaceful(columns):
    seen_up = {}
    seen_down = {}
    row = 0
    for column in columns:
        if row + column in seen_up or row - column in seen_down:
            return False
        seen_up[row + column] = True
        seen_down[row - column] = True
        row += 1
    return True


def queens(n):
    solutions = 0
    first = None
    for columns in permutations(range(n)):
        if is_peaceful(columns):
            solutions += 1
            if first is None:
                first = columns
    return solutions, first


size = int(sys.argv[1]) if len(sys.argv) > 1 else 6
found, example = queens(size)
print("queens(%d): %d solutions, first %s" % (size, found, example))
