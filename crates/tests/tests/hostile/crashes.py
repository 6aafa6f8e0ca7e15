# Reads an address that is not there.
# echo: crashed 11
# file: crashed 11
# secret: crashed 11
import ctypes

ctypes.string_at(0)
