// lex.c: text to tokens. One pass over the bytes; identifiers are interned while they are read.
//
// A backslash-newline is white space here. Where one stands inside a token (rare), lex_clean_text first moves it
// behind the logical line, so that the token is whole and later lines keep their numbers.
#include "cc/front.h"

enum { C_IDENT = 1, C_DIGIT = 2, C_SPACE = 4 };
static const u8 char_class[256] = {
    ['a' ... 'z'] = C_IDENT, ['A' ... 'Z'] = C_IDENT, ['_'] = C_IDENT, ['$'] = C_IDENT, [0x80 ... 0xff] = C_IDENT,
    ['0' ... '9'] = C_DIGIT, [' '] = C_SPACE, ['\t'] = C_SPACE, ['\v'] = C_SPACE, ['\f'] = C_SPACE, ['\r'] = C_SPACE,
};
static u8 class_of(char c) { return char_class[(u8)c]; }

const char *const lex_kind_text[TK_COUNT] = {
    [TK_EOF] = "end of file", [TK_IDENT] = "name", [TK_NUM] = "number", [TK_CHAR] = "character", [TK_STR] = "string",
    [TK_OTHER] = "character", [TK_NEWLINE] = "end of line", [TK_PARAM] = "parameter", [TK_EMPTY] = "nothing",
#define X(name, text) [P_##name] = text,
    CC_PUNCTS(X)
#undef X
#define X(name, a, b, c) [K_##name] = a,
    CC_KEYWORDS(X)
#undef X
};

// ---- Identifiers ------------------------------------------------------------------------------------------------------

enum { HASH_START = 0x811c9dc5 };
static u32 hash_step(u32 h, char c) { return (h ^ (u8)c) * 0x01000193u; }

static void grow_idents(Front *f)
{
    IdentTable old = f->idents;
    f->idents.cap = old.cap ? old.cap * 2 : 4096;
    f->idents.slots = arena_array(f->arena, Ident *, f->idents.cap);
    for (u32 i = 0; i < old.cap; i++) {
        if (!old.slots[i]) continue;
        u32 at = old.slots[i]->hash & (f->idents.cap - 1);
        while (f->idents.slots[at]) at = (at + 1) & (f->idents.cap - 1);
        f->idents.slots[at] = old.slots[i];
    }
}

static Ident *intern_hashed(Front *f, const char *s, u32 len, u32 hash)
{
    if (f->idents.len * 2 >= f->idents.cap) grow_idents(f);
    u32 at = (hash ^ hash >> 15) & (f->idents.cap - 1);
    for (Ident *id; (id = f->idents.slots[at]); at = (at + 1) & (f->idents.cap - 1))
        if (id->hash == (hash ^ hash >> 15) && id->len == len && memcmp(id->name, s, len) == 0) return id;
    Ident *id = arena_new(f->arena, Ident);
    *id = (Ident){.name = arena_strndup(f->arena, s, len), .len = len, .hash = hash ^ hash >> 15};
    f->idents.slots[at] = id;
    f->idents.len++;
    if (*s == '_') predef_meet(f, id);
    return id;
}

Ident *lex_intern(Front *f, const char *s, u32 len)
{
    u32 h = HASH_START;
    for (u32 i = 0; i < len; i++) h = hash_step(h, s[i]);
    return intern_hashed(f, s, len, h);
}

static void add_keyword(Front *f, TokKind kind, const char *text)
{
    if (text) lex_intern(f, text, (u32)strlen(text))->keyword = (u8)kind;
}

void lex_init(Front *f)
{
#define X(name, a, b, c) add_keyword(f, K_##name, a), add_keyword(f, K_##name, b), add_keyword(f, K_##name, c);
    CC_KEYWORDS(X)
#undef X
#define BUILTIN(id, name, sig, flags) lex_intern(f, name, sizeof(name) - 1)->builtin = BI_##id;
#include "cc/builtins.def"
#undef BUILTIN
}

// ---- Text -------------------------------------------------------------------------------------------------------------

// Length of the backslash-newline at p, 0 if there is none.
static u32 splice_len(const char *p)
{
    if (p[0] != '\\') return 0;
    if (p[1] == '\n') return 2;
    return p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

static bool splits_token(const char *start, const char *p)
{
    const char *after = p + splice_len(p);
    bool before = p > start && !(class_of(p[-1]) & C_SPACE) && p[-1] != '\n';
    return before && *after && *after != '\n' && !(class_of(*after) & C_SPACE);
}

// Returns text itself unless a backslash-newline stands inside a token.
const char *lex_clean_text(Front *f, const char *text)
{
    bool is_dirty = false;
    for (const char *p = text; (p = strchr(p, '\\')); p++)
        if (splice_len(p) && splits_token(text, p)) is_dirty = true;
    if (!is_dirty) return text;
    char *copy = arena_alloc(f->arena, strlen(text) + 1), *to = copy;
    u32 n_owed = 0;
    for (const char *p = text; *p;) {
        u32 n = splice_len(p);
        if (n && splits_token(text, p)) {
            n_owed++;
            p += n;
            continue;
        }
        if (*p == '\n' && !(to > copy && to[-1] == '\\'))
            for (; n_owed; n_owed--) *to++ = '\n';
        *to++ = *p++;
    }
    for (; n_owed; n_owed--) *to++ = '\n';
    return copy;
}

void lex_start(Lexer *lx, const char *text, u16 file)
{
    if (memcmp(text, "\xef\xbb\xbf", strnlen(text, 3)) == 0 && strnlen(text, 3) == 3) text += 3; // byte order mark
    *lx = (Lexer){.at = text, .line_start = text, .line = 1, .file = file, .is_bol = true};
}

static CcLoc here(const Lexer *lx, const char *p)
{
    u64 col = (u64)(p - lx->line_start) + 1;
    return (CcLoc){lx->line, col > UINT16_MAX ? UINT16_MAX : (u16)col, lx->file};
}

static void next_line(Lexer *lx, const char *p)
{
    lx->line++;
    lx->line_start = p;
}

static const char *skip_block_comment(Front *f, Lexer *lx, const char *p)
{
    CcLoc start = here(lx, p);
    for (p += 2; !(p[0] == '*' && p[1] == '/'); p++) {
        if (!*p) front_fail(f, start, "this comment is not closed");
        if (*p == '\n') next_line(lx, p + 1);
    }
    return p + 2;
}

static const char *skip_line_comment(Lexer *lx, const char *p)
{
    for (;; p++) {
        p += strcspn(p, "\\\n");
        u32 n = splice_len(p);
        if (!*p || *p == '\n') return p;
        if (n) {
            next_line(lx, p + n);
            p += n - 1;
        }
    }
}

bool lex_skip_space(Front *f, Lexer *lx)
{
    const char *p = lx->at, *start = p;
    for (;;) {
        u32 n;
        if (class_of(*p) & C_SPACE) {
            p++;
        } else if (*p == '\n' && !lx->in_directive) {
            next_line(lx, ++p);
            lx->is_bol = true;
        } else if (p[0] == '/' && p[1] == '*') {
            p = skip_block_comment(f, lx, p);
        } else if (p[0] == '/' && p[1] == '/') {
            p = skip_line_comment(lx, p);
        } else if ((n = splice_len(p))) {
            next_line(lx, p += n);
        } else {
            break;
        }
    }
    lx->at = p;
    return p != start;
}

// Behind the closing quote, or behind the opening one if the line has no closing one (an apostrophe in skipped text).
static const char *skip_quoted(const char *p)
{
    for (const char *q = p + 1; *q && *q != '\n'; q++) {
        if (*q == *p) return q + 1;
        if (*q == '\\' && q[1] && q[1] != '\n') q++;
    }
    return p + 1;
}

void lex_skip_line(Lexer *lx)
{
    const char *p = lx->at;
    for (u32 n;;) {
        p += strcspn(p, "\\\n/\"'");
        if (!*p || *p == '\n') break;
        if ((n = splice_len(p))) {
            next_line(lx, p += n);
        } else if (*p == '"' || *p == '\'') {
            p = skip_quoted(p);
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            if (!end) end = p + strlen(p);
            for (; p < end; p++)
                if (*p == '\n') next_line(lx, p + 1);
            if (*end) p = end + 2;
        } else if (p[0] == '/' && p[1] == '/') {
            p = skip_line_comment(lx, p);
        } else {
            p++;
        }
    }
    lx->at = p;
}

// ---- Tokens -----------------------------------------------------------------------------------------------------------

static void lex_ident(Front *f, Lexer *lx, Token *t)
{
    const char *p = lx->at;
    u32 h = HASH_START;
    while (class_of(*p) & (C_IDENT | C_DIGIT)) h = hash_step(h, *p++);
    t->kind = TK_IDENT;
    t->len = (u32)(p - lx->at);
    t->id = intern_hashed(f, lx->at, t->len, h);
    lx->at = p;
}

static void lex_number(Lexer *lx, Token *t)
{
    const char *p = lx->at;
    for (;; p++) {
        char c = *p;
        if ((c == '+' || c == '-') && p > lx->at && strchr("eEpP", p[-1])) continue;
        if (!(class_of(c) & (C_IDENT | C_DIGIT)) && c != '.') break;
    }
    t->kind = TK_NUM;
    t->text = lx->at;
    t->len = (u32)(p - lx->at);
    lx->at = p;
}

// A literal with a backslash-newline inside: the text without it.
static void unsplice(Front *f, Token *t)
{
    char *copy = arena_alloc(f->arena, t->len + 1);
    u32 n = 0;
    for (u32 i = 0; i < t->len;) {
        u32 skip = splice_len(t->text + i);
        if (skip) i += skip;
        else copy[n++] = t->text[i++];
    }
    t->text = copy;
    t->len = n;
}

// Literal with its prefix of prefix_len bytes at lx->at.
static void lex_quoted(Front *f, Lexer *lx, Token *t, u32 prefix_len)
{
    const char *p = lx->at + prefix_len;
    char quote = *p++;
    bool has_splice = false;
    u32 lines = 0;
    const char *line_start = NULL;
    for (; *p != quote; p++) {
        u32 n = splice_len(p);
        if (n) {
            has_splice = true;
            lines++;
            line_start = p + n;
            p += n - 1;
            continue;
        }
        if (*p == '\\' && p[1] && p[1] != '\n') p++;
        else if (!*p || *p == '\n')
            front_fail(f, t->loc, quote == '"' ? "this string is not closed" : "this character is not closed");
    }
    t->kind = quote == '"' ? TK_STR : TK_CHAR;
    t->text = lx->at;
    t->len = (u32)(p + 1 - lx->at);
    lx->at = p + 1;
    if (!has_splice) return;
    unsplice(f, t);
    lx->line += lines;
    lx->line_start = line_start;
}

static u32 literal_prefix(const char *p) // length of L, u, U, u8 before a quote; 0 if this is a name
{
    if ((p[0] == 'L' || p[0] == 'U' || p[0] == 'u') && (p[1] == '"' || p[1] == '\'')) return 1;
    return p[0] == 'u' && p[1] == '8' && p[2] == '"' ? 2 : 0;
}

#define IS(a, b)      (p[1] == (b) ? P_##a : 0)
static TokKind lex_punct(const char *p, u32 *len)
{
    TokKind k2 = 0;
    *len = 1;
    switch (p[0]) {
    case '(': return P_LPAREN;
    case ')': return P_RPAREN;
    case '[': return P_LBRACK;
    case ']': return P_RBRACK;
    case '{': return P_LBRACE;
    case '}': return P_RBRACE;
    case ',': return P_COMMA;
    case ';': return P_SEMI;
    case '?': return P_QUEST;
    case '~': return P_TILDE;
    case ':': k2 = IS(RBRACK, '>'); return k2 ? (*len = 2, k2) : P_COLON;
    case '.':
        if (p[1] == '.' && p[2] == '.') return *len = 3, P_ELLIPSIS;
        return P_DOT;
    case '-': k2 = p[1] == '>' ? P_ARROW : p[1] == '-' ? P_DEC : IS(MINUS_ASSIGN, '='); break;
    case '+': k2 = p[1] == '+' ? P_INC : IS(PLUS_ASSIGN, '='); break;
    case '*': k2 = IS(STAR_ASSIGN, '='); break;
    case '/': k2 = IS(SLASH_ASSIGN, '='); break;
    case '%':
        if (p[1] == ':' && p[2] == '%' && p[3] == ':') return *len = 4, P_HASHHASH;
        k2 = p[1] == ':' ? P_HASH : p[1] == '>' ? P_RBRACE : IS(PERCENT_ASSIGN, '=');
        break;
    case '&': k2 = p[1] == '&' ? P_ANDAND : IS(AMP_ASSIGN, '='); break;
    case '|': k2 = p[1] == '|' ? P_OROR : IS(PIPE_ASSIGN, '='); break;
    case '^': k2 = IS(CARET_ASSIGN, '='); break;
    case '=': k2 = IS(EQ, '='); break;
    case '!': k2 = IS(NE, '='); break;
    case '#': k2 = IS(HASHHASH, '#'); break;
    case '<':
        if (p[1] == '<' && p[2] == '=') return *len = 3, P_SHL_ASSIGN;
        k2 = p[1] == '<' ? P_SHL : p[1] == ':' ? P_LBRACK : p[1] == '%' ? P_LBRACE : IS(LE, '=');
        break;
    case '>':
        if (p[1] == '>' && p[2] == '=') return *len = 3, P_SHR_ASSIGN;
        k2 = p[1] == '>' ? P_SHR : IS(GE, '=');
        break;
    default: return TK_OTHER;
    }
    if (k2) return *len = 2, k2;
    static const u8 single[128] = {['-'] = P_MINUS, ['+'] = P_PLUS, ['*'] = P_STAR, ['/'] = P_SLASH, ['%'] = P_PERCENT,
                                   ['&'] = P_AMP, ['|'] = P_PIPE, ['^'] = P_CARET, ['='] = P_ASSIGN, ['!'] = P_NOT,
                                   ['#'] = P_HASH, ['<'] = P_LT, ['>'] = P_GT};
    return single[(u8)p[0]];
}
#undef IS

void lex_token(Front *f, Lexer *lx, Token *t)
{
    bool has_space = lex_skip_space(f, lx);
    const char *p = lx->at;
    t->loc = here(lx, p);
    t->flags = (u8)((has_space ? TF_SPACE : 0) | (lx->is_bol ? TF_BOL : 0));
    lx->is_bol = false;
    u8 c = class_of(*p);
    if (c & C_IDENT) {
        u32 prefix = literal_prefix(p);
        if (prefix) lex_quoted(f, lx, t, prefix);
        else lex_ident(f, lx, t);
    } else if (c & C_DIGIT || (*p == '.' && class_of(p[1]) & C_DIGIT)) {
        lex_number(lx, t);
    } else if (*p == '"' || *p == '\'') {
        lex_quoted(f, lx, t, 0);
    } else if (!*p || *p == '\n') { // a newline only inside a directive
        t->kind = lx->in_directive ? TK_NEWLINE : TK_EOF;
        t->text = "";
        t->len = 0;
    } else {
        t->text = p;
        t->kind = (u8)lex_punct(p, &t->len);
        lx->at = p + t->len;
    }
}

u32 lex_spelling(const Token *t, const char **text)
{
    if (t->kind == TK_IDENT || t->kind == TK_PARAM || t->kind >= P_HASHHASH + 1) {
        *text = t->id->name;
        return t->id->len;
    }
    *text = t->text;
    return t->len;
}
