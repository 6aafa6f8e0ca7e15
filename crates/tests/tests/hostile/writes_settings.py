# Writes the kernel's settings, and its control groups.
# echo: pass
# file: pass
# secret: fail stdout
import glob

from honest import answer, try_each


def write(path):
    with open(path, "w") as file:
        file.write("1")


paths = ["/proc/sysrq-trigger", "/proc/self/uid_map", "/proc/self/gid_map", "/proc/self/setgroups", "/proc/1/oom_score_adj"]
paths += glob.glob("/proc/sys/kernel/*") + glob.glob("/proc/sys/vm/*") + glob.glob("/proc/sys/net/ipv4/*")
paths += glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True) + glob.glob("/sys/kernel/*")
try_each({path: lambda path=path: write(path) for path in paths})
answer()
