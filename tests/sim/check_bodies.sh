#!/bin/sh
# check_bodies.sh OBJECT…: disassembles the instruction bodies (functions ex_*) of the tail-call engine and fails if one calls
# anything (then NEXT was not a tail call) or saves a register (then the way to NEXT has a frame). A few vector and accounting bodies
# need more registers than a function may spoil: they may save some. Bodies named call_* call what they do; of them only NEXT must be a
# tail call.
may_push='^ex_(ADD_V|SUB_V|BIT_V|ADDV_V|UADDLV_V|DISPATCH)_'
status=0
found=0
for object in "$@"; do
    report=$(objdump -d --no-show-raw-insn "$object" | awk -v may_push="$may_push" '
        /^[0-9a-f]+ <ex_[A-Za-z0-9_]+>:/ { name = $2; gsub(/[<>:]/, "", name); caller = ""; n++; next }
        /^[0-9a-f]+ <call_[A-Za-z0-9_]+>:/ { caller = $2; gsub(/[<>:]/, "", caller); name = ""; n++; next }
        /^[0-9a-f]+ </ { name = caller = "" }
        caller != "" && /\tcall +\*/ { print caller ": " $0 }
        name != "" && /\tcall/ { print name ": " $0 }
        name != "" && /\tpush/ && name !~ may_push { print name ": " $0 }
        END { print n + 0 > "/dev/stderr" }' 2>/tmp/check_bodies.$$)
    found=$((found + $(cat /tmp/check_bodies.$$)))
    if [ -n "$report" ]; then
        echo "$object:"
        echo "$report"
        status=1
    fi
done
rm -f /tmp/check_bodies.$$
if [ "$found" -lt 1000 ]; then
    echo "only $found bodies found: wrong objects?"
    status=1
fi
echo "$found bodies looked at"
exit $status
