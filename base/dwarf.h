// dwarf.h: the numbers of DWARF that line tables are made of; cc writes version 4, the driver reads 2 to 5.
#ifndef CAPLAB_BASE_DWARF_H
#define CAPLAB_BASE_DWARF_H

enum {
    // opcodes of a line program
    DW_LNS_EXTENDED = 0, DW_LNS_COPY = 1, DW_LNS_ADVANCE_PC = 2, DW_LNS_ADVANCE_LINE = 3, DW_LNS_SET_FILE = 4, DW_LNS_SET_COLUMN = 5,
    DW_LNS_CONST_ADD_PC = 8, DW_LNS_FIXED_ADVANCE_PC = 9,
    DW_LNE_END_SEQUENCE = 1, DW_LNE_SET_ADDRESS = 2,
    // entries of file tables (version 5)
    DW_LNCT_PATH = 1, DW_LNCT_DIRECTORY = 2,
    // how values are written
    DW_FORM_ADDR = 0x01, DW_FORM_BLOCK2 = 0x03, DW_FORM_BLOCK4 = 0x04, DW_FORM_DATA2 = 0x05, DW_FORM_DATA4 = 0x06, DW_FORM_DATA8 = 0x07,
    DW_FORM_STRING = 0x08, DW_FORM_BLOCK = 0x09, DW_FORM_BLOCK1 = 0x0a, DW_FORM_DATA1 = 0x0b, DW_FORM_STRP = 0x0e, DW_FORM_UDATA = 0x0f,
    DW_FORM_SEC_OFFSET = 0x17, DW_FORM_DATA16 = 0x1e, DW_FORM_LINE_STRP = 0x1f,
    // a compile unit
    DW_TAG_COMPILE_UNIT = 0x11,
    DW_AT_NAME = 0x03, DW_AT_STMT_LIST = 0x10, DW_AT_LOW_PC = 0x11, DW_AT_HIGH_PC = 0x12,
};

#endif
