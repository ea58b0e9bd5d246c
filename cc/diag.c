// diag.c: errors and warnings of the compiler: position, source line for the caret, hint, and the guard against
// nesting that would overflow the host's stack.
#include "cc/front.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_NESTING = 400 };

SrcPos cc_src_pos(const CcUnit *unit, CcLoc loc)
{
    if (!loc.line || loc.file >= unit->n_files) return (SrcPos){0};
    return (SrcPos){unit->files[loc.file]->name, loc.line, loc.col};
}

static const char *source_line(const CcUnit *unit, CcLoc loc)
{
    if (!loc.line || loc.file >= unit->n_files) return NULL;
    const char *p = unit->files[loc.file]->text;
    for (u32 line = 1; line < loc.line; line++) {
        p = strchr(p, '\n');
        if (!p) return NULL;
        p++;
    }
    return p;
}

PRINTF_LIKE(4, 0)
static void report(const CcUnit *unit, CcLoc loc, Err *err, const char *fmt, va_list ap)
{
    char text[sizeof err->text];
    vsnprintf(text, sizeof text, fmt, ap);
    err_at(err, CAPLAB_EX_DATA, cc_src_pos(unit, loc), source_line(unit, loc), "%s", text);
}

bool cc_err_at(const CcUnit *unit, CcLoc loc, Err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(unit, loc, err, fmt, ap);
    va_end(ap);
    return false;
}

void front_fail(Front *f, CcLoc loc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(f->unit, loc, f->err, fmt, ap);
    va_end(ap);
    longjmp(f->unwind, 1);
}

void front_fail_hint(Front *f, CcLoc loc, const char *hint, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bool was_set = f->err->is_set;
    report(f->unit, loc, f->err, fmt, ap);
    va_end(ap);
    if (!was_set) err_hint(f->err, "%s", hint);
    longjmp(f->unwind, 1);
}

void front_warn(Front *f, CcLoc loc, const char *flag, const char *fmt, ...)
{
    if (!f->opt->warn) return;
    Err warning = {0};
    va_list ap;
    va_start(ap, fmt);
    report(f->unit, loc, &warning, fmt, ap);
    va_end(ap);
    warning.status = 0;
    size_t len = strlen(warning.text);
    snprintf(warning.text + len, sizeof warning.text - len, " [-W%s]", flag);
    f->opt->warn(f->opt->ctx, &warning);
}

void front_enter(Front *f, CcLoc loc)
{
    if (++f->nesting > MAX_NESTING) front_fail(f, loc, "nested too deeply (more than %d levels)", MAX_NESTING);
}

// Edit distance of two names, given up beyond `limit`.
static u32 distance(const char *a, u32 n_a, const char *b, u32 n_b, u32 limit)
{
    u32 row[64];
    if (n_a >= ARRAY_LEN(row) || n_b >= ARRAY_LEN(row)) return limit + 1;
    for (u32 j = 0; j <= n_b; j++) row[j] = j;
    for (u32 i = 1; i <= n_a; i++) {
        u32 diagonal = row[0];
        row[0] = i;
        for (u32 j = 1; j <= n_b; j++) {
            u32 best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n_b];
}

const char *front_similar_name(Front *f, const Ident *id, bool is_tag)
{
    u32 best = id->len < 3 ? 1 : id->len < 5 ? 2 : 3; // the distance must be smaller
    const char *name = NULL;
    for (u32 i = 0; i < f->idents.cap; i++) {
        const Ident *other = f->idents.slots[i];
        if (!other || other == id || !(is_tag ? other->tag : other->binding)) continue;
        u32 d = distance(id->name, id->len, other->name, other->len, best);
        if (d < best || (d == best && name && strcmp(other->name, name) < 0)) {
            best = d;
            name = other->name;
        }
    }
    return name;
}
