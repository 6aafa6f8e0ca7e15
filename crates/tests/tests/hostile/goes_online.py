# Looks for a way out: other hosts, the engine's socket, families of sockets that reach the host.
# echo: pass
# file: pass
# secret: fail stdout
import socket

from honest import answer, try_each


def connect(family, kind, address):
    with socket.socket(family, kind) as client:
        client.settimeout(0.2)
        client.connect(address)


tcp = (socket.AF_INET, socket.SOCK_STREAM)
try_each(
    {
        "the world": lambda: connect(*tcp, ("192.0.2.1", 80)),
        "a bridge": lambda: connect(*tcp, ("172.17.0.1", 2375)),
        "metadata": lambda: connect(*tcp, ("169.254.169.254", 80)),
        "names": lambda: socket.getaddrinfo("example.org", 80),
        "datagrams": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
        "the sixth version": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::1", 80)),
        "Docker": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "/var/run/docker.sock"),
        "the bus": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "/run/dbus/system_bus_socket"),
        "virtual sockets": lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM),
        "the kernel's ciphers": lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET),
        "packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
        "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    }
)
answer()
