// table.h: the compiled rows, for the files of isa/ only. table_get() compiles at first use.
#ifndef CAPLAB_ISA_TABLE_H
#define CAPLAB_ISA_TABLE_H

#include "isa/isa.h"

#define TABLE_MAX_FIELDS 12

typedef enum FieldId {
#define FIELD(name, width) FIELD_##name,
#include "isa/def/fields.def"
#undef FIELD
    FIELD_COUNT
} FieldId;
static_assert(sizeof(IsaFields) == FIELD_COUNT * sizeof(u32), "IsaFields is an array of its members");

typedef struct RowField {
    u8 id, lo, width;
} RowField;

// How the access size of a load or store is known: a constant 0..4, or from a field.
typedef enum RowScale { SCALE_SF = 8, SCALE_SIZE, SCALE_SIZE_OPQ, SCALE_VSIZE } RowScale;

typedef struct Row {
    u32 mask, value; // fixed bits
    u8 guard, n_fields;
    u8 scale; // RowScale
    RowField field[TABLE_MAX_FIELDS];
    IsaRowInfo info;
    char mnemonic[24];
} Row;

typedef struct Table {
    Row row[ISA_ROW_COUNT]; // [0] unused
} Table;

const Table *table_get(void);
u32 access_log2(const Row *r, const IsaFields *f); // log2 of the bytes of one access
bool table_guard(u8 guard, u32 word); // the word is not reserved
u32 table_word(const Row *r, const IsaFields *f); // encodes without checks
FieldId table_find_field(const char *name, size_t len); // FIELD_COUNT = none
u32 table_field_width(FieldId id);

static inline u32 *field_ref(IsaFields *f, u32 id) { return (u32 *)f + id; }
static inline u32 field_get(const IsaFields *f, u32 id) { return ((const u32 *)f)[id]; }

#endif
