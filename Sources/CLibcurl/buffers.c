#ifdef __linux__

#define _GNU_SOURCE
#include "buffers.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// By default, new memory comes in small pages, which takes the kernel longer than the content takes to arrive.
static void use_large_pages(char *bytes, size_t capacity) {
    size_t page = (size_t)2 << 20, skipped = (page - (uintptr_t)bytes % page) % page;
    if (capacity < 2 * page) return;
    madvise(bytes + skipped, (capacity - skipped) / page * page, MADV_HUGEPAGE);
}

bool sn_buffer_reserve(SNBuffer *buffer, size_t capacity) {
    if (capacity <= buffer->capacity) return true;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) return false;
    use_large_pages(bytes, capacity);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

bool sn_buffer_append(SNBuffer *buffer, const void *bytes, size_t count) {
    if (count > buffer->capacity - buffer->count) {
        if (count > PTRDIFF_MAX - buffer->count) return false;
        if (!sn_buffer_reserve(buffer, sn_larger(buffer->capacity, buffer->count + count, 1))) return false;
    }
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

void sn_buffer_trim(SNBuffer *buffer) {
    buffer->count = 0;
    if (buffer->capacity <= 32 << 10) return;
    free(buffer->bytes);
    *buffer = (SNBuffer){0};
}

#endif
