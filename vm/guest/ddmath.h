// ddmath.h: elementary functions in double-double arithmetic (about 105 bits), so that the rounded result is the nearest double
// in practice always: what Python prints must not depend on a C library.
#ifndef CAPLAB_GUEST_DDMATH_H
#define CAPLAB_GUEST_DDMATH_H

double dd_exp(double x);
double dd_log(double x);           // x > 0, finite
double dd_log_base(double x, int base); // 2 or 10; exact for exact powers
double dd_pow(double x, double y); // x > 0, finite; result may overflow to infinity or underflow
double dd_sin(double x);           // |x| <= 1e15
double dd_cos(double x);
double dd_tan(double x);
double dd_atan2(double y, double x);

#endif
