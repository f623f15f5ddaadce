#include "CurlEasy.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// From curl/curl.h, whose values never change.
enum { WRITEDATA = 10001, URL = 10002, NOSIGNAL = 99, WRITEFUNCTION = 20011, RESPONSE_CODE = 0x200002 };

typedef struct {
    char *bytes;
    size_t count, capacity;
} Content;

static size_t append(char *bytes, size_t size, size_t count, void *context) {
    Content *content = context;
    size_t more = size * count;
    if (content->count + more > content->capacity) {
        content->capacity = (content->count + more) * 2;
        content->bytes = realloc(content->bytes, content->capacity);
    }
    memcpy(content->bytes + content->count, bytes, more);
    content->count += more;
    return more;
}

static unsigned long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec;
}

int curl_easy_get(const char *url, int count, unsigned long long *nanoseconds) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (!library) return 0;
    void *(*init)(void) = (void *(*)(void))dlsym(library, "curl_easy_init");
    int (*setopt)(void *, int, ...) = (int (*)(void *, int, ...))dlsym(library, "curl_easy_setopt");
    int (*perform)(void *) = (int (*)(void *))dlsym(library, "curl_easy_perform");
    int (*getinfo)(void *, int, ...) = (int (*)(void *, int, ...))dlsym(library, "curl_easy_getinfo");
    void (*cleanup)(void *) = (void (*)(void *))dlsym(library, "curl_easy_cleanup");
    void *handle = init && setopt && perform && getinfo && cleanup ? init() : NULL;
    if (!handle) return 0;
    Content content = {NULL, 0, 0};
    setopt(handle, NOSIGNAL, 1L);
    setopt(handle, URL, url);
    setopt(handle, WRITEFUNCTION, append);
    setopt(handle, WRITEDATA, &content);
    int done = 0;
    for (; done < count; done++) {
        content.count = 0;
        unsigned long long start = now();
        long status = 0;
        if (perform(handle) || getinfo(handle, RESPONSE_CODE, &status) || status != 200) break;
        nanoseconds[done] = now() - start;
    }
    cleanup(handle);
    free(content.bytes);
    return done == count;
}
