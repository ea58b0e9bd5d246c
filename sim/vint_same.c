// vint_same.c: additions, comparisons, minima and the like: element by element, between neighbours, across the register.
#include "sim/vint.h"

// ---- sums and differences

SAME_BHS(SHADD_V, (SX(n) + SX(m)) >> 1)
SAME_BHS(UHADD_V, (n + m) >> 1)
SAME_BHS(SRHADD_V, (SX(n) + SX(m) + 1) >> 1)
SAME_BHS(URHADD_V, (n + m + 1) >> 1)
SAME_BHS(SHSUB_V, (SX(n) - SX(m)) >> 1)
SAME_BHS(UHSUB_V, (n - m) >> 1)
SAME(SQADD_V, SAT_S(BIG(SX(n)) + SX(m)))
SAME(UQADD_V, SAT_U(BIG(n) + m))
SAME(SQSUB_V, SAT_S(BIG(SX(n)) - SX(m)))
SAME(UQSUB_V, SAT_U(BIG(n) - m))
UNARY(SUQADD_V, SAT_S(BIG(SX(d)) + n))
UNARY(USQADD_V, SAT_U(BIG(d) + SX(n)))
UNARY(NEG_V, (u64)0 - n)
UNARY(ABS_V, SX(n) < 0 ? (u64)0 - n : n)
UNARY(SQNEG_V, SAT_S(-BIG(SX(n))))
UNARY(SQABS_V, SAT_S(SX(n) < 0 ? -BIG(SX(n)) : SX(n)))

#define DISTANCE_S(n_, m_) (SX(n_) > SX(m_) ? (n_) - (m_) : (m_) - (n_))
#define DISTANCE_U(n_, m_) ((n_) > (m_) ? (n_) - (m_) : (m_) - (n_))
SAME_BHS(SABD_V, DISTANCE_S(n, m))
SAME_BHS(UABD_V, DISTANCE_U(n, m))
SAME_BHS(SABA_V, d + DISTANCE_S(n, m))
SAME_BHS(UABA_V, d + DISTANCE_U(n, m))

LONG(SADDL_V, SX(n) + SX(m))
LONG(UADDL_V, n + m)
LONG(SSUBL_V, SX(n) - SX(m))
LONG(USUBL_V, n - m)
WIDE(SADDW_V, n + (u64)SX(m))
WIDE(UADDW_V, n + m)
WIDE(SSUBW_V, n - (u64)SX(m))
WIDE(USUBW_V, n - m)
LONG(SABDL_V, SX(n) > SX(m) ? SX(n) - SX(m) : SX(m) - SX(n))
LONG(UABDL_V, DISTANCE_U(n, m))
LONG(SABAL_V, d + (u64)(SX(n) > SX(m) ? SX(n) - SX(m) : SX(m) - SX(n)))
LONG(UABAL_V, d + DISTANCE_U(n, m))
NARROW(ADDHN_V, (n + m) >> bits)
NARROW(RADDHN_V, (n + m + (1ULL << (bits - 1))) >> bits)
NARROW(SUBHN_V, (n - m) >> bits)
NARROW(RSUBHN_V, (n - m + (1ULL << (bits - 1))) >> bits)

// ---- comparisons: all ones or zeros

#define ONES_IF(condition_) ((condition_) ? ~0ULL : 0)
SAME(CMGT_V, ONES_IF(SX(n) > SX(m)))
SAME(CMGE_V, ONES_IF(SX(n) >= SX(m)))
SAME(CMHI_V, ONES_IF(n > m))
SAME(CMHS_V, ONES_IF(n >= m))
SAME(CMEQ_V, ONES_IF(n == m))
SAME(CMTST_V, ONES_IF(n & m))
UNARY(CMGT_VZ, ONES_IF(SX(n) > 0))
UNARY(CMGE_VZ, ONES_IF(SX(n) >= 0))
UNARY(CMEQ_VZ, ONES_IF(n == 0))
UNARY(CMLE_VZ, ONES_IF(SX(n) <= 0))
UNARY(CMLT_VZ, ONES_IF(SX(n) < 0))

#define MAX_S(n_, m_) (SX(n_) > SX(m_) ? (n_) : (m_))
#define MIN_S(n_, m_) (SX(n_) < SX(m_) ? (n_) : (m_))
#define MAX_U(n_, m_) ((n_) > (m_) ? (n_) : (m_))
#define MIN_U(n_, m_) ((n_) < (m_) ? (n_) : (m_))
SAME_BHS(SMAX_V, MAX_S(n, m))
SAME_BHS(SMIN_V, MIN_S(n, m))
SAME_BHS(UMAX_V, MAX_U(n, m))
SAME_BHS(UMIN_V, MIN_U(n, m))

// ---- neighbours: the results of n's pairs, then of m's

#define PAIRWISE(SIZED, NAME, ...)                                                                           \
    SIZED(NAME)                                                                                              \
    {                                                                                                        \
        const u32 bits EXEC_UNUSED = 8U << size, half = (op->x & X_Q ? 8U : 4U) >> size;                     \
        Lanes ns = source(VN, op->x, size), ms = source(VM, op->x, size), out = {.d = {0, 0}};                             \
        for (u32 i = 0; i < 2 * half; i++) {                                                                 \
            const Lanes *from = i < half ? &ns : &ms;                                                        \
            u32 at = i < half ? 2 * i : 2 * (i - half);                                                      \
            u64 n = lane(from, size, at), m = lane(from, size, at + 1);                                      \
            set_lane(&out, size, i, (__VA_ARGS__));                                                          \
        }                                                                                                    \
        set_result(VD, &out, op->x, size);                                                                   \
    }
PAIRWISE(VINT_SIZED, ADDP_V, n + m)
PAIRWISE(VINT_SIZED_BHS, SMAXP_V, MAX_S(n, m))
PAIRWISE(VINT_SIZED_BHS, SMINP_V, MIN_S(n, m))
PAIRWISE(VINT_SIZED_BHS, UMAXP_V, MAX_U(n, m))
PAIRWISE(VINT_SIZED_BHS, UMINP_V, MIN_U(n, m))
void vint_ADDP_D(Cpu *cpu, const Op *op) { set_v(VD, VN->lo + VN->hi); }

// Pairs of n into elements of twice the size; d is the old one.
#define PAIRWISE_LONG(NAME, ...)                                                                             \
    VINT_SIZED_BHS(NAME)                                                                                     \
    {                                                                                                        \
        const u32 bits EXEC_UNUSED = 8U << size;                                                             \
        Lanes ns = source(VN, op->x, size), ds = source(VD, op->x, size + 1), out;                           \
        for (u32 i = 0; i < 8U >> size; i++) {                                                               \
            u64 n = lane(&ns, size, 2 * i), m = lane(&ns, size, 2 * i + 1), d EXEC_UNUSED = lane(&ds, size + 1, i); \
            set_lane(&out, size + 1, i, (u64)(__VA_ARGS__));                                                 \
        }                                                                                                    \
        set_result(VD, &out, op->x, size + 1);                                                               \
    }
PAIRWISE_LONG(SADDLP_V, SX(n) + SX(m))
PAIRWISE_LONG(UADDLP_V, n + m)
PAIRWISE_LONG(SADALP_V, d + (u64)(SX(n) + SX(m)))
PAIRWISE_LONG(UADALP_V, d + n + m)

// ---- across the register: r from all elements n

#define ACROSS(NAME, result_bits_, ...)                                                                      \
    VINT_SIZED_BHS(NAME)                                                                                     \
    {                                                                                                        \
        const u32 bits = 8U << size, lanes = (op->x & X_Q ? 16U : 8U) >> size;                               \
        Lanes ns = source(VN, op->x, size);                                                                  \
        u64 r = lane(&ns, size, 0);                                                                          \
        for (u32 i = 1; i < lanes; i++) {                                                                    \
            u64 n = lane(&ns, size, i);                                                                      \
            r = (u64)(__VA_ARGS__);                                                                          \
        }                                                                                                    \
        set_v(VD, (u64)SX(r) & bits_mask(result_bits_));                                                     \
    }
ACROSS(SMAXV_V, bits, MAX_S(r, n))
ACROSS(SMINV_V, bits, MIN_S(r, n))
ACROSS(UMAXV_V, bits, MAX_U(r, n))
ACROSS(UMINV_V, bits, MIN_U(r, n))
VINT_SIZED_BHS(SADDLV_V)
{
    const u32 bits = 8U << size, lanes = (op->x & X_Q ? 16U : 8U) >> size;
    Lanes ns = source(VN, op->x, size);
    i64 sum = 0;
    for (u32 i = 0; i < lanes; i++) sum += SX(lane(&ns, size, i));
    set_v(VD, (u64)sum & bits_mask(2 * bits));
}
