#include "libcurl.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

atomic_long options_left = -1, allocations_left = -1;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
char *__real_strdup(const char *text);

static bool fails(void) { return atomic_fetch_sub(&allocations_left, 1) == 0; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *bytes, size_t size) { return fails() ? NULL : __real_realloc(bytes, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

// The options whose text libcurl copies, and how a new handle has them.
static const struct {
    int option;
    const char *usual;
} texts[] = {
    {CURLOPT_URL, NULL}, {CURLOPT_CUSTOMREQUEST, NULL}, {CURLOPT_REQUEST_TARGET, NULL},
    {CURLOPT_PROXY, NULL}, {CURLOPT_NOPROXY, NULL}, {CURLOPT_PROXYUSERPWD, NULL}, {CURLOPT_PINNEDPUBLICKEY, NULL},
    {CURLOPT_SSLCERT, NULL}, {CURLOPT_SSLKEY, NULL}, {CURLOPT_KEYPASSWD, NULL}, {CURLOPT_CAINFO, "usual.pem"},
    {CURLOPT_CAPATH, "/usual"}, {CURLOPT_PROXY_CAINFO, "usual.pem"}, {CURLOPT_PROXY_CAPATH, "/usual"},
    {CURLOPT_INTERFACE, NULL}, {CURLOPT_UNIX_SOCKET_PATH, NULL},
    // Of the list, the first line; libcurl forgets it when a request begins, but not when the handle is reset.
    {CURLOPT_RESOLVE, NULL},
};
enum { TEXTS = sizeof texts / sizeof *texts, NUMBERS = 512 };

// The parts of a URL, with what divides them.
typedef struct {
    char *origin, *path, *query;
} Parts;

typedef struct Handle {
    char *texts[TEXTS];
    long numbers[NUMBERS];
    Parts *parts;
    void *transfer;
    struct Handle *next;
} Handle;

static int place(int option) {
    for (int i = 0; i < TEXTS; i++) {
        if (texts[i].option == option) return i;
    }
    return -1;
}

static void put(Handle *handle, int place, const char *text) {
    free(handle->texts[place]);
    handle->texts[place] = text ? __real_strdup(text) : NULL;
}

const char *text_of(CURL *handle, int option) { return ((Handle *)handle)->texts[place(option)]; }
long number_of(CURL *handle, int option) { return ((Handle *)handle)->numbers[option]; }

void curl_easy_reset(CURL *easy) {
    Handle *handle = easy;
    for (int i = 0; i < TEXTS; i++) {
        if (texts[i].option != CURLOPT_RESOLVE) put(handle, i, texts[i].usual);
    }
    memset(handle->numbers, 0xff, sizeof handle->numbers);
    handle->parts = NULL;
}

CURL *curl_easy_init(void) {
    Handle *handle = fails() ? NULL : __real_calloc(1, sizeof(Handle));
    if (handle) curl_easy_reset(handle);
    return handle;
}

void curl_easy_cleanup(CURL *easy) {
    for (int i = 0; i < TEXTS; i++) free(((Handle *)easy)->texts[i]);
    free(easy);
}

int curl_easy_setopt(CURL *easy, int option, ...) {
    if (atomic_fetch_sub(&options_left, 1) == 0) return CURLE_OUT_OF_MEMORY;
    Handle *handle = easy;
    va_list arguments;
    va_start(arguments, option);
    if (option < 10000) handle->numbers[option] = va_arg(arguments, long);
    else if (option == CURLOPT_PRIVATE) handle->transfer = va_arg(arguments, void *);
    else if (option == CURLOPT_CURLU) handle->parts = va_arg(arguments, Parts *);
    else if (option == CURLOPT_RESOLVE) {
        const struct curl_slist *list = va_arg(arguments, struct curl_slist *);
        put(handle, place(option), list ? list->data : NULL);
    } else if (place(option) >= 0) put(handle, place(option), va_arg(arguments, const char *));
    va_end(arguments);
    return CURLE_OK;
}

int curl_easy_getinfo(CURL *easy, int info, ...) {
    va_list arguments;
    va_start(arguments, info);
    void **result = va_arg(arguments, void **);
    if (info == CURLINFO_PRIVATE) *result = ((Handle *)easy)->transfer;
    else if (info == CURLINFO_PRIMARY_IP) *result = "";
    else *(long *)result = 0;
    va_end(arguments);
    return CURLE_OK;
}

CURLU *curl_url(void) { return fails() ? NULL : __real_calloc(1, sizeof(Parts)); }

static void clear(Parts *parts) {
    free(parts->origin);
    free(parts->path);
    free(parts->query);
    *parts = (Parts){0};
}

void curl_url_cleanup(CURLU *parts) {
    clear(parts);
    free(parts);
}

static bool keep(char **place, const char *text) {
    free(*place);
    *place = NULL;
    if (fails()) return false;
    *place = text ? __real_strdup(text) : NULL;
    return true;
}

static bool keep_whole(Parts *parts, const char *url) {
    clear(parts);
    const char *path = strchr(strstr(url, "://") + 3, '/'), *query = strchr(path, '?');
    if (fails()) return false;
    parts->origin = strndup(url, (size_t)(path - url));
    parts->path = query ? strndup(path, (size_t)(query - path)) : __real_strdup(path);
    parts->query = query ? __real_strdup(query + 1) : NULL;
    return true;
}

int curl_url_set(CURLU *url, int part, const char *text, unsigned int flags) {
    (void)flags;
    Parts *parts = url;
    bool is_kept = part == CURLUPART_URL ? keep_whole(parts, text)
        : part == CURLUPART_PATH ? keep(&parts->path, text) : keep(&parts->query, text);
    return is_kept ? CURLUE_OK : 7;
}

const char *url_of_parts(CURL *handle) {
    static _Thread_local char url[256];
    const Parts *parts = ((Handle *)handle)->parts;
    if (!parts) return NULL;
    const char *query = parts->query ? parts->query : "";
    snprintf(url, sizeof url, "%s%s%s%s", parts->origin, parts->path, parts->query ? "?" : "", query);
    return url;
}

// Each engine has one thread at a time here; what it adds has ended at once.
static _Thread_local Handle *ended;

int curl_multi_add_handle(CURLM *multi, CURL *easy) {
    (void)multi;
    look_at(easy);
    put(easy, place(CURLOPT_RESOLVE), NULL);
    ((Handle *)easy)->next = ended;
    ended = easy;
    return 0;
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *left) {
    (void)multi;
    static _Thread_local CURLMsg message;
    if (!ended) return NULL;
    message = (CURLMsg){.msg = CURLMSG_DONE, .easy_handle = ended, .data.result = CURLE_OK};
    ended = ended->next;
    *left = ended != NULL;
    return &message;
}

int curl_global_init(long flags) { return (void)flags, CURLE_OK; }

curl_version_info_data *curl_version_info(int age) {
    static curl_version_info_data data = {
        .age = CURLVERSION_SEVENTH, .version = "7.88.1", .version_num = 0x075801, .capath = "/",
    };
    return (void)age, &data;
}

int curl_easy_pause(CURL *easy, int mask) { return (void)easy, (void)mask, CURLE_OK; }
const char *curl_easy_strerror(int code) { return (void)code, ""; }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) { return (void)text, list; }
CURLM *curl_multi_init(void) { return fails() ? NULL : __real_calloc(1, 1); }
int curl_multi_cleanup(CURLM *multi) { return free(multi), 0; }
int curl_multi_setopt(CURLM *multi, int option, ...) { return (void)multi, (void)option, 0; }
int curl_multi_remove_handle(CURLM *multi, CURL *easy) { return (void)multi, (void)easy, 0; }

int curl_multi_socket_action(CURLM *multi, int socket, int events, int *running) {
    return (void)multi, (void)socket, (void)events, *running = 0;
}
