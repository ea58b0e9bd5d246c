# Enough short-lived objects that the collector runs several times, and some that must survive it.
keep = []
for i in range(20000):
    t = [i, i + 1, [i]]
    if i % 1000 == 0:
        keep.append(t)
print(len(keep), keep[0], keep[-1], sum([k[0] for k in keep]))
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next
head = None
for i in range(2000):
    head = Node(i, head)
n = total = 0
while head is not None:
    total += head.value
    head = head.next
    n += 1
print(n, total)
d = {}
for i in range(3000):
    d["k%d" % (i % 50)] = "v" + str(i)
print(len(d), d["k7"], d["k49"])
