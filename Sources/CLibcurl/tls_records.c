#ifdef __linux__

#define _GNU_SOURCE
#include "options.h"
#include "turn.h"
#include <time.h>

// By default, OpenSSL reads on until a record has content, so that a server which sends updates of its keys without end
// (RFC 8446 §4.6.3) would keep the thread. Without this mode, it returns after each record, and libcurl waits for the
// socket again, in turn with all other work.

enum { SSL_CTRL_CLEAR_MODE = 78, SSL_MODE_AUTO_RETRY = 4 };

// During a handshake, OpenSSL skips requests for one (RFC 5246 §7.4.1.1) in a loop that nothing else ends.
enum { TLS_HANDSHAKE = 22, HELLO_REQUEST = 0, SSL_RECEIVED_SHUTDOWN = 2, MOST_HELLO_REQUESTS = 32 };

static __thread unsigned hello_requests;

// Over HTTP/2, libcurl reads on until a frame has something for the request. A server that sends other frames without end
// would keep the thread: its connection is given up after this much of the thread's time.
#define BARREN_NS ((int64_t)250000000)
// Reading the thread's time takes longer than reading a record, so that this is done after so many of them.
enum { TLS_HEADER = 256, TLS_ALERT = 21, CLOSE_NOTIFY = 0, RECORDS = 16 };

// Of a call of libcurl: whose turn it is; how many records were read since something came of them; the thread's time when
// there were some; whether TLS has ended.
static __thread struct {
    SNTurn *turn;
    unsigned records;
    int64_t start;
    bool has_ended;
} reading;

void sn_tls_records_begin(SNTurn *turn) {
    reading.turn = turn;
    sn_tls_records_go_on();
    reading.has_ended = false;
}

void sn_tls_records_end(void) { reading.turn = NULL; }

SNTurn *sn_tls_records_turn(void) { return reading.turn; }

void sn_tls_records_go_on(void) { reading.records = 0; }

bool sn_tls_records_have_ended(void) { return reading.has_ended; }

bool sn_tls_records_take_cut(SNTurn *turn) {
    bool taken = turn->has_cut;
    turn->has_cut = false;
    return taken;
}

static int64_t time_of_thread(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool is_barren(void) {
    if (++reading.records % RECORDS) return false;
    if (reading.records == RECORDS) reading.start = time_of_thread();
    return time_of_thread() - reading.start > BARREN_NS;
}

// It outlives the transfer. What was read so far is the last that OpenSSL reads.
static void see_message(int is_sent, int version, int type, const void *bytes, size_t count, void *ssl, void *unused) {
    (void)version, (void)unused;
    if (type == TLS_HEADER && !is_sent && reading.turn && is_barren()) {
        reading.turn->has_cut = true;
        sn_library()->ssl_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN);
    }
    if (type == TLS_ALERT && !is_sent && count == 2 && ((const uint8_t *)bytes)[1] == CLOSE_NOTIFY) {
        reading.has_ended = true;
    }
    if (type != TLS_HANDSHAKE) return;
    bool is_request = !is_sent && count == 4 && *(const uint8_t *)bytes == HELLO_REQUEST;
    hello_requests = is_request ? hello_requests + 1 : 0;
    if (hello_requests > MOST_HELLO_REQUESTS) sn_library()->ssl_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN);
}

static int begin_tls(CURL *easy, void *context, void *pointer) {
    (void)easy;
    SNTransfer *transfer = pointer;
    const SNLibrary *curl = transfer->engine->curl;
    sn_key_log_begin(transfer->engine, context);
    // In place of libcurl's, which writes what the engine does not read.
    if (curl->ssl_ctx_set_msg_callback) curl->ssl_ctx_set_msg_callback(context, see_message);
    // The mode only for TLS right above the socket. TLS to a server through an https proxy reads what TLS to the proxy
    // has decrypted: libcurl 7.88 would wait for the socket though there is more of that.
    if (!curl->ssl_ctx_ctrl || !transfer->exchange.is_socket_plain) return CURLE_OK;
    transfer->exchange.is_socket_plain = false;
    curl->ssl_ctx_ctrl(context, SSL_CTRL_CLEAR_MODE, SSL_MODE_AUTO_RETRY, NULL);
    return CURLE_OK;
}

bool sn_tls_records_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    if (!curl->ssl_ctx_ctrl && !curl->ssl_ctx_set_msg_callback && !curl->ssl_ctx_set_keylog_callback) return true;
    return IS_SET(CURLOPT_SSL_CTX_FUNCTION, begin_tls) && IS_SET(CURLOPT_SSL_CTX_DATA, transfer);
}

#endif
