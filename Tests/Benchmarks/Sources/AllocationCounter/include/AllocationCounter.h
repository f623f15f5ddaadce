#pragma once
#include <stdint.h>

/// How many blocks of memory the process has asked its heap for so far: every malloc, calloc, realloc and aligned
/// allocation of every library counts. Always 0 where the C library is not glibc.
uint64_t allocation_count(void);
