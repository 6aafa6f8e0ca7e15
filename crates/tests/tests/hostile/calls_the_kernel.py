# Asks the kernel for what no solution needs: tracing, keyrings, counters, programs and rings of its own.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes

from honest import answer, cheat

libc = ctypes.CDLL(None, use_errno=True)
attributes = ctypes.create_string_buffer(128)
attributes[4] = 112  # the size, as perf_event_open and bpf want it
for name, number, *arguments in (
    ("ptrace", 101, 16, 1, 0, 0),
    ("kcmp", 312, 1, 1, 0, 0, 0),
    ("process_vm_writev", 311, 1, 0, 0, 0, 0, 0),
    ("pidfd_getfd", 438, 0, 0, 0),
    ("keyctl", 250, 0, -3, 1),
    ("add_key", 248, b"user", b"note", b"x", 1, -3),
    ("request_key", 249, b"user", b"note", 0, 0),
    ("perf_event_open", 298, attributes, 0, -1, -1, 0),
    ("bpf", 321, 0, attributes, 120),
    ("userfaultfd", 323, 0),
    ("io_uring_setup", 425, 8, attributes),
    ("open_by_handle_at", 304, -100, attributes, 0),
    ("kexec_load", 246, 0, 0, 0, 0),
    ("init_module", 175, attributes, 128, b""),
    ("reboot", 169, 0xFEE1DEAD, 672274793, 0, 0),
    ("swapon", 167, b"/work", 0),
    ("settimeofday", 164, attributes, 0),
    ("acct", 163, b"/work/acct"),
    ("quotactl", 179, 0, 0, 0, 0),
    ("syslog", 103, 3, attributes, 128),
):
    if libc.syscall(number, *arguments) >= 0:
        cheat(name)
answer()
