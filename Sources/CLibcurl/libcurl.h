// libcurl's functions, found at run time.
#ifndef SN_LIBCURL_H
#define SN_LIBCURL_H

#include "curl_abi.h"
#include <stdbool.h>

typedef struct {
    int (*global_init)(long);
    curl_version_info_data *(*version_info)(int);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    void (*easy_reset)(CURL *);
    // Variadic in libcurl too, so only C may call these.
    int (*easy_setopt)(CURL *, int, ...);
    int (*easy_getinfo)(CURL *, int, ...);
    SNCode (*easy_pause)(CURL *, int);
    const char *(*easy_strerror)(SNCode);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    CURLM *(*multi_init)(void);
    int (*multi_cleanup)(CURLM *);
    int (*multi_setopt)(CURLM *, int, ...);
    int (*multi_add_handle)(CURLM *, CURL *);
    int (*multi_remove_handle)(CURLM *, CURL *);
    int (*multi_socket_action)(CURLM *, int, int, int *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    CURLU *(*url)(void);
    void (*url_cleanup)(CURLU *);
    int (*url_set)(CURLU *, int, const char *, unsigned int);
    unsigned int version;
    const char *version_text;
    bool has_unix_sockets;
    // A bundle of certificates, if libcurl's own default is not on this machine.
    const char *ca_file;
    // Sets options of OpenSSL; null unless libcurl uses it, and reads no more from a socket than OpenSSL asks for.
    long (*ssl_ctx_ctrl)(void *context, int command, long number, void *pointer);
    // Null unless libcurl uses the OpenSSL that is found.
    void (*ssl_ctx_set_msg_callback)(
        void *context, void (*callback)(int, int, int, const void *, size_t, void *, void *));
    void (*ssl_set_shutdown)(void *ssl, int mode);
    void (*ssl_ctx_set_keylog_callback)(void *context, void (*callback)(const void *ssl, const char *line));
    // The codings that can be decoded here, as a field; empty if there are none.
    char accept_encoding[64];
} SNLibrary;

const SNLibrary *sn_library(void);
// How many forks made this process from the one that loaded the library.
int sn_forks(void);

#endif
