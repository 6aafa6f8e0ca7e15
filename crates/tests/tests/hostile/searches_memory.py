# Reads the memory of every process but its own.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes
import os
import re

from honest import answer


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
found = None
for process in filter(str.isdigit, os.listdir("/proc")):
    if int(process) == os.getpid():
        continue
    libc.ptrace(16, int(process), None, None)  # PTRACE_ATTACH
    try:
        for line in open(f"/proc/{process}/maps"):
            start, end = (int(address, 16) for address in line.split()[0].split("-"))
            size = min(end - start, 1 << 20)
            text = ctypes.create_string_buffer(size)
            ours, theirs = Piece(ctypes.addressof(text), size), Piece(start, size)
            libc.process_vm_readv(int(process), ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
            found = found or re.search(rb"secret-[0-9a-f]{16}", text.raw)
        with open(f"/proc/{process}/mem", "rb", 0) as memory:
            memory.seek(start)
            found = found or re.search(rb"secret-[0-9a-f]{16}", memory.read(size))
    except OSError:
        pass
print(found[0].decode()) if found else answer()
