// print.c: text out: to the standard streams, to growing buffers; the small formatter of messages.
//
// Standard output is collected and written at each line's end, so that what a program printed is seen when it stops.
#include "vm.h"

#include <string.h>
#include <unistd.h>

enum { OUT_BYTES = 1024 };
static char out_buffer[OUT_BYTES];
static size_t out_n;

static void write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done <= 0) return; // nobody reads: go on silently, as the output is lost anyway
        text += done;
        n -= (size_t)done;
    }
}

void port_flush(void)
{
    size_t n = out_n;
    out_n = 0;
    if (n > 0) write_all(1, out_buffer, n);
}

static void write_stdout(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    if (n > OUT_BYTES - out_n) port_flush();
    if (n > OUT_BYTES) {
        write_all(1, text, n);
        return;
    }
    memcpy(out_buffer + out_n, text, n);
    out_n += n;
    if (n > 0 && text[n - 1] == '\n') port_flush();
}

static void write_stderr(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    port_flush();
    write_all(2, text, n);
}

const Print print_stdout = {NULL, write_stdout};
const Print print_stderr = {NULL, write_stderr};

void print_text(const Print *p, const char *text) { p->write(p->ctx, text, strlen(text)); }

void print_int(const Print *p, i64 v)
{
    char text[24], *at = text + sizeof text;
    u64 rest = v < 0 ? 0 - (u64)v : (u64)v;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (v < 0) *--at = '-';
    p->write(p->ctx, at, (size_t)(text + sizeof text - at));
}

static void print_qstr(const Print *p, Qstr q)
{
    size_t n;
    const u8 *text = qstr_data(q, &n);
    p->write(p->ctx, (const char *)text, n);
}

void print_vformat(const Print *p, const char *f, va_list ap)
{
    while (*f) {
        const char *plain = f;
        while (*f && *f != '%') f++;
        if (f > plain) p->write(p->ctx, plain, (size_t)(f - plain));
        if (!*f) return;
        char kind = f[1];
        f += 2;
        switch (kind) {
        case 's': print_text(p, va_arg(ap, const char *)); break;
        case 'd': print_int(p, va_arg(ap, int)); break;
        case 'l': // %ld
            print_int(p, va_arg(ap, i64));
            f++;
            break;
        case 'c': {
            char c = (char)va_arg(ap, int);
            p->write(p->ctx, &c, 1);
            break;
        }
        case 'q': print_qstr(p, va_arg(ap, Qstr)); break;
        case 't': print_qstr(p, obj_type(va_arg(ap, Obj))->name); break;
        case 'r': print_obj(p, va_arg(ap, Obj), PRINT_REPR); break;
        case 'o': print_obj(p, va_arg(ap, Obj), PRINT_STR); break;
        default: p->write(p->ctx, &kind, 1); break; // %%
        }
    }
}

void print_format(const Print *p, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    print_vformat(p, format, ap);
    va_end(ap);
}

// ---- Growing buffers -----------------------------------------------------------------------------------------------------

void vstr_init(Vstr *v, size_t n_alloc)
{
    v->n = 0;
    v->n_alloc = n_alloc;
    v->data = mem_alloc(n_alloc);
}

static u8 *vstr_room(Vstr *v, size_t n)
{
    if (v->n + n > v->n_alloc) {
        size_t n_alloc = (v->n + n) + (v->n + n) / 2 + 16;
        v->data = mem_realloc(v->data, n_alloc);
        v->n_alloc = n_alloc;
    }
    u8 *at = v->data + v->n;
    v->n += n;
    return at;
}

void vstr_add(Vstr *v, const char *text, size_t n)
{
    if (n > 0) memcpy(vstr_room(v, n), text, n);
}

void vstr_add_char(Vstr *v, char c) { *vstr_room(v, 1) = (u8)c; }

void vstr_pad(Vstr *v, char c, size_t n)
{
    if (n > 0) memset(vstr_room(v, n), (u8)c, n);
}

size_t utf8_put(char *to, u32 c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

void vstr_add_code_point(Vstr *v, u32 c)
{
    char bytes[4];
    vstr_add(v, bytes, utf8_put(bytes, c));
}

static void write_vstr(void *ctx, const char *text, size_t n) { vstr_add(ctx, text, n); }

Print vstr_print(Vstr *v) { return (Print){v, write_vstr}; }

// ---- Objects -------------------------------------------------------------------------------------------------------------

void print_obj(const Print *p, Obj o, PrintKind kind)
{
    Print copy = *p;
    stack_check();
    obj_type(o)->print(&copy, o, kind);
}

Obj obj_str_kind(Obj o, PrintKind kind)
{
    if (kind == PRINT_STR && obj_is_str(o)) return o;
    Vstr v;
    vstr_init(&v, 16);
    Print p = vstr_print(&v);
    print_obj(&p, o, kind);
    return vstr_take(&v);
}

Obj obj_repr(Obj o) { return obj_str_kind(o, PRINT_REPR); }
Obj obj_to_str(Obj o) { return obj_str_kind(o, PRINT_STR); }

static bool is_printable(u32 c)
{
    return c >= 0xa1 && c != 0xad && !(c >= 0x2028 && c <= 0x202e) && !(c >= 0xd800 && c < 0xf900) && c != 0xfeff &&
           !(c >= 0x2000 && c <= 0x200f) && !(c >= 0xfff0 && c < 0xfffc) && c < 0xe0000;
}

// A str as repr shows it: single quotes unless the text has only single ones.
void print_quoted(const Print *p, const u8 *s, size_t n)
{
    const char *hex = "0123456789abcdef";
    char quote = memchr(s, '\'', n) && !memchr(s, '"', n) ? '"' : '\'';
    p->write(p->ctx, &quote, 1);
    for (const u8 *end = s + n; s < end;) {
        u32 c;
        size_t n_bytes = utf8_next(s, &c);
        char text[12];
        size_t n_text = 2;
        text[0] = '\\';
        if (c == (u32)quote || c == '\\') text[1] = (char)c;
        else if (c == '\n') text[1] = 'n';
        else if (c == '\r') text[1] = 'r';
        else if (c == '\t') text[1] = 't';
        else if ((c >= ' ' && c < 0x7f) || (c > 0x7f && is_printable(c))) {
            memcpy(text, s, n_bytes);
            n_text = n_bytes;
        } else {
            int n_digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
            text[1] = n_digits == 2 ? 'x' : n_digits == 4 ? 'u' : 'U';
            for (int i = 0; i < n_digits; i++) text[2 + i] = hex[c >> (4 * (n_digits - 1 - i)) & 15];
            n_text = 2 + (size_t)n_digits;
        }
        p->write(p->ctx, text, n_text);
        s += n_bytes;
    }
    p->write(p->ctx, &quote, 1);
}
