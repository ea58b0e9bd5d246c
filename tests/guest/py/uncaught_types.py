values = [1, "a"]
total = 0
for v in values:
    total = total + v
