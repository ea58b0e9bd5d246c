# pi.py [DIGITS]: decimal digits of pi, one at a time, by a spigot over an array of small remainders: only integers that
# fit a machine word, whatever the number of digits. Then pi again as a float, by Machin's formula.
import sys


def spigot(digits):
    length = digits * 10 // 3 + 1
    remainders = [2] * length
    text = []
    held = 0    # the digit before a run of nines, which a carry may still change
    nines = 0
    is_first = True
    produced = 0
    while produced < digits + 2:
        carry = 0
        i = length - 1
        while i > 0:
            value = remainders[i] * 10 + carry
            odd = 2 * i + 1
            remainders[i] = value % odd
            carry = value // odd * i
            i -= 1
        value = remainders[0] * 10 + carry
        remainders[0] = value % 10
        digit = value // 10
        produced += 1
        if digit == 9:
            nines += 1
            continue
        if digit == 10:
            text.append(str(held + 1))
            for k in range(nines):
                text.append("0")
            held = 0
        else:
            if not is_first:
                text.append(str(held))
            for k in range(nines):
                text.append("9")
            held = digit
        nines = 0
        is_first = False
    text.append(str(held))
    return "".join(text)[:digits]


def arctan_inverse(x):
    total = 0.0
    power = 1.0 / x
    n = 1
    while power > 1e-18:
        total += power / n
        power /= x * x
        n += 2
        total -= power / n
        power /= x * x
        n += 2
    return total


count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
digits = spigot(count)
for start in range(0, count, 10):
    print("%-10s %d" % (digits[start:start + 10], start))
print("%.12f" % (16 * arctan_inverse(5.0) - 4 * arctan_inverse(239.0)))
