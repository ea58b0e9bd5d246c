# args: alpha 41
import sys
print(len(sys.argv), sys.argv[1:])
print(sys.argv[1] + sys.argv[2], int(sys.argv[2]) + 1)
