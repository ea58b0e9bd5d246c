// math.h: what one instruction can do, and what needs no series.
#ifndef _MATH_H
#define _MATH_H

#define INFINITY __builtin_inff()
#define NAN ((float)__builtin_nan(""))
#define HUGE_VAL __builtin_inf()
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) == HUGE_VAL || (x) == -HUGE_VAL)
#define signbit(x) __math_signbit(x)

double sqrt(double x);
double fabs(double x);
float fabsf(float x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double fmod(double x, double y); // exact
double ldexp(double x, int exponent);
double copysign(double x, double sign);
int __math_signbit(double x);

#endif
