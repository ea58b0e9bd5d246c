// printf.c: formatted output to a stream or a buffer; see stdio.h for the conversions.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#ifdef __CHERI_PURE_CAPABILITY__
#include <cheriintrin.h>
#endif

// Where the text goes: a stream, or a buffer that may be too small (n_total counts on).
typedef struct Out {
    FILE *f;
    char *to;
    size_t size, n_total;
} Out;

typedef struct Spec {
    int left, plus, space, zero, alternate, upper;
    int width, precision; // precision -1: none given
} Spec;

static void put(Out *o, const char *s, size_t n)
{
    if (o->f) fwrite(s, 1, n, o->f);
    else {
        for (size_t i = 0; i < n; i++) {
            if (o->n_total + i + 1 < o->size) o->to[o->n_total + i] = s[i];
        }
    }
    o->n_total += n;
}

static void put_repeated(Out *o, char c, int n)
{
    for (; n > 0; n--) put(o, &c, 1);
}

// prefix (sign, 0x) + body, padded to the width; zeros go between the two.
static void put_padded(Out *o, const Spec *s, const char *prefix, const char *body, size_t n_body, int n_zeros)
{
    int n_prefix = (int)strlen(prefix);
    int pad = s->width - n_prefix - n_zeros - (int)n_body;
    if (!s->left && !s->zero) put_repeated(o, ' ', pad);
    put(o, prefix, (size_t)n_prefix);
    if (!s->left && s->zero) put_repeated(o, '0', pad);
    put_repeated(o, '0', n_zeros);
    put(o, body, n_body);
    if (s->left) put_repeated(o, ' ', pad);
}

static char *digits_before(char *end, unsigned long value, unsigned base, int upper)
{
    const char *letters = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    do {
        *--end = letters[value % base];
        value /= base;
    } while (value != 0);
    return end;
}

static void put_number(Out *o, Spec *s, unsigned long value, unsigned base, const char *prefix)
{
    char text[24], *end = text + sizeof text;
    char *start = value == 0 && s->precision == 0 ? end : digits_before(end, value, base, s->upper);
    size_t n = (size_t)(end - start);
    int n_zeros = s->precision > (int)n ? s->precision - (int)n : 0;
    if (s->precision >= 0) s->zero = 0;
    put_padded(o, s, prefix, start, n, n_zeros);
}

static void put_signed(Out *o, Spec *s, long value)
{
    const char *prefix = value < 0 ? "-" : s->plus ? "+" : s->space ? " " : "";
    put_number(o, s, value < 0 ? 0 - (unsigned long)value : (unsigned long)value, 10, prefix);
}

#ifdef __CHERI_PURE_CAPABILITY__
// [rwRW,0xBASE-0xTOP] (invalid,sealed)
static void put_capability(Out *o, void *p)
{
    static const struct {
        char letter;
        cheri_perms_t bit;
    } perms[] = {{'r', CHERI_PERM_LOAD},     {'w', CHERI_PERM_STORE},     {'x', CHERI_PERM_EXECUTE},
                 {'R', CHERI_PERM_LOAD_CAP}, {'W', CHERI_PERM_STORE_CAP}, {'E', ARM_CAP_PERMISSION_EXECUTIVE}};
    Spec hex = {.precision = -1};
    put_number(o, &hex, cheri_address_get(p), 16, "0x");
    if (cheri_is_equal_exact(p, (void *)(uintptr_t)cheri_address_get(p))) return; // null-derived
    put(o, " [", 2);
    for (size_t i = 0; i < sizeof perms / sizeof perms[0]; i++) {
        if (cheri_perms_get(p) & perms[i].bit) put(o, &perms[i].letter, 1);
    }
    put(o, ",", 1);
    put_number(o, &hex, cheri_base_get(p), 16, "0x");
    put(o, "-", 1);
    put_number(o, &hex, cheri_base_get(p) + cheri_length_get(p), 16, "0x");
    put(o, "]", 1);
    const char *sealed = !cheri_is_sealed(p) ? "" : cheri_is_sentry(p) ? "sentry" : "sealed";
    const char *invalid = cheri_tag_get(p) ? "" : "invalid";
    if (!*sealed && !*invalid) return;
    put(o, " (", 2);
    put(o, invalid, strlen(invalid));
    if (*sealed && *invalid) put(o, ",", 1);
    put(o, sealed, strlen(sealed));
    put(o, ")", 1);
}
#endif

static void put_pointer(Out *o, Spec *s, void *p)
{
#ifdef __CHERI_PURE_CAPABILITY__
    if (s->alternate) {
        put_capability(o, p);
        return;
    }
#endif
    put_number(o, s, address_of(p), 16, "0x");
}

static const char *parse_flags(const char *f, Spec *s)
{
    for (;; f++) {
        if (*f == '-') s->left = 1;
        else if (*f == '+') s->plus = 1;
        else if (*f == ' ') s->space = 1;
        else if (*f == '0') s->zero = 1;
        else if (*f == '#') s->alternate = 1;
        else return f;
    }
}

static const char *parse_count(const char *f, int *out)
{
    int n = 0;
    for (; *f >= '0' && *f <= '9'; f++) n = n < 100000 ? n * 10 + (*f - '0') : n;
    *out = n;
    return f;
}

// hh -2, h -1, none 0, l/ll/z/t/j 1
static const char *parse_length(const char *f, int *length)
{
    *length = 0;
    for (;; f++) {
        if (*f == 'h') (*length)--;
        else if (*f == 'l' || *f == 'z' || *f == 't' || *f == 'j') *length = 1;
        else return f;
    }
}

static unsigned long narrow(unsigned long value, int length)
{
    if (length == 1) return value;
    if (length == -1) return (unsigned short)value;
    if (length == -2) return (unsigned char)value;
    return (unsigned)value;
}

static void put_string(Out *o, Spec *s, const char *text)
{
    if (!text) text = "(null)";
    size_t n = s->precision >= 0 ? strnlen(text, (size_t)s->precision) : strlen(text);
    s->zero = 0;
    put_padded(o, s, "", text, n, 0);
}

static void format(Out *o, const char *f, va_list *ap)
{
    while (*f) {
        const char *plain = f;
        while (*f && *f != '%') f++;
        if (f > plain) put(o, plain, (size_t)(f - plain));
        if (!*f) return;
        Spec s = {.precision = -1};
        int length;
        f = parse_flags(f + 1, &s);
        if (*f == '*') {
            s.width = va_arg(*ap, int);
            if (s.width < 0) s.left = 1, s.width = -s.width;
            f++;
        } else f = parse_count(f, &s.width);
        if (*f == '.') {
            if (f[1] == '*') s.precision = va_arg(*ap, int), f += 2;
            else f = parse_count(f + 1, &s.precision);
        }
        f = parse_length(f, &length);
        char c = *f ? *f++ : '%';
        if (c == 'd' || c == 'i') {
            long v = length == 1 ? va_arg(*ap, long) : va_arg(*ap, int);
            put_signed(o, &s, length == -1 ? (short)v : length == -2 ? (signed char)v : v);
        } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            unsigned long v = length == 1 ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned);
            s.upper = c == 'X';
            const char *prefix = !s.alternate || v == 0 ? "" : c == 'x' ? "0x" : c == 'X' ? "0X" : c == 'o' ? "0" : "";
            put_number(o, &s, narrow(v, length), c == 'u' ? 10 : c == 'o' ? 8 : 16, prefix);
        } else if (c == 'c') {
            char byte = (char)va_arg(*ap, int);
            s.zero = 0;
            put_padded(o, &s, "", &byte, 1, 0);
        } else if (c == 's') put_string(o, &s, va_arg(*ap, const char *));
        else if (c == 'p') put_pointer(o, &s, va_arg(*ap, void *));
        else if (c == '%') put(o, "%", 1);
        else __fatal("printf: conversion not in this library\n");
    }
}

int vfprintf(FILE *f, const char *text, va_list ap)
{
    Out o = {.f = f};
    va_list copy;
    va_copy(copy, ap);
    format(&o, text, &copy);
    va_end(copy);
    return (int)o.n_total;
}

int vsnprintf(char *to, size_t size, const char *text, va_list ap)
{
    Out o = {.to = to, .size = size};
    va_list copy;
    va_copy(copy, ap);
    format(&o, text, &copy);
    va_end(copy);
    if (size > 0) to[o.n_total < size ? o.n_total : size - 1] = 0;
    return (int)o.n_total;
}

int vprintf(const char *text, va_list ap) { return vfprintf(stdout, text, ap); }

int printf(const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    int n = vfprintf(stdout, text, ap);
    va_end(ap);
    return n;
}

int fprintf(FILE *f, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    int n = vfprintf(f, text, ap);
    va_end(ap);
    return n;
}

int snprintf(char *to, size_t size, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    int n = vsnprintf(to, size, text, ap);
    va_end(ap);
    return n;
}

int sprintf(char *to, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    int n = vsnprintf(to, (size_t)1 << 30, text, ap);
    va_end(ap);
    return n;
}
