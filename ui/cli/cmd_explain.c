// cmd_explain.c: `caplab explain`: what a capability, an instruction word or an address is, field by field.
//
//     caplab explain cap:1:ffffc00000010005:1000   insn:91002020   addr:0x400120 prog.c
#include "driver/listing.h"
#include "isa/isa.h"
#include "ui/cli/cli.h"
#include <ctype.h>
#include <stdio.h>

enum { OPT_C64 = CLI_OWN };
static const struct option own_options[] = {
    {"c64", no_argument, NULL, OPT_C64}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: caplab explain cap:HEX      128 bits in hex, as HIGH:LOW or 32 digits; 0: or 1: before it is the tag (1)\n"
    "       caplab explain insn:HEX     an instruction word, in both states (--c64: only C64)\n"
    "       caplab explain addr:HEX FILE   what lies there when FILE starts\n";

static bool parse_hex(const char *text, size_t len, u64 *v)
{
    *v = 0;
    if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2, len -= 2;
    if (!len || len > 16) return false;
    for (size_t i = 0; i < len; i++) {
        if (!isxdigit((unsigned char)text[i])) return false;
        *v = *v << 4 | (u64)(isdigit((unsigned char)text[i]) ? text[i] - '0' : (text[i] | 32) - 'a' + 10);
    }
    return true;
}

typedef enum CapText { CAP_TEXT_OK, CAP_TEXT_SHORT, CAP_TEXT_BAD } CapText;

// HIGH:LOW, or 32 digits; fewer digits without a colon could mean either half, so they are refused.
static CapText parse_cap(const char *text, Cap *c, bool *says_tag)
{
    c->tag = true;
    *says_tag = (text[0] == '0' || text[0] == '1') && text[1] == ':';
    if (*says_tag) {
        c->tag = text[0] == '1';
        text += 2;
    }
    if (!strncmp(text, "0x", 2)) text += 2;
    const char *colon = strchr(text, ':');
    size_t len = strlen(text);
    bool ok = colon ? parse_hex(text, (size_t)(colon - text), &c->meta) && parse_hex(colon + 1, strlen(colon + 1), &c->value)
                    : len == 32 && parse_hex(text, 16, &c->meta) && parse_hex(text + 16, 16, &c->value);
    if (ok) return CAP_TEXT_OK;
    return !colon && len && len < 32 && strspn(text, "0123456789abcdefABCDEF") == len ? CAP_TEXT_SHORT : CAP_TEXT_BAD;
}

static void explain_perms(u32 perms)
{
    static const struct {
        u32 bit;
        const char *name;
    } names[] = {
#define X(bit, name, letter) {1u << (bit), #name},
        CAP_PERMS(X)
#undef X
    };
    printf("  permissions 0x%05x ", perms);
    for (u32 i = 0; i < ARRAY_LEN(names); i++)
        if (perms & names[i].bit) printf(" %s", names[i].name);
    printf("\n");
}

static void explain_bounds(Cap c)
{
    CapBounds b = cap_bounds(c);
    if (!b.is_valid) {
        printf("  bounds      malformed exponent %u: nothing is inside\n", b.exponent);
        return;
    }
    char top[24], length[32] = "18446744073709551616"; // 2^64
    if (b.top_hi) snprintf(top, sizeof top, "1%016llx", (unsigned long long)b.top_lo);
    else snprintf(top, sizeof top, "%llx", (unsigned long long)b.top_lo);
    u128 n = cap_length(b);
    if (n != (u128)1 << 64)
        snprintf(length, sizeof length, "%llu%s", (unsigned long long)cap_length_saturated(b), n >> 64 ? " or more" : "");
    printf("  bounds      0x%llx to 0x%s, %s bytes", (unsigned long long)b.base, top, length);
    // With a stored exponent the lowest three bits of both mantissas hold it: bounds are multiples of 8 << exponent.
    bool has_exponent = !(c.meta >> (94 - 64) & 1);
    if (b.exponent > 50) printf("\n");
    else if (has_exponent) printf("; exponent %u, in steps of %llu bytes\n", b.exponent, 8ULL << b.exponent);
    else printf("; no exponent, in steps of a byte\n");
}

static int explain_cap(const char *text)
{
    Cap c = {0};
    bool says_tag;
    CapText kind = parse_cap(text, &c, &says_tag);
    if (kind == CAP_TEXT_SHORT)
        return cli_usage("explain", "'%s' is not 128 bits: a capability is HIGH:LOW or all 32 digits; an integer without one is 0:0:VALUE", text);
    if (kind == CAP_TEXT_BAD) return cli_usage("explain", "'%s' is not a capability in hex", text);
    char shorthand[128];
    cap_format(c, shorthand, sizeof shorthand);
    u32 otype = cap_otype(c);
    static const char *const types[] = {"unsealed", "sentry (RB)", "sentry (LPB)", "sentry (LB)"};
    printf("%s\n", shorthand);
    printf("  read as     %016llx:%016llx\n", (unsigned long long)c.meta, (unsigned long long)c.value);
    printf("  tag         %d: %s%s\n", c.tag, c.tag ? "valid" : "just bits, gives no access",
           says_tag ? "" : " (assumed: 0: or 1: before the bits says it)");
    printf("  address     0x%llx\n", (unsigned long long)c.value);
    explain_bounds(c);
    explain_perms(cap_perms(c));
    if (otype < ARRAY_LEN(types)) printf("  object type %u: %s\n", otype, types[otype]);
    else printf("  object type %u: sealed\n", otype);
    return 0;
}

static void explain_word(u32 word, bool c64)
{
    char text[96];
    IsaRow row = isa_find_row(word, c64);
    isa_disassemble(word, c64, 0, text, sizeof text);
    printf("%s  %08x  %s\n", c64 ? "C64" : "A64", word, text);
    if (row == ISA_NONE) {
        printf("     no instruction of this build\n");
        return;
    }
    const IsaRowInfo *i = isa_row_info(row);
    printf("     row %s: %s\n     %s\n", i->name, i->syntax, i->pattern);
}

static int explain_insn(const char *text, bool only_c64)
{
    u64 v;
    if (!parse_hex(text, strlen(text), &v) || v > 0xFFFFFFFF) return cli_usage("explain", "'%s' is not a word in hex", text);
    if (!only_c64) explain_word((u32)v, false);
    explain_word((u32)v, true);
    return 0;
}

static int explain_addr(const DrvOptions *o, const char *text, const char *file)
{
    u64 addr;
    Err err = {0};
    Buf out = {0};
    if (!parse_hex(text, strlen(text), &addr)) return cli_usage("explain", "'%s' is not an address in hex", text);
    if (!file) return cli_usage("explain", "addr: needs a FILE");
    bool ok = drv_explain_address(o, file, addr, &out, &err);
    fputs(buf_text(&out), stdout);
    buf_free(&out);
    return ok ? 0 : cli_fail(&err);
}

int cmd_explain(int argc, char **argv)
{
    struct option options[40];
    DrvOptions o;
    Err err = {0};
    bool only_c64 = false;
    cli_options_init(&o);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?') return cli_usage("explain", "see the message above");
        if (c == OPT_C64) only_c64 = true;
        else if (!cli_machine_option(&o, c, optarg, &err)) return cli_fail(&err);
    }
    if (optind >= argc) return cli_usage("explain", "cap:HEX, insn:HEX or addr:HEX FILE");
    const char *what = argv[optind];
    if (!strncmp(what, "cap:", 4)) return explain_cap(what + 4);
    if (!strncmp(what, "insn:", 5)) return explain_insn(what + 5, only_c64);
    if (!strncmp(what, "addr:", 5)) return explain_addr(&o, what + 5, optind + 1 < argc ? argv[optind + 1] : NULL);
    return cli_usage("explain", "'%s' is not cap:HEX, insn:HEX or addr:HEX", what);
}
