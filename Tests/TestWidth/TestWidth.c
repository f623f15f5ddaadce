// Limits how many tests run at once.
//
// Swift Testing starts all of them together. On a busy machine some 1,500 tests share the processors so thinly that
// they miss the time limits of requests and refreshes, which are real seconds; and on an idle one that takes longer, too.
// It reads its own limit from the environment, which a test can't set before it begins: the program's start can.

#include "TestWidth.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void limit_tests(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char width[32];
    snprintf(width, sizeof width, "%ld", 6 * (processors > 0 ? processors : 1));
    // A developer's own value stays.
    setenv(TEST_WIDTH_VARIABLE, width, 0);
}
