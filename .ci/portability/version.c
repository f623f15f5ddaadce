// Prints the version of libcurl that the engine finds, or none.
#include "CLibcurl.h"
#include <stdio.h>

// Stand for the loader's functions in a program that may load nothing.
void *refuse_opening(const char *name, int flags) { return (void)name, (void)flags, NULL; }
void *refuse_finding(void *handle, const char *name) { return (void)handle, (void)name, NULL; }

int main(void) {
    const char *version = sn_library_version();
    puts(version ? version : "none");
}
