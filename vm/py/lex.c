// lex.c: source bytes → tokens, with Python's lines: NEWLINE at a logical line's end, INDENT and DEDENT where
// blocks begin and end. Inside brackets, and in an f-string's braces, newlines are blanks.
//
//     if x:⏎ y⏎z   →   if x : NEWLINE INDENT y NEWLINE DEDENT z NEWLINE END
#include "vm/py/compile.h"

static const char *const texts[] = {[TOK_END] = "end of file",
                                    [TOK_NEWLINE] = "end of line",
                                    [TOK_INDENT] = "indent",
                                    [TOK_DEDENT] = "unindent",
                                    [TOK_NAME] = "name",
                                    [TOK_NUMBER] = "number",
                                    [TOK_STRING] = "string",
                                    [TOK_FSTRING] = "f-string",
#define ROW(NAME, text) [KW_##NAME] = text,
                                    PY_KEYWORDS(ROW)
#undef ROW
#define ROW(NAME, text) [TOK_##NAME] = text,
                                        PY_PUNCTUATION(ROW)
#undef ROW
};

const char *py_token_text(TokenKind kind)
{
    return texts[kind];
}

static bool is_name_start(u8 c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}
static bool is_digit(u8 c)
{
    return c >= '0' && c <= '9';
}
static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

void py_lex_start(Py *py)
{
    Lexer *lx = &py->lex;
    *lx = (Lexer){.line = 1, .end = py->src_len, .is_line_start = true, .last = TOK_NEWLINE};
    if (py->src_len >= 3 && !memcmp(py->src, "\xef\xbb\xbf", 3)) lx->pos = 3;
}

// Steps over one line end: \n, \r\n or \r.
static void skip_newline(Py *py)
{
    Lexer *lx = &py->lex;
    if (py->src[lx->pos] == '\r' && py->src[lx->pos + 1] == '\n') lx->pos++;
    lx->pos++;
    lx->line++;
}

// Blanks, comments, joined lines; newlines too where they do not count.
static void skip_blanks(Py *py)
{
    Lexer *lx = &py->lex;
    while (lx->pos < lx->end) {
        char c = py->src[lx->pos];
        if (c == ' ' || c == '\t' || c == '\f') {
            lx->pos++;
        } else if (c == '#') {
            while (lx->pos < lx->end && !is_newline(py->src[lx->pos]))
                lx->pos++;
        } else if (is_newline(c) && (lx->n_brackets || lx->is_nested)) {
            skip_newline(py);
        } else if (c == '\\') {
            if (lx->pos + 1 >= lx->end || !is_newline(py->src[lx->pos + 1]))
                py_fail(py, lx->pos, "a backslash joins two lines only as the last character of the first",
                        "unexpected character after line continuation");
            lx->pos++;
            skip_newline(py);
        } else {
            break;
        }
    }
}

// The columns of the first token of a line, tabs counted to multiples of 8, and as 1. Skips blank lines.
static void measure_indent(Py *py, u32 *col8, u32 *col1)
{
    Lexer *lx = &py->lex;
    for (;;) {
        *col8 = *col1 = 0;
        for (; lx->pos < lx->end; lx->pos++) {
            char c = py->src[lx->pos];
            if (c == ' ')
                ++*col8, ++*col1;
            else if (c == '\t')
                *col8 = (*col8 / 8 + 1) * 8, ++*col1;
            else if (c == '\f')
                *col8 = *col1 = 0;
            else
                break;
        }
        if (lx->pos >= lx->end) return;
        if (py->src[lx->pos] == '#')
            while (lx->pos < lx->end && !is_newline(py->src[lx->pos]))
                lx->pos++;
        if (lx->pos >= lx->end) return;
        if (!is_newline(py->src[lx->pos])) return;
        skip_newline(py);
    }
}

// At the start of a logical line: INDENT, or the number of DEDENTs due. True if a token came of it.
static bool lex_indent(Py *py, Token *t)
{
    Lexer *lx = &py->lex;
    u32 col8, col1;
    measure_indent(py, &col8, &col1);
    lx->is_line_start = false;
    if (lx->pos >= lx->end) col8 = col1 = 0;
    u32 top8 = lx->n_indents ? lx->indents[lx->n_indents - 1].col8 : 0;
    u32 top1 = lx->n_indents ? lx->indents[lx->n_indents - 1].col1 : 0;
    if ((col8 > top8) != (col1 > top1) || (col8 < top8) != (col1 < top1))
        py_fail(py, lx->pos, "indent with spaces only", "inconsistent use of tabs and spaces in indentation");
    *t = (Token){.at = lx->pos, .end = lx->pos, .line = lx->line};
    if (col8 > top8) {
        if (lx->n_indents == PY_MAX_INDENTS)
            py_fail(py, lx->pos, "move the inner blocks into functions", "more than %d levels of indentation",
                    PY_MAX_INDENTS);
        lx->indents[lx->n_indents].col8 = col8;
        lx->indents[lx->n_indents++].col1 = col1;
        t->kind = TOK_INDENT;
        return true;
    }
    while (lx->n_indents && lx->indents[lx->n_indents - 1].col8 > col8) {
        lx->n_indents--;
        lx->n_dedents_due++;
    }
    if ((lx->n_indents ? lx->indents[lx->n_indents - 1].col8 : 0) != col8)
        py_fail(py, lx->pos, "line it up with the block it belongs to",
                "unindent does not match any outer indentation level");
    return false;
}

// Characters that editors put where Python wants plain ones: blanks (U+00A0, U+2000..), quotes, dashes,
// full-width forms.
static void check_typography(Py *py, u32 at)
{
    const u8 *s = (const u8 *)py->src + at;
    if (s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0x98 || s[2] == 0x99 || s[2] == 0x9c || s[2] == 0x9d))
        py_fail(py, at, "use the plain quotes ' or \"", "invalid character: a typographic quote");
    if ((s[0] == 0xc2 && s[1] < 0xb0 && s[1] != 0xaa) || s[0] == 0xe2 ||
        (s[0] == 0xe3 && s[1] == 0x80 && s[2] < 0x84))
        py_fail(py, at, "delete it and type the plain character", "invalid character in a name");
}

static void lex_name(Py *py, Token *t)
{
    Lexer *lx = &py->lex;
    u32 end = t->at;
    for (; end < lx->end && (is_name_start((u8)py->src[end]) || is_digit((u8)py->src[end])); end++)
        if ((u8)py->src[end] >= 0xc0) check_typography(py, end);
    t->end = lx->pos = end;
    u32 len = end - t->at;
    for (u32 k = KW_FALSE; k <= KW_YIELD; k++) {
        if (strlen(texts[k]) == len && !memcmp(texts[k], py->src + t->at, len)) {
            t->kind = (TokenKind)k;
            return;
        }
    }
    t->kind = TOK_NAME;
    t->atom = py_atom(py, py->src + t->at, len);
}

static char closer_of(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

static void track_bracket(Py *py, const Token *t)
{
    Lexer *lx = &py->lex;
    char c = py->src[t->at];
    if (c == '(' || c == '[' || c == '{') {
        if (lx->n_brackets == PY_MAX_NESTING)
            py_fail(py, t->at, "split it: name a part", "brackets nested deeper than %d levels",
                    PY_MAX_NESTING);
        lx->brackets[lx->n_brackets++] = (Bracket){.open = c, .at = t->at, .line = t->line};
    } else {
        if (!lx->n_brackets) py_fail(py, t->at, NULL, "unmatched '%c'", c);
        const Bracket *open = &lx->brackets[--lx->n_brackets];
        if (closer_of(open->open) != c)
            py_fail(py, t->at, NULL, "closing '%c' does not match the opening '%c' on line %u", c, open->open,
                    open->line);
    }
}

static void lex_punctuation(Py *py, Token *t)
{
    Lexer *lx = &py->lex;
    const char *s = py->src + t->at;
    for (u32 k = TOK_SHL_ASSIGN; k <= TOK_MORE; k++) {
        u32 len = (u32)strlen(texts[k]);
        if (t->at + len > lx->end || memcmp(s, texts[k], len)) continue;
        t->kind = (TokenKind)k;
        t->end = lx->pos = t->at + len;
        if (k >= TOK_LPAREN && k <= TOK_RBRACE) track_bracket(py, t);
        return;
    }
    const char *hint = *s == '!'                ? "to negate, write 'not'"
                       : *s == '$' || *s == '?' ? "Python does not use this character"
                                                : NULL;
    if ((u8)*s < 0x20 || *s == 0x7f)
        py_fail(py, t->at, hint, "control character 0x%02x in the source", (u8)*s);
    py_fail(py, t->at, hint, "unexpected character '%c'", *s);
}

static u32 string_prefix(const char *s)
{
    u32 n = 0;
    while (n < 2 && s[n] && strchr("rRbBuUfF", s[n]))
        n++;
    return s[n] == '\'' || s[n] == '"' ? n : UINT32_MAX;
}

static void lex_end(Py *py, Token *t)
{
    Lexer *lx = &py->lex;
    if (lx->n_brackets && !lx->is_nested) {
        const Bracket *open = &lx->brackets[lx->n_brackets - 1];
        py_fail(py, open->at, NULL, "'%c' was never closed", open->open);
    }
    if (lx->last != TOK_NEWLINE && lx->last != TOK_DEDENT && !lx->is_nested) {
        t->kind = TOK_NEWLINE;
        lx->is_line_start = true;
        return;
    }
    t->kind = TOK_END;
    if (lx->n_indents) lx->n_indents--, t->kind = TOK_DEDENT;
}

static void lex(Py *py, Token *t)
{
    Lexer *lx = &py->lex;
    if (lx->is_line_start && !lx->is_nested && lex_indent(py, t)) return;
    *t = (Token){.at = lx->pos, .end = lx->pos, .line = lx->line};
    if (lx->n_dedents_due) {
        lx->n_dedents_due--;
        t->kind = TOK_DEDENT;
        return;
    }
    skip_blanks(py);
    t->at = t->end = lx->pos;
    t->line = lx->line;
    if (lx->pos >= lx->end) {
        lex_end(py, t);
        return;
    }
    const char *s = py->src + lx->pos;
    u32 prefix = string_prefix(s);
    if (is_newline(*s)) {
        t->kind = TOK_NEWLINE;
        skip_newline(py);
        t->end = lx->pos;
        lx->is_line_start = true;
    } else if (prefix != UINT32_MAX) {
        py_lex_string(py, t, prefix);
    } else if (is_digit((u8)*s) || (*s == '.' && is_digit((u8)s[1]))) {
        py_lex_number(py, t);
    } else if (is_name_start((u8)*s)) {
        lex_name(py, t);
    } else {
        lex_punctuation(py, t);
    }
}

void py_next(Py *py)
{
    py->lex.last = py->tok.kind;
    lex(py, &py->tok);
}
