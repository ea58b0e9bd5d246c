// parse_fstring.c: adjacent strings become one; an f-string becomes a call of format:
//
//     f"{x!r:>{w}} {y=}" "{}"   →   "{!r:>{}} y={!r} {{}}".format(x, w, y)
#include "vm/py/compile.h"

typedef struct Format {
    char *text; // of the format string
    u32 len;
    u32 depth; // of nested format specs
    u32 line;  // where the literal ends: its fields count to that line
} Format;

static void add(Format *f, const char *s, u32 n)
{
    memcpy(f->text + f->len, s, n);
    f->len += n;
}

// The end of the expression that starts at `from`: the '}', ':', '!' or '=' that belongs to no bracket or
// string of it.
static u32 expression_end(Py *py, u32 from, u32 limit)
{
    u32 depth = 0;
    for (u32 i = from; i < limit; i++) {
        char c = py->src[i], next = i + 1 < limit ? py->src[i + 1] : 0;
        if (c == '\\')
            py_fail(py, i, "give the value a name first",
                    "a backslash in an f-string's expression is not supported here");
        if (c == '#') py_fail(py, i, NULL, "an f-string's expression cannot contain '#'");
        if (c == '\'' || c == '"') {
            u32 close = i + 1;
            while (close < limit && py->src[close] != c)
                close++;
            if (close == limit) py_fail(py, i, NULL, "this string inside an f-string is not closed");
            i = close;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (depth && (c == ')' || c == ']' || c == '}')) {
            depth--;
        } else if (!depth && (c == '}' || c == ':')) {
            return i;
        } else if (!depth && (c == '!' || c == '=' || c == '<' || c == '>') && next == '=') {
            i++;
        } else if (!depth && (c == '!' || c == '=')) {
            return i;
        }
    }
    return limit;
}

// Parses source bytes from..end as an expression, with a lexer of its own.
static Node *parse_part(Py *py, u32 from, u32 end, u32 line)
{
    u32 first = from;
    while (first < end && strchr(" \t\r\n", py->src[first]))
        first++;
    if (first == end)
        py_fail(py, from, "write {{ for the character {", "an f-string needs an expression between { and }");
    Lexer saved = py->lex;
    Token saved_tok = py->tok;
    py->lex = (Lexer){.pos = from, .end = end, .line = line, .is_nested = true, .last = TOK_NEWLINE};
    py_next(py);
    Node *n = py->tok.kind == KW_YIELD ? py_parse_yield(py) : py_parse_test_list(py, true);
    if (py->tok.kind != TOK_END) py_unexpected(py);
    py->lex = saved;
    py->tok = saved_tok;
    return n;
}

static u32 parse_text(Py *py, Format *f, u32 i, u32 limit, bool is_raw);

// One {…}: i is behind the '{'. Returns the offset behind the '}'.
static u32 parse_field(Py *py, Format *f, u32 i, u32 limit, bool is_raw)
{
    u32 open = i - 1, end = expression_end(py, i, limit);
    if (end == limit) py_fail(py, open, "write {{ for the character {", "'{' in an f-string is not closed");
    Node *value = parse_part(py, i, end, f->line);
    vec_push(&py->stack, value);
    bool is_debug = py->src[end] == '=';
    if (is_debug) {
        add(f, py->src + i, end + 1 - i);
        end++;
        while (end < limit && py->src[end] == ' ')
            end++;
    }
    add(f, "{", 1);
    if (end + 1 < limit && py->src[end] == '!') {
        if (!strchr("rs", py->src[end + 1]))
            py_fail(py, end, "use !r or !s", "this conversion is not supported here");
        add(f, py->src + end, 2);
        end += 2;
    } else if (is_debug && end < limit && py->src[end] == '}') {
        add(f, "!r", 2);
    }
    if (end < limit && py->src[end] == ':') {
        if (++f->depth > 2) py_fail(py, end, NULL, "format specs nested too deeply");
        add(f, ":", 1);
        end = parse_text(py, f, end + 1, limit, is_raw);
        f->depth--;
    }
    if (end >= limit || py->src[end] != '}') py_fail(py, open, NULL, "expected '}' in an f-string");
    add(f, "}", 1);
    return end + 1;
}

// Text and fields up to limit, or in a format spec up to its '}'.
static u32 parse_text(Py *py, Format *f, u32 i, u32 limit, bool is_raw)
{
    while (i < limit) {
        char c = py->src[i], next = i + 1 < limit ? py->src[i + 1] : 0;
        if (c == '{' && next == '{' && !f->depth) {
            add(f, "{{", 2);
            i += 2;
        } else if (c == '{') {
            i = parse_field(py, f, i + 1, limit, is_raw);
        } else if (c == '}') {
            if (f->depth) return i;
            if (next != '}') py_fail(py, i, "write }} for the character }", "single '}' in an f-string");
            add(f, "}}", 2);
            i += 2;
        } else if (c == '\\' && !is_raw) {
            f->len += py_decode_escape(py, &i, limit, false, f->text + f->len);
        } else {
            if (c == '\r' && next == '\n') i++, c = '\n';
            add(f, &c, 1);
            i++;
        }
    }
    return i;
}

static void add_plain(Format *f, const Token *t, bool is_format)
{
    for (u32 i = 0; i < t->len; i++) {
        if (is_format && (t->text[i] == '{' || t->text[i] == '}')) add(f, &t->text[i], 1);
        add(f, &t->text[i], 1);
    }
}

Node *py_parse_strings(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    bool is_bytes = py->tok.is_bytes, is_format = false;
    u32 end_line = line;
    size_t total = 0;
    // Collected in the arena as a list, since an error may unwind from the middle.
    Token *list = NULL;
    u32 n = 0, cap = 0;
    for (; py->tok.kind == TOK_STRING || py->tok.kind == TOK_FSTRING; py_next(py)) {
        if (py->tok.is_bytes != is_bytes)
            py_fail(py, py->tok.at, NULL, "bytes and text cannot be joined in one literal");
        if (n == cap) {
            cap = cap ? cap * 2 : 4;
            Token *bigger = arena_array(&py->arena, Token, cap);
            if (n) memcpy(bigger, list, n * sizeof *list);
            list = bigger;
        }
        list[n++] = py->tok;
        total += py->tok.len;
        end_line = py->lex.line;
        is_format |= py->tok.kind == TOK_FSTRING;
    }
    if (n == 1 && !is_format) return py_string_node(py, list[0].text, list[0].len, is_bytes, line, at);
    Format f = {.text = arena_alloc(&py->arena, total * 3 + 1), .line = end_line};
    for (u32 i = 0; i < n; i++) {
        if (list[i].kind == TOK_STRING) {
            add_plain(&f, &list[i], is_format);
        } else {
            u32 from = (u32)(list[i].text - py->src);
            parse_text(py, &f, from, from + list[i].len, list[i].is_raw);
        }
    }
    Node *text = py_string_node(py, f.text, f.len, is_bytes, line, at);
    if (!is_format) return text;
    Node *kids[3] = {text};
    kids[2] = py_node_from_stack(py, N_CALL, line, at, mark);
    kids[1] = py_node(py, N_ATTRIBUTE, line, at);
    kids[1]->name = py_static(py, PY_QSTR_format);
    return py_node_kids(py, N_POSTFIX, line, at, 3, kids);
}
