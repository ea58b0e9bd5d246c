// target.h: machine operations and the two targets: A64 (hybrid) and C64 (purecap).
//
// The two share nearly everything: a C64 instruction is the A64 one with capabilities as base registers, so there is one
// list of operations, one selector core (isel*.c) and one encoder (emit*.c). What differs is in cc/a64 and cc/c64, file by
// file: abi.c (argument places), isel.c (addresses, capability operations), emit.c (frames, returns).
//
// Operands are in the order of the assembler text: destination first. MirOpnd.size is the view of a register (4 W/S, 8 X/D,
// 16 C). A register operand that is the constant 0 is MIR_IMM 0: the zero register. The last operand of ADD … TST may
// carry a shift or an extension in aux (T_SHIFT, T_EXTEND).
#ifndef CAPLAB_CC_TARGET_H
#define CAPLAB_CC_TARGET_H

#include "cc/abi.h"
#include "cc/lk.h"
#include "cc/mir.h"

// T_OPS(X): NAME, text
#define T_OPS(X)                                                                                             \
    X(MOV, "mov") X(FMOV, "fmov") X(MOVI, "movi") X(FMOVI, "fmovi")                                           \
    X(ADDR, "addr") X(ADRP, "adrp") X(LEA, "lea") X(LEAALIGN, "lea.align") X(LABEL, "label")                                           \
    X(ADD, "add") X(SUB, "sub") X(AND, "and") X(ORR, "orr") X(EOR, "eor") X(BIC, "bic") X(ORN, "orn") X(EON, "eon") \
    X(CMP, "cmp") X(CMN, "cmn") X(TST, "tst") X(CCMP, "ccmp")                                                 \
    X(MADD, "madd") X(MSUB, "msub") X(SMADDL, "smaddl") X(UMADDL, "umaddl") X(SMULH, "smulh") X(UMULH, "umulh") \
    X(SDIV, "sdiv") X(UDIV, "udiv") X(LSL, "lsl") X(LSR, "lsr") X(ASR, "asr") X(ROR, "ror")                    \
    X(UBFM, "ubfm") X(SBFM, "sbfm") X(BFM, "bfm") X(EXTR, "extr")                                             \
    X(CLZ, "clz") X(RBIT, "rbit") X(REV, "rev")                                                               \
    X(CSEL, "csel") X(CSINC, "csinc") X(CSINV, "csinv") X(CSNEG, "csneg")                                     \
    X(LDR, "ldr") X(STR, "str") X(LDP, "ldp") X(STP, "stp")  \
    X(LDRPRE, "ldr.pre") X(STRPRE, "str.pre") X(LDRPOST, "ldr.post") X(STRPOST, "str.post")                                                   \
    X(FADD, "fadd") X(FSUB, "fsub") X(FMUL, "fmul") X(FDIV, "fdiv") X(FNEG, "fneg") X(FABS, "fabs")            \
    X(FSQRT, "fsqrt") X(FRINTM, "frintm") X(FRINTP, "frintp") X(FRINTZ, "frintz") X(FRINTX, "frintx")          \
    X(FRINTA, "frinta") X(FCVT, "fcvt") X(SCVTF, "scvtf") X(UCVTF, "ucvtf") X(FCVTZS, "fcvtzs")                \
    X(FCVTZU, "fcvtzu") X(FBITS, "fmov.bits") X(FCMP, "fcmp") X(FCSEL, "fcsel")                               \
    X(SCVALUE, "scvalue") X(SCOFF, "scoff") X(SCFLGS, "scflgs") X(SCBNDS, "scbnds") X(SCBNDSE, "scbndse")      \
    X(CLRPERM, "clrperm") X(CLRTAG, "clrtag") X(SEAL, "seal") X(UNSEAL, "unseal") X(SEALRB, "seal.rb")          \
    X(BUILD, "build") X(CPYTYPE, "cpytype") X(GCPERM, "gcperm") X(GCBASE, "gcbase") X(GCLEN, "gclen")          \
    X(GCOFF, "gcoff") X(GCTAG, "gctag") X(GCSEAL, "gcseal") X(GCTYPE, "gctype") X(GCFLGS, "gcflgs")            \
    X(CHKEQ, "chkeq") X(CHKSS, "chkss") X(RRLEN, "rrlen") X(RRMASK, "rrmask") X(LDCT, "ldct")                  \
    X(MRSDDC, "mrs.ddc") X(ADRPCC, "adr.pcc")                                                                 \
    X(B, "b") X(BCOND, "b.") X(CBZ, "cbz") X(CBNZ, "cbnz") X(TBZ, "tbz") X(TBNZ, "tbnz") X(BR, "br")           \
    X(JTAB, "jtab") X(RET, "ret") X(BL, "bl") X(BLR, "blr") X(TAIL, "b.tail") X(TAILR, "br.tail")              \
    X(SUBSP, "sub.sp") X(SETSP, "set.sp") X(OUTAREA, "lea.out") X(FRAME, "lea.frame") X(RETADDR, "retaddr")    \
    X(DMB, "dmb") X(BRK, "brk") X(ASM, "asm") X(PROBE, "probe")
typedef enum TOp {
#define X(name, text) T_##name,
    T_OPS(X)
#undef X
        T_OP_COUNT
} TOp;

// Conditions of the machine; the negation is the other of each pair.
typedef enum TCond { T_EQ, T_NE, T_HS, T_LO, T_MI, T_PL, T_VS, T_VC, T_HI, T_LS, T_GE, T_LT, T_GT, T_LE, T_AL } TCond;

// MirOpnd.aux of a register operand that is shifted or extended; the amount is its imm.
typedef enum TMod {
    T_MOD_NONE,
    T_MOD_LSL, T_MOD_LSR, T_MOD_ASR,
    T_MOD_UXTB, T_MOD_UXTH, T_MOD_UXTW, T_MOD_UXTX, T_MOD_SXTB, T_MOD_SXTH, T_MOD_SXTW, T_MOD_SXTX, // in order of `option`
} TMod;

// MirOpnd.aux of ops[0] of LDR and STR: IrMem, and this bit for sign extension.
enum { T_SIGNED = 0x80 };

// Scratch register of emission (large offsets, long constants): never allocated, holds nothing between operations.
enum { T_SCRATCH = 16, T_FP = 29, T_LR = 30 };

// MirFn.aux: what selection tells emission about the frame.
typedef struct TFrame {
    u32 out_bytes; // outgoing arguments, at SP
    bool needs_fp; // SP moves (alloca), or the program asks for the frame's address
} TFrame;

typedef struct Isel Isel;
typedef struct Emit Emit;

typedef struct Target {
    MirTarget mir;
    CcAbi abi;
    u32 ptr_bytes; // of a pointer, a saved register, half a frame record
    // Selection (a64/isel.c, c64/isel.c)
    void (*select_global)(Isel *s, IrInsn *v, MirReg dst); // address of a GADDR
    bool (*select_cap)(Isel *s, IrInsn *v);                           // operations on capabilities; false: not one
    void (*select_anon)(Isel *s, const IrCall *call);  // C9 of a variadic call
    void (*select_alloca)(Isel *s, IrInsn *v, MirReg dst);
    // Emission (a64/emit.c, c64/emit.c): the operations that differ; false: emit_insn.c has it
    bool (*emit_insn)(Emit *e, const MirInsn *i);
} Target;

const Target *target_a64(void);
const Target *target_c64(void);


const char *target_op_name(u16 op);
TCond target_negate(TCond c);

#endif
