// err.c: filling and printing user errors.
#include "base/err.h"

#include <stdarg.h>

static void copy_source_line(Err *err, const char *line)
{
    size_t n = 0;
    while (line && line[n] && line[n] != '\n' && line[n] != '\r' && n < sizeof err->source - 1) {
        unsigned char c = (unsigned char)line[n];
        err->source[n] = (char)((c < 0x20 && c != '\t') || c == 0x7f ? '?' : c);
        n++;
    }
    err->source[n] = 0;
}

PRINTF_LIKE(5, 0)
static void fill(Err *err, int status, SrcPos pos, const char *source_line, const char *fmt, va_list ap)
{
    if (err->is_set) return;
    *err = (Err){.is_set = true, .status = status, .line = pos.line, .col = pos.col};
    snprintf(err->file, sizeof err->file, "%s", pos.file ? pos.file : "");
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    copy_source_line(err, source_line);
}

bool err_at(Err *err, int status, SrcPos pos, const char *source_line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, status, pos, source_line, fmt, ap);
    va_end(ap);
    return false;
}

bool err_set(Err *err, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, status, (SrcPos){0}, NULL, fmt, ap);
    va_end(ap);
    return false;
}

void err_hint(Err *err, const char *fmt, ...)
{
    if (err->hint[0]) return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->hint, sizeof err->hint, fmt, ap);
    va_end(ap);
}

// The caret line: the source up to the column with everything but tabs made blank, so that it lines up.
static void format_caret(const Err *err, char *out, size_t size)
{
    char blank[sizeof err->source];
    u32 n = 0;
    for (; n + 1 < err->col && err->source[n]; n++) blank[n] = err->source[n] == '\t' ? '\t' : ' ';
    blank[n] = 0;
    snprintf(out, size, "%5u | %s\n      | %s^\n", err->line, err->source, blank);
}

void err_format(const Err *err, char *out, size_t size)
{
    char where[320] = "", caret[600] = "";
    if (err->file[0] && err->line && err->col)
        snprintf(where, sizeof where, "%s:%u:%u: ", err->file, err->line, err->col);
    else if (err->file[0] && err->line)
        snprintf(where, sizeof where, "%s:%u: ", err->file, err->line);
    else if (err->file[0])
        snprintf(where, sizeof where, "%s: ", err->file);
    else
        snprintf(where, sizeof where, "caplab: ");
    if (err->source[0] && err->col) format_caret(err, caret, sizeof caret);
    snprintf(out, size, "%s%s: %s\n%s%s%s%s", where, err->status ? "error" : "warning", err->text, caret, err->hint[0] ? "  hint: " : "",
             err->hint, err->hint[0] ? "\n" : "");
}

void err_print(const Err *err, FILE *to)
{
    char text[2048];
    err_format(err, text, sizeof text);
    fputs(text, to);
}
