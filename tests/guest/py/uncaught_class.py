class Broken(Exception):
    pass
class Thing:
    def work(self, n):
        if n == 0:
            raise Broken("at the bottom")
        self.work(n - 1)
Thing().work(2)
