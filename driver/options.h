// options.h: reading options and knobs back, for the parts of the driver and for lists on the screen.
#ifndef CAPLAB_DRIVER_OPTIONS_H
#define CAPLAB_DRIVER_OPTIONS_H

#include "driver/driver.h"

// "64K" → 65536; K, M, G are powers of 1024. name: the option or knob, for the error.
bool drv_parse_count(const char *name, const char *text, u64 *v, Err *err);

const char *drv_knob_value(const DrvOptions *o, DrvKnob k); // text, the default if it is not set; "" = none
u64 drv_knob_number(const DrvOptions *o, DrvKnob k);

#endif
