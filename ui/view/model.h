// model.h: what the views show: one picture of the machine at a stop, the one before it, and what the user chose to look at.
//
// Views read a ViewModel and never the machine; view_model_refresh is the only place that asks for snapshots.
#ifndef CAPLAB_UI_VIEW_MODEL_H
#define CAPLAB_UI_VIEW_MODEL_H

#include "driver/driver.h"
#include "ui/view/cell.h"

// Panes on the right. VIEW_PANES(X): NAME, title, short title, meaning
#define VIEW_PANES(X)                                                                                        \
    X(REGS, "registers", "regs", "registers as capabilities")                                                  \
    X(MEMORY, "memory", "memory", "16-byte granules and their tags")                                           \
    X(HEAP, "heap", "heap", "blocks of the heap and its fragmentation")                                        \
    X(OPCODES, "opcodes", "opcodes", "cost of each bytecode")                                                  \
    X(OUTPUT, "output", "output", "all that the program printed")
typedef enum ViewPane {
#define X(name, ...) VIEW_PANE_##name,
    VIEW_PANES(X)
#undef X
        VIEW_PANE_COUNT
} ViewPane;

const char *view_pane_title(ViewPane p); // "heap"

enum {
    VIEW_CODE_ROWS = 128,
    VIEW_MEMORY_ROWS = 128,
    VIEW_MEMORY_WIDE = 73, // columns that take a whole address, bytes, and their text or the capability in short
};

typedef struct ViewCode { // instructions around the pc
    u64 pc;
    u32 word;
    bool is_mapped, is_break;
    char label[24]; // the symbol that begins here, or ""
} ViewCode;

// Registers in the order of the pane: the special ones first, so that they and the first arguments are on the smallest screen.
enum { VIEW_REG_SP, VIEW_REG_PC, VIEW_REG_DDC, VIEW_REG_0, VIEW_REG_COUNT = VIEW_REG_0 + 31 };

typedef struct ViewModel {
    DrvSession *session; // borrowed
    bool purecap;
    // The machine now, and at the previous stop (for what changed).
    SnapRegs regs, regs_before;
    bool has_before;
    SnapCounters counters;
    SnapOpcodes ops;
    SnapHeap heap; // first heap, with its map
    bool has_heap, will_have_heap; // the program has one, made or not
    bool has_place;
    DrvPlace place;
    SnapSymbol symbol;
    bool has_symbol;
    u32 source_line; // of a C or assembler program; 0 = not in its own file
    u32 text_line;   // last line that ran: what the source shows while the program is elsewhere
    u64 code_pc; // what runs next; after the end of the program, what ended it
    ViewCode code[VIEW_CODE_ROWS];
    u32 n_code, code_here; // code_here: index of the row at code_pc
    SnapGranule memory[VIEW_MEMORY_ROWS], memory_before[VIEW_MEMORY_ROWS];
    u64 memory_at, memory_before_at; // addresses of row 0
    EvStop stop;
    bool has_run;
    bool is_running;  // a run goes on; the screen shows a moment of it
    u32 run_ticks;    // screens since it began
    Buf output;       // all guest output so far
    u64 output_lost;  // bytes at its beginning that are not kept
    u64 output_lines; // ends of lines in it, the lost ones included
    char message[128];
    bool message_is_error;

    // What the user chose.
    ViewPane pane;
    u32 pane_rows, pane_columns; // that the layout gives a pane; set by view_screen
    int selected_reg;       // VIEW_REG_*
    bool memory_follows;    // memory shows the selected register's target
    u64 memory_want;
    u32 heap_zoom;          // blocks a cell, power of two; 0 = the whole heap
    bool heap_follows;      // the window stays around the next search
    u64 heap_first;         // first block shown when it does not follow
    u32 opcode_scroll;
    bool output_follows;    // pane output shows the end
    size_t output_top;      // else: where its first row begins
    u32 shift;              // columns that long lines are moved to the left
    u64 lines_break[16];    // Python line breakpoints
    u32 n_lines_break;
    bool help;
    u32 help_top, help_rows; // first line of the help shown; rows it has, set by view_screen
} ViewModel;

void view_model_init(ViewModel *v, DrvSession *s);
void view_model_mark(ViewModel *v);                 // before a run or step: what changes from now on is shown as changed
void view_model_refresh(ViewModel *v, EvStop stop); // after it, or while it goes on
void view_model_tell_stop(ViewModel *v);              // why it stopped, as message; of a fault: its card as output, its register selected
void view_model_look(ViewModel *v);                  // the user moved: same machine, other memory
void view_model_free(ViewModel *v);
void view_message(ViewModel *v, bool is_error, const char *fmt, ...) PRINTF_LIKE(3, 4);

// "gc_alloc+0x10" for an address with a symbol, of any kind; false without.
bool view_symbol_text(const ViewModel *v, u64 addr, char *out, size_t size);
bool view_label_at(const ViewModel *v, u64 addr, char *out, size_t size); // the symbol that begins exactly there
// The capability that pane registers selects, and its name ("c7", "csp", …).
Cap view_reg_value(const SnapRegs *r, int reg);
const char *view_reg_name(int reg, bool purecap, char out[16]);

// Capabilities in few characters (captext.c).
void view_cap_perms(Cap c, char out[8]);                                  // "rw-RW-"
void view_cap_place(const ViewModel *v, Cap c, char *out, size_t size);   // "+8/64", "-4/64 OUT", "sentry", code: "main+0x10"
// The whole capability over two rows where one is too short: value and attributes, bounds.
void view_put_cap(ViewGrid *g, ViewArea a, int y, const char *name, Cap c);

// The views. Each draws one area and nothing else.
void view_code(ViewGrid *g, ViewArea a, const ViewModel *v);
void view_regs(ViewGrid *g, ViewArea a, const ViewModel *v);
void view_memory(ViewGrid *g, ViewArea a, const ViewModel *v);
void view_heap(ViewGrid *g, ViewArea a, const ViewModel *v);
void view_opcodes(ViewGrid *g, ViewArea a, const ViewModel *v);
u32 view_opcodes_width(const ViewModel *v); // columns it would like
void view_output(ViewGrid *g, ViewArea a, const ViewModel *v);
void view_output_tail(ViewGrid *g, ViewArea a, const ViewModel *v); // the last rows only
void view_output_move(ViewModel *v, int rows);
void view_help(ViewGrid *g, ViewArea a, ViewModel *v);
// The whole screen at any size; below VIEW_MIN_W x VIEW_MIN_H it says so.
enum { VIEW_MIN_W = 80, VIEW_MIN_H = 24 };
void view_screen(ViewGrid *g, ViewModel *v);

#endif
