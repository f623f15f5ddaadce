#ifdef __linux__

#include "engine.h"

// By default, OpenSSL reads on until a record has content, so that a server which sends updates of its keys without end
// (RFC 8446 §4.6.3) would keep the thread. Without this mode, it returns after each record, and libcurl waits for the
// socket again, in turn with all other work.

enum { SSL_CTRL_CLEAR_MODE = 78, SSL_MODE_AUTO_RETRY = 4 };

// Only for TLS right above the socket. TLS to a server through an https proxy reads what TLS to the proxy has decrypted:
// libcurl 7.88 would wait for the socket though there is more of that.
static int begin_tls(CURL *easy, void *context, void *pointer) {
    (void)easy;
    SNTransfer *transfer = pointer;
    if (!transfer->is_socket_plain) return CURLE_OK;
    transfer->is_socket_plain = false;
    transfer->engine->curl->ssl_ctx_ctrl(context, SSL_CTRL_CLEAR_MODE, SSL_MODE_AUTO_RETRY, NULL);
    return CURLE_OK;
}

void sn_records_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    if (!curl->ssl_ctx_ctrl) return;
    curl->easy_setopt(transfer->easy, CURLOPT_SSL_CTX_FUNCTION, begin_tls);
    curl->easy_setopt(transfer->easy, CURLOPT_SSL_CTX_DATA, transfer);
}

#endif
