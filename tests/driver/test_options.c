// test_options.c: options and knobs by key: right values are taken, nonsense is refused with status 2 and a message that names the key.
#include "driver/options.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(options, defaults_are_those_of_the_command_line)
{
    DrvOptions o;
    drv_options_init(&o);
    cr_expect(eq(int, (int)o.abi, (int)MAC_PURECAP));
    cr_expect(eq(int, (int)o.engine, (int)MAC_ENGINE_FAST));
    cr_expect(eq(u64, o.seed, 1));
    cr_expect(eq(u64, o.memory_bytes, 256 << 20));
    cr_expect(o.ssbs && o.probes && !o.abi_is_set);
    cr_expect(eq(u64, drv_knob_number(&o, DRV_KNOB_HEAP_BYTES), 2 << 20));
    cr_expect(eq(u64, drv_knob_number(&o, DRV_KNOB_FRAME_LIMIT), 11));
    cr_expect(eq(str, (char *)drv_knob_value(&o, DRV_KNOB_BLOCK_RULE), (char *)"cap"));
    cr_expect(eq(str, (char *)drv_knob_value(&o, DRV_KNOB_BLOCK_BYTES), (char *)""));
}

Test(options, counts_take_suffixes)
{
    static const struct {
        const char *text;
        bool ok;
        u64 v;
    } rows[] = {{"0", true, 0}, {"64K", true, 65536}, {"2M", true, 2 << 20}, {"1g", true, 1 << 30}, {"0x10", true, 16}, {"", false, 0},
                {"K", false, 0}, {"-1", false, 0}, {" 1", false, 0}, {"1KB", false, 0}, {"1.5M", false, 0},
                {"99999999999999999999", false, 0}, {"17179869184G", false, 0}, {"18446744073709551615", true, ~0ULL}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        u64 v = 0;
        Err err = {0};
        cr_expect(eq(int, drv_parse_count("seed", rows[i].text, &v, &err), rows[i].ok), "%s", rows[i].text);
        if (rows[i].ok) cr_expect(eq(u64, v, rows[i].v), "%s", rows[i].text);
        else cr_expect(err.status == CAPLAB_EX_USAGE && strstr(err.text, "seed: "), "%s: %s", rows[i].text, err.text);
    }
}

Test(options, right_and_wrong_values)
{
    static const struct {
        const char *key, *value;
        bool ok;
    } rows[] = {
        {"abi", "hybrid", true}, {"abi", "purecap", true}, {"abi", "pure", false}, {"abi", "hybrid|purecap", false}, {"abi", "", false},
        {"engine", "loop", true}, {"engine", "jit", false}, {"ssbs", "0", true}, {"ssbs", "2", false},
        {"machine", "user", true}, {"machine", "bare", false}, {"mte", "off", true}, {"mte", "sync", false}, {"mte", "maybe", false},
        {"timing", "off", true}, {"timing", "n1", false}, {"timing", "my.yaml", false},
        {"seed", "7", true}, {"seed", "x", false}, {"memory", "64M", true}, {"memory", "1", false}, {"memory", "1000G", false},
        {"max-insns", "1G", true}, {"max_insns", "5", true}, {"nonsense", "1", false}, {"", "1", false},
        {"vm.heap_bytes", "64K", true}, {"vm.heap_bytes", "1", false}, {"vm.heap_bytes", "100G", false},
        {"vm.block_rule", "word", true}, {"vm.block_rule", "words", false}, {"vm.block_bytes", "16", true},
        {"vm.block_bytes", "48", false}, {"vm.block_bytes", "8", false}, {"vm.block_bytes", "", true},
        {"vm.frame_limit_slots", "0", true}, {"vm.frame_limit_slots", "99999", false},
        {"cc.profile", "llvm-morello", true}, {"cc.profile", "gcc", false}, {"vm.frame_rule", "cap", true},
        {"vm.heap_bytes", "000000000000000000000000000000000000065536", false},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        DrvOptions o;
        Err err = {0};
        drv_options_init(&o);
        cr_expect(eq(int, drv_set(&o, rows[i].key, rows[i].value, &err), rows[i].ok), "%s=%s: %s", rows[i].key, rows[i].value, err.text);
        if (rows[i].ok) continue;
        cr_expect(eq(int, err.status, CAPLAB_EX_USAGE), "%s=%s", rows[i].key, rows[i].value);
        cr_expect(err.text[0] != 0);
    }
}

Test(options, values_arrive)
{
    DrvOptions o;
    Err err = {0};
    drv_options_init(&o);
    cr_expect(drv_set(&o, "abi", "hybrid", &err) && drv_set(&o, "seed", "99", &err) && drv_set(&o, "max-insns", "3K", &err) &&
              drv_set(&o, "vm.block_bytes", "64", &err) && drv_set(&o, "ssbs", "0", &err) && drv_set(&o, "engine", "loop", &err));
    cr_expect(eq(int, (int)o.abi, (int)MAC_HYBRID));
    cr_expect(o.abi_is_set);
    cr_expect(not(o.ssbs));
    cr_expect(eq(int, (int)o.engine, (int)MAC_ENGINE_LOOP));
    cr_expect(eq(u64, o.seed, 99));
    cr_expect(eq(u64, o.max_insns, 3072));
    cr_expect(eq(u64, drv_knob_number(&o, DRV_KNOB_BLOCK_BYTES), 64));
}
