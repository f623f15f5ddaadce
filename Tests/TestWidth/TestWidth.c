// Limits how many tests run at once.
//
// Swift Testing starts all of them together. On a busy machine some 1,500 tests share the processors so thinly that
// they miss the time limits of requests and refreshes, which are real seconds; and on an idle one that takes longer, too.
// It reads its own limit from the environment, which a test can't set before it begins: the program's start can.

#include "TestWidth.h"

// As stdlib.h declares it, which Linux doesn't have for Apple's platforms.
extern int setenv(const char *name, const char *value, int replaces);

// A developer's own value stays.
__attribute__((constructor)) static void limit_tests(void) { setenv(TEST_WIDTH_VARIABLE, "12", 0); }
