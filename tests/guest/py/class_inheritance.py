class Animal:
    sound = "..."
    def __init__(self, name):
        self.name = name
    def speak(self):
        return self.name + " says " + self.sound
class Dog(Animal):
    sound = "woof"
class Puppy(Dog):
    def __init__(self, name, age):
        super().__init__(name)
        self.age = age
    def speak(self):
        return super().speak() + "!" * self.age
for a in (Animal("cow"), Dog("rex"), Puppy("bit", 2)):
    print(a.speak(), isinstance(a, Animal), isinstance(a, Dog))
class Base:
    def f(self):
        return "base"
class Left(Base):
    pass
class Right(Base):
    def g(self):
        return self.f() + "-right"
class Both(Left, Right):
    pass
print(Both().f(), Both().g(), Base.f(Both()))
print(issubclass(Puppy, Animal), issubclass(Animal, Dog))
