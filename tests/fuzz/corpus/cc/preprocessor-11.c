0#include <sys.h>
SYS
