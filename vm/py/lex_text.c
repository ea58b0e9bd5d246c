// lex_text.c: the tokens with contents: strings in all their forms, numbers; and the UTF-8 rules.
#include "vm/py/compile.h"

#include <stdlib.h>

// Length of the valid UTF-8 sequence at s (at most `left` bytes), 0 if there is none: no overlong forms, no
// surrogates.
static u32 utf8_len(const u8 *s, size_t left)
{
    if (s[0] < 0x80) return 1;
    u32 n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || left < n) return 0;
    for (u32 i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool is_overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool is_surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool is_too_large = s[0] == 0xf4 && s[1] >= 0x90;
    return is_overlong || is_surrogate || is_too_large ? 0 : n;
}

bool py_utf8_check(const char *s, size_t len, size_t *bad_at)
{
    for (size_t i = 0; i < len;) {
        u32 n = utf8_len((const u8 *)s + i, len - i);
        if (!n) {
            *bad_at = i;
            return false;
        }
        i += n;
    }
    return true;
}

static u32 utf8_encode(u32 c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    u32 n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (u32 i = n; --i; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((0xf00 >> n) | c);
    return n;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static u32 hex_escape(Py *py, u32 at, u32 limit, u32 n_digits)
{
    u32 v = 0;
    for (u32 i = 0; i < n_digits; i++) {
        int d = at + 2 + i < limit ? hex_digit(py->src[at + 2 + i]) : -1;
        if (d < 0) py_fail(py, at, NULL, "'\\%c' needs %u hexadecimal digits", py->src[at + 1], n_digits);
        v = v << 4 | (u32)d;
    }
    return v;
}

u32 py_decode_escape(Py *py, u32 *pos, u32 limit, bool is_bytes, char *out)
{
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    u32 at = *pos;
    char c = py->src[at + 1];
    *pos = at + 2;
    if (c == '\n') return 0;
    if (c == '\r') {
        if (py->src[at + 2] == '\n') ++*pos;
        return 0;
    }
    const char *simple = strchr(from, c);
    if (simple && c) {
        out[0] = to[simple - from];
        return 1;
    }
    u32 v = 0;
    if (c >= '0' && c <= '7') {
        u32 n = 0;
        for (; n < 3 && at + 1 + n < limit && py->src[at + 1 + n] >= '0' && py->src[at + 1 + n] <= '7'; n++)
            v = v * 8 + (u32)(py->src[at + 1 + n] - '0');
        *pos = at + 1 + n;
    } else if (c == 'x' || (!is_bytes && (c == 'u' || c == 'U'))) {
        u32 n = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        v = hex_escape(py, at, limit, n);
        *pos = at + 2 + n;
    } else if (c == 'N' && !is_bytes) {
        py_fail(py, at, "write the character itself, or its number as \\uXXXX",
                "\\N{name} escapes are not supported here");
    } else {
        out[0] = '\\'; // an unknown escape stands for itself
        *pos = at + 1;
        return 1;
    }
    if (is_bytes) {
        out[0] = (char)v;
        return 1;
    }
    if (v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
        py_fail(py, at, NULL, "not a Unicode character: U+%04X", v);
    return utf8_encode(v, out);
}

// ---- strings ----

// Finds the closing quotes; returns the offset of the first of them and leaves the lexer's line at its line.
static u32 find_string_end(Py *py, const Token *t, u32 from, char quote, u32 n_quotes)
{
    Lexer *lx = &py->lex;
    for (u32 i = from; i < lx->end; i++) {
        char c = py->src[i];
        bool is_eol = c == '\n' || c == '\r';
        if (is_eol && n_quotes == 1) break;
        if (c == '\n' || (c == '\r' && py->src[i + 1] != '\n')) lx->line++;
        if (c == '\\' && i + 1 < lx->end) {
            i++;
            if (py->src[i] == '\r' && py->src[i + 1] == '\n') i++;
            if (py->src[i] == '\n' || py->src[i] == '\r') lx->line++;
        } else if (c == quote && (n_quotes == 1 ||
                                  (i + 2 < lx->end && py->src[i + 1] == quote && py->src[i + 2] == quote))) {
            return i;
        }
    }
    if (n_quotes == 3) py_fail(py, t->at, NULL, "this triple-quoted string is never closed");
    py_fail(py, t->at, "close it on the same line, or use three quotes for several lines",
            "this string is not closed");
}

static void decode(Py *py, Token *t, u32 from, u32 end)
{
    char *out = arena_alloc(&py->arena, end - from + 1);
    u32 n = 0;
    for (u32 i = from; i < end;) {
        char c = py->src[i];
        if (c == '\\' && !t->is_raw) {
            n += py_decode_escape(py, &i, end, t->is_bytes, out + n);
        } else if (c == '\r') {
            if (py->src[i + 1] != '\n') out[n++] = '\n'; // else the \n that follows stands for both
            i++;
        } else {
            if (t->is_bytes && (u8)c >= 0x80)
                py_fail(py, i, "write it as \\x escapes", "bytes can only contain ASCII characters");
            out[n++] = c;
            i++;
        }
    }
    t->text = out;
    t->len = n;
}

void py_lex_string(Py *py, Token *t, u32 prefix_len)
{
    Lexer *lx = &py->lex;
    bool is_format = false, is_unicode = false;
    for (u32 i = 0; i < prefix_len; i++) {
        char c = (char)(py->src[t->at + i] | 0x20);
        if (c == 'r')
            t->is_raw = true;
        else if (c == 'b')
            t->is_bytes = true;
        else if (c == 'f')
            is_format = true;
        else
            is_unicode = true;
    }
    bool is_twice = prefix_len == 2 && (py->src[t->at] | 0x20) == (py->src[t->at + 1] | 0x20);
    if (is_twice || (is_unicode && prefix_len > 1) || (is_format && t->is_bytes))
        py_fail(py, t->at, NULL, "'%.2s' is not a string prefix", py->src + t->at);
    u32 from = t->at + prefix_len;
    char quote = py->src[from];
    u32 n_quotes = from + 2 < lx->end && py->src[from + 1] == quote && py->src[from + 2] == quote ? 3 : 1;
    from += n_quotes;
    u32 end = find_string_end(py, t, from, quote, n_quotes);
    lx->pos = t->end = end + n_quotes;
    t->kind = is_format ? TOK_FSTRING : TOK_STRING;
    if (is_format) {
        t->text = py->src + from;
        t->len = end - from;
    } else {
        decode(py, t, from, end);
    }
}

// ---- numbers ----

// Digits of the base with single underscores between them, copied without these; returns the offset behind.
static u32 copy_digits(Py *py, u32 at, u32 base, char *out, u32 *n)
{
    for (;; at++) {
        char c = py->src[at];
        int d = hex_digit(c);
        bool is_digit = at < py->lex.end && d >= 0 && d < (int)base;
        if (is_digit) out[(*n)++] = c;
        if (is_digit) continue;
        bool is_between = c == '_' && *n && hex_digit(py->src[at - 1]) >= 0 &&
                          hex_digit(py->src[at + 1]) >= 0 && hex_digit(py->src[at + 1]) < (int)base;
        if (!is_between) return at;
    }
}

// A literal in base 2, 8 or 16, of any size, to decimal digits: repeated multiply-and-add on base 10^9 words.
static Node *radix_literal(Py *py, const Token *t, const char *digits, u32 n, u32 base)
{
    if (n > 4000)
        py_fail(py, t->at, NULL, "integer literals of more than 4000 digits are not supported here");
    u32 words[2048];
    u32 n_words = 0;
    for (u32 i = 0; i < n; i++) {
        u64 carry = (u64)hex_digit(digits[i]);
        for (u32 w = 0; w < n_words; w++) {
            u64 v = (u64)words[w] * base + carry;
            words[w] = (u32)(v % 1000000000);
            carry = v / 1000000000;
        }
        if (carry) words[n_words++] = (u32)carry;
    }
    if (!n_words) return py_int_node(py, 0, t->line, t->at);
    char *text = arena_alloc(&py->arena, n_words * 9 + 1);
    u32 len = (u32)sprintf(text, "%u", words[n_words - 1]);
    for (u32 w = n_words - 1; w-- > 0;)
        len += (u32)sprintf(text + len, "%09u", words[w]);
    return py_big_int_node(py, text, len, t->line, t->at);
}

static bool is_word_char(char c)
{
    return hex_digit(c) >= 0 || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_';
}

static Node *decimal_literal(Py *py, Token *t, char *text)
{
    u32 n = 0, at = copy_digits(py, t->at, 10, text, &n);
    bool is_float = false;
    if (py->src[at] == '.' && at < py->lex.end) {
        is_float = true;
        text[n++] = '.';
        at = copy_digits(py, at + 1, 10, text, &n);
    }
    u32 exponent = at + 1 + (py->src[at + 1] == '+' || py->src[at + 1] == '-');
    if ((py->src[at] == 'e' || py->src[at] == 'E') && py->src[exponent] >= '0' && py->src[exponent] <= '9') {
        is_float = true;
        for (; at < exponent; at++)
            text[n++] = py->src[at];
        at = copy_digits(py, at, 10, text, &n);
    }
    text[n] = 0;
    t->end = at;
    if (py->src[at] == 'j' || py->src[at] == 'J') {
        t->end++;
        return py_float_node(py, strtod(text, NULL), PY_OBJ_COMPLEX, t->line, t->at);
    }
    if (is_float) return py_float_node(py, strtod(text, NULL), PY_OBJ_FLOAT, t->line, t->at);
    u32 zeros = 0;
    while (zeros + 1 < n && text[zeros] == '0')
        zeros++;
    if (zeros && text[zeros] != '0')
        py_fail(py, t->at, "write 0o17 for an octal number",
                "leading zeros are not permitted in decimal integers");
    return py_big_int_node(py, text + zeros, n - zeros, t->line, t->at);
}

void py_lex_number(Py *py, Token *t)
{
    t->kind = TOK_NUMBER;
    u32 stop = t->at;
    while (stop < py->lex.end && (is_word_char(py->src[stop]) || strchr(".+-", py->src[stop])))
        stop++;
    char *text = arena_alloc(&py->arena, stop - t->at + 8);
    char letter = py->src[t->at] == '0' ? (char)(py->src[t->at + 1] | 0x20) : 0;
    u32 base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base == 10) {
        t->value = decimal_literal(py, t, text);
    } else {
        u32 n = 0, from = t->at + 2 + (py->src[t->at + 2] == '_');
        t->end = copy_digits(py, from, base, text, &n);
        if (!n) py_fail(py, t->at, NULL, "'%.2s' needs digits", py->src + t->at);
        t->value = radix_literal(py, t, text, n, base);
    }
    if (t->end < py->lex.end && is_word_char(py->src[t->end]))
        py_fail(py, t->end, "a name cannot start with a digit", "invalid character in a number");
    py->lex.pos = t->end;
}
