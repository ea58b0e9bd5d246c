// captext.c: a capability in few characters: permissions, and where its address stands in its bounds.
#include "ui/view/model.h"

#include <stdio.h>

void view_cap_perms(Cap c, char out[8])
{
    int n = 0;
    u32 perms = cap_perms(c);
#define X(bit, name, letter)                                                                                 \
    if ((letter) && n < 7) out[n++] = (perms & CAP_PERM_##name) ? (char)(letter) : '-';
    CAP_PERMS(X)
#undef X
    out[n] = 0;
}

// Exact below a million; else rounded down with K, M, G (the selected register is shown in full).
static const char *short_count(i64 n, char out[24])
{
    static const char unit[] = "KMGT";
    u64 a = n < 0 ? 0 - (u64)n : (u64)n;
    if (a < 1000000) {
        snprintf(out, 24, "%llu", (unsigned long long)a);
        return out;
    }
    int u = 0;
    for (a /= 1024; a >= 10000 && u < 3; u++) a /= 1024;
    snprintf(out, 24, "%llu%c", (unsigned long long)a, unit[u]);
    return out;
}

void view_cap_place(const ViewModel *v, Cap c, char *out, size_t size)
{
    CapBounds b = cap_bounds(c);
    u64 len = cap_length_saturated(b);
    i64 off = (i64)(c.value - b.base);
    bool is_in = cap_in_bounds(b, c.value, 1);
    char symbol[80];
    // Code has the bounds of the whole program: the function says more.
    bool is_code = is_in && (cap_perms(c) & CAP_PERM_EXECUTE) && view_symbol_text(v, c.value & ~1ULL, symbol, sizeof symbol);
    if (cap_is_sealed(c)) {
        snprintf(out, size, "%s %s", cap_otype(c) == CAP_OTYPE_RB ? "sentry" : "sealed", is_code ? symbol : "");
    } else if (len >= 1ULL << 48) {
        snprintf(out, size, "everywhere");
    } else if (is_code) {
        snprintf(out, size, "%s", symbol);
    } else {
        char n1[24], n2[24];
        snprintf(out, size, "%c%s/%s%s", off < 0 ? '-' : '+', short_count(off, n1), short_count((i64)len, n2), is_in ? "" : " OUT");
    }
}

void view_put_cap(ViewGrid *g, ViewArea a, int y, const char *name, Cap c)
{
    char text[160];
    cap_format(c, text, sizeof text);
    const char *bounds = strchr(text, '['), *end = bounds ? strchr(bounds, ']') : NULL;
    if (!end || (int)(strlen(name) + 1 + strlen(text)) <= a.w) {
        view_put(g, a, 0, y, VIEW_BOLD, "%s %s", name, text);
        return;
    }
    view_put(g, a, 0, y, VIEW_BOLD, "%s %.*s%s", name, (int)(bounds - text), text, end[1] ? end + 2 : "");
    view_put(g, a, (int)strlen(name) + 1, y + 1, VIEW_BOLD, "%.*s", (int)(end + 1 - bounds), bounds);
}
