#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// The keys of TLS connections. Where SSLKEYLOGFILE is set, libcurl writes the keys of everything in the process there;
// here, only an engine that was given a file writes them.

// Not to wait for the reader of a pipe, either.
static int open_file(const char *path) {
    return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
}

int sn_key_log_check(const char *path) {
    const SNLibrary *curl = sn_library();
    if (curl && !curl->ssl_ctx_set_keylog_callback) return ENOTSUP;
    int file = open_file(path);
    if (file < 0) return errno;
    close(file);
    return 0;
}

bool sn_key_log_open(SNEngine *engine) {
    const char *path = engine->options.key_log;
    if (!path) return true;
    if (engine->curl->ssl_ctx_set_keylog_callback) engine->key_log = open_file(path);
    return engine->key_log >= 0;
}

void sn_key_log_close(SNEngine *engine) {
    if (engine->key_log >= 0) close(engine->key_log);
}

// OpenSSL tells a line without its end. One call writes both, so that the lines of several connections don't mix.
static void write_line(const void *ssl, const char *line) {
    (void)ssl;
    SNTurn *turn = sn_tls_records_turn();
    if (!turn || turn->engine->key_log < 0) return;
    const struct iovec parts[] = {{(void *)line, strlen(line)}, {"\n", 1}};
    if (writev(turn->engine->key_log, parts, 2) < 0) return;
}

void sn_key_log_begin(const SNEngine *engine, void *ssl_context) {
    const SNLibrary *curl = engine->curl;
    // Null, in place of the function that libcurl has set if the environment names a file.
    if (curl->ssl_ctx_set_keylog_callback) {
        curl->ssl_ctx_set_keylog_callback(ssl_context, engine->key_log >= 0 ? write_line : NULL);
    }
}

#endif
