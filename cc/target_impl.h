// target_impl.h: the hooks of the two targets, for the tables in target.c.
#ifndef CAPLAB_CC_TARGET_IMPL_H
#define CAPLAB_CC_TARGET_IMPL_H


#include "cc/isel.h"

#define TARGET_HOOKS(prefix)                                                                                 \
    void prefix##_select_global(Isel *s, IrInsn *v, MirReg dst);                                             \
    bool prefix##_select_cap(Isel *s, IrInsn *v);                                                            \
    void prefix##_select_anon(Isel *s, const IrCall *call);                                                  \
    void prefix##_select_alloca(Isel *s, IrInsn *v, MirReg dst);                                             \
    bool prefix##_emit_insn(Emit *e, const MirInsn *i);
TARGET_HOOKS(a64)
TARGET_HOOKS(c64)

#endif
