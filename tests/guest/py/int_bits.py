a, b = 0b110101, 0b1111
print(a & b, a | b, a ^ b, ~a, ~-1)
print(a << 3, a >> 2, -a >> 2, -1 >> 10, 1 << 40)
print(-5 & 3, -5 | 3, -5 ^ 3, -8 & -2)
print(0xff, 0o17, 0b101, 1_000)
x = 12345
x &= 0xff
x |= 1 << 9
x ^= 3
x <<= 2
x >>= 1
print(x)
