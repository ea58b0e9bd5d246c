// arm_acle.h: the memory tagging part of Arm's C language extensions. Needs __ARM_FEATURE_MEMORY_TAGGING.
#ifndef _ARM_ACLE_H
#define _ARM_ACLE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __ARM_FEATURE_MEMORY_TAGGING
#define __arm_mte_create_random_tag(p, mask) __builtin_arm_irg((p), (mask))   // bit i of mask excludes tag i
#define __arm_mte_increment_tag(p, k) __builtin_arm_addg((p), (k))            // k: constant 0..15
#define __arm_mte_exclude_tag(p, excluded) __builtin_arm_gmi((p), (excluded)) // excluded, with p's tag added
#define __arm_mte_set_tag(p) __builtin_arm_stg(p)                             // one granule gets p's tag
#define __arm_mte_get_tag(p) __builtin_arm_ldg(p)
#define __arm_mte_ptrdiff(a, b) __builtin_arm_subp((a), (b))
#endif

#endif
