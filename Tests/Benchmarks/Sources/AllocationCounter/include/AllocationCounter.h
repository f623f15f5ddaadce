#pragma once
#include <stdint.h>

/// Counts from now on how many blocks the process allocates on its heap: every malloc, calloc, realloc and aligned
/// allocation of every library.
void allocation_count_begin(void);

/// Stops counting, and gives the number; always 0 where the C library is not glibc.
uint64_t allocation_count_end(void);
