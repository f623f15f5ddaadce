#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static _Atomic uint64_t allocations;
static _Atomic bool is_counting;

void allocation_count_begin(void) {
    atomic_store(&allocations, 0);
    atomic_store(&is_counting, true);
}

uint64_t allocation_count_end(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&allocations);
}

#ifdef __GLIBC__

// An executable's own symbols win over the C library's, so these stand in for malloc and its like in every library
// that the process loads. The C library's own heap does the work.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Threads that count in one place get in each other's way, so this happens only where time is not measured.
static void count(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

void free(void *block) { __libc_free(block); }

#endif
