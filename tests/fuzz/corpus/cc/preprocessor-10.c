0#include "one.h"
#include "twice.h"
#include "twice.h"
#include "one.h"
end
