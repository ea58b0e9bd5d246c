2int f(double d) { return d != d || !d || -d < +d; }
