#ifdef __linux__

#define _GNU_SOURCE
#include "library.h"
#include "CLibcurl.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static SNLibrary library;
static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(void *handle) {
    const struct {
        const char *name;
        void *place;
    } symbols[] = {
        {"curl_global_init", &library.global_init},
        {"curl_version_info", &library.version_info},
        {"curl_easy_init", &library.easy_init},
        {"curl_easy_cleanup", &library.easy_cleanup},
        {"curl_easy_reset", &library.easy_reset},
        {"curl_easy_setopt", &library.easy_setopt},
        {"curl_easy_getinfo", &library.easy_getinfo},
        {"curl_easy_pause", &library.easy_pause},
        {"curl_easy_strerror", &library.easy_strerror},
        {"curl_slist_append", &library.slist_append},
        {"curl_multi_init", &library.multi_init},
        {"curl_multi_cleanup", &library.multi_cleanup},
        {"curl_multi_setopt", &library.multi_setopt},
        {"curl_multi_add_handle", &library.multi_add_handle},
        {"curl_multi_remove_handle", &library.multi_remove_handle},
        {"curl_multi_socket_action", &library.multi_socket_action},
        {"curl_multi_info_read", &library.multi_info_read},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address) return false;
        *(void **)symbols[i].place = address;
    }
    return true;
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

static void name_encodings(const curl_version_info_data *info) {
    snprintf(
        library.accept_encoding, sizeof library.accept_encoding, "Accept-Encoding: deflate, gzip%s%s",
        info->features & CURL_VERSION_BROTLI ? ", br" : "", info->features & CURL_VERSION_ZSTD ? ", zstd" : "");
    // Without zlib, libcurl makes the field itself.
    if (!(info->features & CURL_VERSION_LIBZ)) library.accept_encoding[0] = 0;
}

static void load(void) {
    // The one that FoundationNetworking has loaded, so that a process has one libcurl; it is never closed.
    void *handle = dlopen("libcurl.so.4", RTLD_NOLOAD | RTLD_LAZY);
    if (!handle) handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!handle || !find_functions(handle)) return;
    const curl_version_info_data *info = library.version_info(CURLVERSION_SEVENTH);
    if (!info || info->version_num < 0x074400) return;
    if (library.global_init(CURL_GLOBAL_ALL) != CURLE_OK) return;
    library.version = info->version_num;
    library.features = info->features;
    library.version_text = info->version;
    name_encodings(info);
    library.ca_file = find_ca_file(info);
    is_available = true;
}

// From 7.83 until 8.1, a handle keeps a pointer to the last header field of the previous response, which is freed by
// then; a response that begins with a folded line frees it once more (curl's commit cd1c611b24).
bool sn_library_keeps_handles(uint32_t version) { return version < 0x075300 || version >= 0x080100; }

const SNLibrary *sn_library(void) {
    pthread_once(&once, load);
    return is_available ? &library : NULL;
}

const char *sn_library_version(void) {
    const SNLibrary *found = sn_library();
    return found ? found->version_text : NULL;
}

#endif
