0#define H "one.h"
#define S <sys.h>
#include H
#include S
