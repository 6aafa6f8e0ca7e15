# Makes and opens devices.
# echo: pass
# file: pass
# secret: fail stdout
import os

from honest import answer, try_each

try_each(
    {
        "null": lambda: os.mknod("null", 0o020666, os.makedev(1, 3)),
        "disk": lambda: os.mknod("/tmp/disk", 0o060666, os.makedev(8, 0)),
        "memory": lambda: open("/dev/mem", "rb"),
        "kernel messages": lambda: open("/dev/kmsg", "rb"),
        "fuse": lambda: open("/dev/fuse", "rb"),
        "terminal": lambda: open("/dev/tty", "rb"),
        "disks": lambda: open("/dev/sda", "rb"),
    }
)
answer()
