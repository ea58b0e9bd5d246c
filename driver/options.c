// options.c: options and knobs by their keys, checked. One table each; --set, --vary and the command line all come here.
//
//     drv_set(&o, "abi", "hybrid", &err);  drv_set(&o, "vm.block_rule", "word", &err);
#include "driver/options.h"
#include <errno.h>
#include <stdlib.h>

static const DrvKnobInfo knobs[] = {
#define X(id, key, value, unit, text) [DRV_KNOB_##id] = {key, value, unit, text},
    DRV_KNOBS(X)
#undef X
};

// What a number may be; the guest's compile-time checks would say it less kindly.
static bool knob_range(DrvKnob k, u64 *min, u64 *max, bool *is_pow2)
{
    *is_pow2 = false;
    switch (k) {
    case DRV_KNOB_HEAP_BYTES: return *min = 16384, *max = 128 << 20, true;
    case DRV_KNOB_BLOCK_BYTES: return *min = 16, *max = 4096, *is_pow2 = true;
    case DRV_KNOB_FRAME_LIMIT: return *min = 0, *max = 4096, true;
    case DRV_KNOB_BLOCK_RULE:
    case DRV_KNOB_FRAME_RULE:
    case DRV_KNOB_CC_PROFILE:
    case DRV_KNOB_COUNT: break;
    }
    return false;
}

const DrvKnobInfo *drv_knob_info(DrvKnob k) { return &knobs[k]; }

const char *drv_knob_value(const DrvOptions *o, DrvKnob k) { return o->knob[k][0] ? o->knob[k] : knobs[k].standard; }

u64 drv_knob_number(const DrvOptions *o, DrvKnob k)
{
    u64 v = 0;
    Err ignored = {0};
    drv_parse_count(knobs[k].key, drv_knob_value(o, k), &v, &ignored);
    return v;
}

void drv_options_init(DrvOptions *o)
{
    *o = (DrvOptions){.abi = MAC_PURECAP, .ssbs = true, .seed = 1, .memory_bytes = 256 << 20, .probes = true};
}

bool drv_parse_count(const char *name, const char *text, u64 *v, Err *err)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    u32 shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : *end == 'G' || *end == 'g' ? 30 : 0;
    end += shift != 0;
    bool ok = text[0] >= '0' && text[0] <= '9' && !*end && !errno && n <= ~0ULL >> shift;
    if (!ok) return err_set(err, CAPLAB_EX_USAGE, "%s: '%.64s' is not a count (like 1000, 64K, 2M, 1G)", name, text);
    *v = (u64)n << shift;
    return true;
}

// Is `value` one of the words of "a|b|c"? *index = which.
static bool find_word(const char *words, const char *value, u32 *index)
{
    size_t len = strlen(value);
    *index = 0;
    for (const char *w = words; len && w; ++*index) {
        const char *end = strchr(w, '|');
        size_t n = end ? (size_t)(end - w) : strlen(w);
        if (n == len && !memcmp(w, value, n)) return true;
        w = end ? end + 1 : NULL;
    }
    return false;
}

static bool set_knob(DrvOptions *o, DrvKnob k, const char *value, Err *err)
{
    const DrvKnobInfo *info = &knobs[k];
    u64 v, min, max;
    bool is_pow2;
    u32 index;
    if (!value[0]) {
        o->knob[k][0] = 0;
        return true;
    }
    if (!knob_range(k, &min, &max, &is_pow2)) {
        if (!find_word(info->unit, value, &index))
            return err_set(err, CAPLAB_EX_USAGE, "%s is %s, not '%.64s'", info->key, info->unit, value);
    } else {
        if (!drv_parse_count(info->key, value, &v, err)) return false;
        if (v < min || v > max || (is_pow2 && (v & (v - 1))))
            return err_set(err, CAPLAB_EX_USAGE, "%s must be %s%llu to %llu %s, not %.64s", info->key,
                           is_pow2 ? "a power of two from " : "", (unsigned long long)min, (unsigned long long)max,
                           info->unit, value);
    }
    if (strlen(value) >= sizeof o->knob[k]) return err_set(err, CAPLAB_EX_USAGE, "%s: value too long", info->key);
    strcpy(o->knob[k], value);
    return true;
}

// Options that are not knobs. OPTIONS(X): key, words or NULL for a count
#define OPTIONS(X)                                                                                           \
    X(machine, "user|bare") X(abi, "hybrid|purecap") X(mte, "off|sync|async|asymm") X(timing, "off|n1|morello|v1|inorder")     \
    X(engine, "fast|loop") X(ssbs, "0|1") X(probes, "0|1") X(seed, NULL) X(memory, NULL) X(max_insns, NULL)
typedef enum OptionId {
#define X(key, words) OPT_##key,
    OPTIONS(X)
#undef X
        OPT_COUNT
} OptionId;
static const struct {
    const char *key, *words;
} options[] = {
#define X(key, words) {#key, words},
    OPTIONS(X)
#undef X
};

static bool set_option(DrvOptions *o, OptionId id, const char *key, const char *value, Err *err)
{
    u32 word = 0;
    u64 n = 0;
    if (options[id].words) {
        bool is_file = id == OPT_timing && strchr(value, '.');
        if (!is_file && !find_word(options[id].words, value, &word))
            return err_set(err, CAPLAB_EX_USAGE, "%s is %s, not '%.64s'", options[id].key, options[id].words, value);
        word += is_file;
    } else if (!drv_parse_count(key, value, &n, err)) {
        return false;
    }
    switch (id) {
    case OPT_machine:
    case OPT_mte:
    case OPT_timing:
        if (word) return err_set(err, CAPLAB_EX_USAGE, "%s=%.64s is not in this build", options[id].key, value);
        break;
    case OPT_abi:
        o->abi = word ? MAC_PURECAP : MAC_HYBRID;
        o->abi_is_set = true;
        break;
    case OPT_engine: o->engine = word ? MAC_ENGINE_LOOP : MAC_ENGINE_FAST; break;
    case OPT_ssbs: o->ssbs = word != 0; break;
    case OPT_probes: o->probes = word != 0; break;
    case OPT_seed: o->seed = n; break;
    case OPT_memory:
        if (n < 16 << 20 || n > 16ULL << 30) return err_set(err, CAPLAB_EX_USAGE, "memory must be 16M to 16G, not %.64s", value);
        o->memory_bytes = n;
        break;
    case OPT_max_insns: o->max_insns = n; break;
    case OPT_COUNT: break;
    }
    return true;
}

bool drv_set(DrvOptions *o, const char *key, const char *value, Err *err)
{
    for (u32 k = 0; k < DRV_KNOB_COUNT; k++)
        if (!strcmp(key, knobs[k].key)) return set_knob(o, (DrvKnob)k, value, err);
    char plain[32];
    u32 n = 0;
    for (; key[n] && n < sizeof plain - 1; n++) plain[n] = key[n] == '-' ? '_' : key[n];
    plain[n] = 0;
    for (u32 i = 0; i < OPT_COUNT; i++)
        if (!strcmp(plain, options[i].key)) return set_option(o, (OptionId)i, key, value, err);
    err_set(err, CAPLAB_EX_USAGE, "unknown option or knob '%.64s'", key);
    err_hint(err, "caplab run --list-knobs prints them all");
    return false;
}
