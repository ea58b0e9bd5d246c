// lower_data.c: initialised and zero data: bytes and the addresses inside them.
#include "cc/lower.h"

#include "isa/cap.h"

static void lower_reloc(Lower *l, const Obj *obj, const Reloc *from, IrSym *sym)
{
    if (from->kind == RELOC_LABEL_DIFF) {
        lower_fail(l, obj->loc, "differences of label addresses are not supported");
        return;
    }
    IrReloc *to = &sym->relocs[sym->n_relocs++];
    to->offset = from->offset;
    to->sym = lower_sym(l, from->sym);
    to->addend = from->addend;
    to->is_cap = from->kind == RELOC_PTR && l->m->abi == CC_PURECAP;
    if (from->label) {
        if (!from->label->ir) {
            lower_fail(l, obj->loc, "label '%s' is in a function that is not compiled", from->label->name);
            return;
        }
        to->label = l->labels.at[from->label->ir - 1];
    }
}

void lower_data(Lower *l, const Obj *obj, IrSym *sym)
{
    u64 size = obj->data_size ? obj->data_size : obj->type->size;
    sym->size = size;
    sym->align = obj->align > obj->type->align ? obj->align : obj->type->align;
    if (!sym->align) sym->align = 1;
    if (l->m->abi == CC_PURECAP && size) { // room and alignment for exact bounds
        u64 need = ~cap_representable_mask(size) + 1;
        if (need > sym->align) sym->align = (u32)need;
        sym->size = cap_representable_length(size);
    }
    if (obj->data) {
        sym->bytes = arena_alloc(l->arena, sym->size ? sym->size : 1);
        memcpy(sym->bytes, obj->data, size);
    }
    sym->relocs = arena_array(l->arena, IrReloc, obj->n_relocs);
    for (u32 k = 0; k < obj->n_relocs; k++) lower_reloc(l, obj, &obj->relocs[k], sym);
    if (sym->n_relocs && !sym->bytes) sym->bytes = arena_alloc(l->arena, sym->size);
}
