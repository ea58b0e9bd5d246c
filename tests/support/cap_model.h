// cap_model.h: the capability arithmetic once more, slowly and in the shape of the architecture's text: one bit range at a time
// on 66-bit numbers. Only for comparing with isa/cap.c.
#ifndef CAPLAB_TESTS_SUPPORT_CAP_MODEL_H
#define CAPLAB_TESTS_SUPPORT_CAP_MODEL_H

#include "isa/cap.h"

typedef struct ModelBounds {
    u128 base, limit; // 65 bits
    bool is_valid;
} ModelBounds;
ModelBounds model_bounds(Cap c);
Cap model_set_value(Cap c, u64 v);
Cap model_add(Cap c, u64 increment);
Cap model_set_bounds(Cap c, u128 len, bool *exact);
u64 model_mask(u64 len);

#endif
