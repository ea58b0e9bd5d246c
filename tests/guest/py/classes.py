class Point:
    dimensions = 2
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def norm(self):
        return self.x * self.x + self.y * self.y
    def move(self, dx=0, dy=0):
        self.x += dx
        self.y += dy
        return self
p = Point(3, 4)
print(p.x, p.y, p.norm(), p.dimensions, Point.dimensions)
p.move(1).move(dy=2)
print(p.x, p.y)
p.name = "P"
print(p.name)
q = Point(0, 0)
Point.dimensions = 3
q.dimensions = 5
print(p.dimensions, q.dimensions, Point.dimensions)
m = p.norm
print(m())
print(isinstance(p, Point), isinstance(5, Point), isinstance(5, int), type(p) is Point)
del p.name
print(hasattr(p, "name"), hasattr(p, "x"), getattr(p, "x"))
