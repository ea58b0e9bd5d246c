s = "\N{BULLET}"
