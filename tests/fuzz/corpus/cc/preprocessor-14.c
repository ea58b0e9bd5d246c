0#include "loop.h"
