// front_support.h: parse and preprocess small texts in the tests of the front end.
#ifndef CAPLAB_TESTS_FRONT_SUPPORT_H
#define CAPLAB_TESTS_FRONT_SUPPORT_H

#include "base/buf.h"
#include "cc/ast.h"

typedef struct FrontTest {
    Arena arena;
    CcUnit *unit;
    Err err;
    Buf warnings; // their texts, one a line
} FrontTest;

// Includes of these tests: "one.h", "twice.h" (#pragma once), <sys.h>, "loop.h" (includes itself).
bool front_parse(FrontTest *t, const char *text, CcAbi abi, bool no_probes); // free with front_free
void front_free(FrontTest *t);
Obj *front_obj(const FrontTest *t, const char *name);

// All tokens with one space between those that had white space; errors as "error: line:col: text". Free the result.
char *front_tokens(const char *text, CcAbi abi);

#endif
