// report.h: everything a report says, collected once from the machine; text, JSON and CSV are three ways to write it down.
#ifndef CAPLAB_DRIVER_REPORT_H
#define CAPLAB_DRIVER_REPORT_H

#include "driver/driver.h"

enum { REPORT_MAX_HEAPS = 4 };

// An opcode as reports name it: the bytes that stand for one opcode with different small arguments are one.
typedef struct ReportOpcode {
    char name[40];
    u8 first; // its first byte
    SnapOpcode sum;
} ReportOpcode;

typedef struct Report {
    const DrvSession *s;
    EvStop stop;
    const char *reason; // "exit", "fault", "limit", "interrupt"
    int status;
    SnapCounters counters;
    SnapOpcodes opcodes;
    ReportOpcode opcode[256]; // those that ran, by byte
    u32 n_opcodes;
    SnapHeap heaps[REPORT_MAX_HEAPS];
    u32 n_heaps;
    double seconds, mips;
} Report;

void drv_report_collect(DrvSession *s, EvStop stop, double seconds, Report *r);
double drv_external_fragmentation(const SnapHeap *h); // -1 = does not apply
double drv_internal_fragmentation(const SnapHeap *h);
int drv_exit_status(DrvSession *s, EvStop stop); // docs/cli.md; 130 for a stop that is no end

#endif
