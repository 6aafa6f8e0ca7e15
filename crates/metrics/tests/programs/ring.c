/* A ring buffer of bytes. */
#include <stdlib.h>
#include <string.h>

struct ring {
    unsigned char *bytes;
    size_t size, start, used;
};

static struct ring *ring_new(size_t size)
{
    struct ring *ring = malloc(sizeof *ring);
    if (!ring || !(ring->bytes = malloc(size))) {
        free(ring);
        return NULL;
    }
    ring->size = size;
    return ring;
}

#ifdef __cplusplus
extern "C" {
#endif

int ring_push(struct ring *ring, unsigned char byte)
{
    if (ring->used == ring->size)
        return -1; // full
    ring->bytes[(ring->start + ring->used++) % ring->size] = byte;
    return 0;
}

int (*ring_handler(int kind))(struct ring *, unsigned char)
{
    switch (kind) {
    case 'p':
        return ring_push;
    default:
        return 0;
    }
}

size_t ring_copy(const struct ring *ring, char *to, size_t most)
{
    size_t copied = 0;
    while (copied < most && copied < ring->used) {
        to[copied] = ring->bytes[(ring->start + copied) % ring->size];
        copied++;
    }
    for (size_t at = copied; at < most; at++)
        to[at] = at % 2 ? ' ' : '\0';
    return copied;
}

#ifdef __cplusplus
}
#endif
