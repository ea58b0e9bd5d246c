// cheriintrin.h: CHERI C's words for what the instructions do to a capability. In a hybrid build only the two functions on
// lengths are useful for plain pointers; the others need a `* __capability` or a purecap build.
#ifndef _CHERIINTRIN_H
#define _CHERIINTRIN_H
#include <stddef.h>

typedef long cheri_otype_t;
typedef unsigned long cheri_perms_t;
typedef unsigned long cheri_flags_t;

#define CHERI_OTYPE_UNSEALED ((cheri_otype_t)0)
#define CHERI_OTYPE_SENTRY ((cheri_otype_t)1)

#define CHERI_PERM_GLOBAL (1UL << 0)
#define CHERI_PERM_SW_VMEM (1UL << 2)
#define CHERI_PERM_SYSTEM_REGS (1UL << 9)
#define CHERI_PERM_UNSEAL (1UL << 10)
#define CHERI_PERM_SEAL (1UL << 11)
#define CHERI_PERM_STORE_LOCAL_CAP (1UL << 12)
#define CHERI_PERM_STORE_CAP (1UL << 13)
#define CHERI_PERM_LOAD_CAP (1UL << 14)
#define CHERI_PERM_EXECUTE (1UL << 15)
#define CHERI_PERM_STORE (1UL << 16)
#define CHERI_PERM_LOAD (1UL << 17)
#define ARM_CAP_PERMISSION_EXECUTIVE (1UL << 1)
#define ARM_CAP_PERMISSION_MUTABLE_LOAD (1UL << 6)
#define ARM_CAP_PERMISSION_COMPARTMENT_ID (1UL << 7)
#define ARM_CAP_PERMISSION_BRANCH_SEALED_PAIR (1UL << 8)

#define cheri_address_get(c) __builtin_cheri_address_get(c)
#define cheri_address_set(c, a) __builtin_cheri_address_set((c), (a))
#define cheri_base_get(c) __builtin_cheri_base_get(c)
#define cheri_length_get(c) __builtin_cheri_length_get(c)
#define cheri_offset_get(c) __builtin_cheri_offset_get(c)
#define cheri_offset_set(c, n) __builtin_cheri_offset_set((c), (n))
#define cheri_tag_get(c) __builtin_cheri_tag_get(c)
#define cheri_is_valid(c) __builtin_cheri_tag_get(c)
#define cheri_is_invalid(c) (!__builtin_cheri_tag_get(c))
#define cheri_tag_clear(c) __builtin_cheri_tag_clear(c)
#define cheri_is_equal_exact(a, b) __builtin_cheri_equal_exact((a), (b))
#define cheri_is_subset(a, b) __builtin_cheri_subset_test((a), (b))
#define cheri_representable_length(n) __builtin_cheri_round_representable_length(n)
#define cheri_representable_alignment_mask(n) __builtin_cheri_representable_alignment_mask(n)
#define cheri_bounds_set(c, n) __builtin_cheri_bounds_set((c), (n))
#define cheri_bounds_set_exact(c, n) __builtin_cheri_bounds_set_exact((c), (n))
#define cheri_perms_get(c) ((cheri_perms_t)__builtin_cheri_perms_get(c))
#define cheri_perms_and(c, m) __builtin_cheri_perms_and((c), (m))
#define cheri_perms_clear(c, m) __builtin_cheri_perms_and((c), ~(unsigned long)(m))
#define cheri_type_get(c) ((cheri_otype_t)__builtin_cheri_type_get(c))
#define cheri_is_sealed(c) __builtin_cheri_sealed_get(c)
#define cheri_is_unsealed(c) (!__builtin_cheri_sealed_get(c))
#define cheri_is_sentry(c) (cheri_type_get(c) == CHERI_OTYPE_SENTRY)
#define cheri_sentry_create(c) __builtin_cheri_seal_entry(c)
#define cheri_seal(c, key) __builtin_cheri_seal((c), (key))
#define cheri_unseal(c, key) __builtin_cheri_unseal((c), (key))
#define cheri_seal_conditionally(c, key) __builtin_cheri_conditional_seal((c), (key))
#define cheri_cap_build(x, y) __builtin_cheri_cap_build((x), (y))
#define cheri_type_copy(x, y) __builtin_cheri_cap_type_copy((x), (y))
#define cheri_flags_get(c) __builtin_cheri_flags_get(c)
#define cheri_flags_set(c, f) __builtin_cheri_flags_set((c), (f))
#define cheri_ddc_get() __builtin_cheri_global_data_get()
#define cheri_pcc_get() __builtin_cheri_program_counter_get()
#define cheri_tags_load(c) __builtin_cheri_cap_load_tags(c)
#define cheri_align_up(c, n) __builtin_align_up((c), (n))
#define cheri_align_down(c, n) __builtin_align_down((c), (n))
#define cheri_is_aligned(c, n) __builtin_is_aligned((c), (n))

#endif
