#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <string.h>

// Whether a stream of HTTP/2 that has ended for libcurl has ended for the server (RFC 9113 §8.1). When a server breaks
// the rules for frames, libcurl 7.88 and 8.0 report success to all streams of the connection. What they write for people
// to read tells the difference: a connection in order is kept, unless its server has announced its end. Before, libcurl
// says nothing of that announcement; later versions report an error.

bool sn_stream_ends_need_words(const SNTransfer *transfer) {
    return transfer->request.is_secure && sn_workaround_hides_cut_streams(transfer->engine->curl);
}

static bool begins(const char *bytes, size_t count, const char *words) {
    return count >= strlen(words) && memcmp(bytes, words, strlen(words)) == 0;
}

void sn_stream_ends_hear(SNTurn *turn, SNTransfer *transfer, const char *bytes, size_t count) {
    SNExchange *exchange = &transfer->exchange;
    if (begins(bytes, count, "Closing connection")) {
        // The end of TLS closes a connection as well, and can't follow forbidden frames: libcurl reads no further then.
        exchange->end = sn_tls_records_have_ended() ? SN_END_ANNOUNCED : SN_END_CLOSED;
    } else if (begins(bytes, count, "Connection #") && memmem(bytes, count, "left intact", strlen("left intact"))) {
        exchange->end = SN_END_KEPT;
    } else if (begins(bytes, count, "Connection died")) {
        sn_resends_note_end(turn, transfer);
    }
}

// The engine has it closed in any case.
static bool forbids_reuse(const SNRequest *request) { return request->has_close || request->has_expect; }

static bool has_content(const SNTransfer *transfer) {
    int status = transfer->exchange.status;
    return !transfer->request.is_head && status != 204 && status != 304;
}

bool sn_stream_ends_is_broken(const SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    return exchange->stream && exchange->end == SN_END_CLOSED && sn_workaround_hides_cut_streams(transfer->engine->curl);
}

bool sn_stream_ends_is_cut(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    const SNRequest *request = &transfer->request;
    if (!exchange->stream || !exchange->connection || !sn_workaround_hides_cut_streams(turn->curl)) return false;
    if (exchange->has_length || !has_content(transfer) || forbids_reuse(request)) return false;
    // Others use it: they end as well if it is broken.
    bool is_used = exchange->end == SN_END_UNKNOWN;
    bool may_be_cut = is_used || exchange->end == SN_END_CLOSED;
    if (may_be_cut && sn_resends_have_break(turn, transfer)) return true;
    bool is_closed = is_used ? !sn_sockets_look(turn, exchange->connection) : exchange->end == SN_END_CLOSED;
    bool is_broken = is_closed && !sn_resends_have_end(turn, transfer);
    // The others, which have ended meanwhile, find no connection.
    if (is_broken) sn_resends_note_break(turn, transfer);
    return is_broken;
}

#endif
