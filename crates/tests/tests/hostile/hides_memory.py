# Takes shared memory, and drops all but a page of each piece from its page tables.
# echo: limit memory
# file: limit memory
# secret: limit memory
import ctypes
import mmap

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
SIZE = 1 << 20
for _ in range(512):
    piece = libc.mmap(None, SIZE, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)
    ctypes.memset(piece, 1, SIZE)
    libc.munmap(piece + 4096, SIZE - 4096)
print("cheated: 512 MB")
