// assert.h: may be included again under another NDEBUG.
#undef assert
#ifdef NDEBUG
#define assert(claim) ((void)0)
#else
#define assert(claim) ((claim) ? (void)0 : __assert_fail(#claim, __FILE__, __LINE__, __func__))
#endif
#ifndef _ASSERT_H
#define _ASSERT_H
#define static_assert _Static_assert
void __assert_fail(const char *claim, const char *file, int line, const char *function) __attribute__((noreturn));
#endif
