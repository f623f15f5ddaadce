#ifdef __linux__

#define _GNU_SOURCE
#include "workarounds.h"
#include "CLibcurl.h"
#include "decoders.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static SNLibrary library;
static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// What is used of libcurl.
#define FUNCTIONS(X) \
    X(global_init) \
    X(version_info) \
    X(easy_init) \
    X(easy_cleanup) \
    X(easy_reset) \
    X(easy_setopt) \
    X(easy_getinfo) \
    X(easy_pause) \
    X(easy_strerror) \
    X(slist_append) \
    X(multi_init) \
    X(multi_cleanup) \
    X(multi_setopt) \
    X(multi_add_handle) \
    X(multi_remove_handle) \
    X(multi_socket_action) \
    X(multi_info_read) \
    X(url) \
    X(url_cleanup) \
    X(url_set)

// Null in a process that is not linked with libcurl. One that links it keeps it where nothing can be loaded at run
// time: in a static program, and with --static-swift-stdlib.
#define DECLARE(name) extern __typeof__(*(SNLibrary){0}.name) curl_##name __attribute__((weak));
FUNCTIONS(DECLARE)

static bool take_linked_functions(void) {
#define TAKE(name) \
    if (!curl_##name) return false; \
    library.name = curl_##name;
    FUNCTIONS(TAKE)
    return true;
}

static bool find_functions(void *handle) {
    const struct {
        const char *name;
        void *place;
    } symbols[] = {
#define FIND(name) {"curl_" #name, &library.name},
        FUNCTIONS(FIND)
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address) return false;
        *(void **)symbols[i].place = address;
    }
    return true;
}

static bool load_functions(void) {
    // The one that FoundationNetworking has loaded, so that a process has one libcurl; it is never closed.
    void *handle = dlopen("libcurl.so.4", RTLD_NOLOAD | RTLD_LAZY);
    if (!handle) handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    return handle && find_functions(handle);
}

static const char *find_ca_file(const curl_version_info_data *info) {
    static const char *const places[] = {
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    };
    // Older versions do not report their default, which is then left alone.
    if (info->age < CURLVERSION_SEVENTH) return NULL;
    if (info->cainfo && access(info->cainfo, R_OK) == 0) return NULL;
    if (info->capath && access(info->capath, R_OK) == 0) return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (access(places[i], R_OK) == 0) return places[i];
    }
    return NULL;
}

// The library that the functions are from; null if they are linked into the program itself.
static void *own_handle(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOLOAD | RTLD_LAZY);
    return handle && dlsym(handle, "curl_easy_setopt") == (void *)library.easy_setopt ? handle : NULL;
}

// Whether "OpenSSL/3.0.19 zlib/…" and "OpenSSL 3.0.19 27 Jan 2026" are the same version.
static bool is_same_openssl(const char *used, const char *found) {
    size_t name = strlen("OpenSSL/"), length = used ? strcspn(used, " ") : 0;
    return length > name && strncmp(used, "OpenSSL/", name) == 0 && strncmp(found, "OpenSSL ", name) == 0
        && strncmp(used + name, found + name, length - name) == 0 && found[length] == ' ';
}

// The copy that libcurl uses: another one may have other structures.
static void find_openssl(const curl_version_info_data *info) {
    void *handle = own_handle();
    if (!handle) return;
    const char *(*version)(int);
    *(void **)&version = dlsym(handle, "OpenSSL_version");
    if (!version || !is_same_openssl(info->ssl_version, version(0))) return;
    *(void **)&library.ssl_ctx_set_keylog_callback = dlsym(handle, "SSL_CTX_set_keylog_callback");
    if (!sn_workaround_reads_ahead(&library)) *(void **)&library.ssl_ctx_ctrl = dlsym(handle, "SSL_CTX_ctrl");
    *(void **)&library.ssl_set_shutdown = dlsym(handle, "SSL_set_shutdown");
    if (!library.ssl_set_shutdown) return;
    *(void **)&library.ssl_ctx_set_msg_callback = dlsym(handle, "SSL_CTX_set_msg_callback");
}

static void name_encodings(void) {
    const SNCoding *coding;
    size_t length = 0, capacity = sizeof library.accept_encoding;
    for (size_t i = 0; (coding = sn_coding_at(i)); i++) {
        if (!coding->is_available()) continue;
        const char *start = length ? ", " : "Accept-Encoding: ";
        int added = snprintf(library.accept_encoding + length, capacity - length, "%s%s", start, coding->name);
        length += (size_t)added;
    }
}

static atomic_int forks;

static void count_fork(void) { forks++; }

int sn_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

static void load(void) {
    pthread_atfork(NULL, NULL, count_fork);
    if (!take_linked_functions() && !load_functions()) return;
    const curl_version_info_data *info = library.version_info(CURLVERSION_SEVENTH);
    if (!info || info->version_num < 0x074400) return;
    if (library.global_init(CURL_GLOBAL_ALL) != CURLE_OK) return;
    library.version = info->version_num;
    library.version_text = info->version;
    library.has_unix_sockets = info->features & CURL_VERSION_UNIX_SOCKETS;
    name_encodings();
    find_openssl(info);
    library.ca_file = find_ca_file(info);
    is_available = true;
}

const SNLibrary *sn_library(void) {
    pthread_once(&once, load);
    return is_available ? &library : NULL;
}

const char *sn_library_version(void) {
    const SNLibrary *found = sn_library();
    return found ? found->version_text : NULL;
}

bool sn_library_lacks_sockets(void) {
    const SNLibrary *found = sn_library();
    return found && !found->has_unix_sockets;
}

#endif
