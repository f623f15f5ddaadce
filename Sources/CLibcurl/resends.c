#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <stdio.h>

// Whether a request may be sent again.

// It may be known that a server did not process a request of HTTP/2, which may then be sent again whatever its
// method (RFC 9113 §8.7). libcurl resends what was refused as it resends what a broken connection lost, and has no code
// for either; what it writes for people to read tells them apart. Where it writes something else, nothing is known.

// libcurl gives no name to a connection; its addresses and ports are one.
static uint64_t hash(uint64_t value, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) value = (value ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    return value;
}

static SNDeparture *departure_of(SNTurn *turn, uint64_t connection) {
    for (size_t i = 0; i < SN_DEPARTURES; i++) {
        if (turn->departures[i].connection == connection) return &turn->departures[i];
    }
    return NULL;
}

static void begin(
    SNTurn *turn, SNTransfer *transfer, const char *remote, const char *local, int remote_port, int local_port
) {
    SNExchange *exchange = &transfer->exchange;
    // HTTP/2 is used over TLS only.
    if (!transfer->request.is_secure) return;
    long connects = 0;
    uint64_t connection = hash(0xcbf29ce484222325, remote, strlen(remote));
    connection = hash(connection, local, strlen(local));
    connection = hash(connection, &remote_port, sizeof remote_port);
    exchange->connection = hash(connection, &local_port, sizeof local_port);
    exchange->stream = 0;
    exchange->end = SN_END_UNKNOWN;
    turn->curl->easy_getinfo(transfer->handle.easy, CURLINFO_NUM_CONNECTS, &connects);
    exchange->is_first = connects > 0 && !exchange->tries;
    SNDeparture *earlier = connects > 0 ? departure_of(turn, exchange->connection) : NULL;
    // A connection before this one had the same ports.
    if (earlier) earlier->connection = 0;
    sn_sockets_identify(turn, transfer);
}

static void note_departure(SNTurn *turn, uint64_t connection, uint32_t last_stream) {
    SNDeparture *departure = departure_of(turn, connection);
    if (!departure) departure = &turn->departures[turn->next_departure++ % SN_DEPARTURES];
    *departure = (SNDeparture){connection, last_stream, false};
}

void sn_resends_hear(SNTurn *turn, SNTransfer *transfer, const char *bytes, size_t count) {
    SNExchange *exchange = &transfer->exchange;
    char line[128];
    unsigned int stream = 0;
    if (!exchange->connection) return;
    size_t length = count < sizeof line ? count : sizeof line - 1;
    memcpy(line, bytes, length);
    line[length] = 0;
    // From 7.88 on, which misspells a word.
    bool is_start =
        sscanf(line, "Using Stream ID: %u", &stream) == 1 || sscanf(line, "[HTTP/2] [%u] OPENED stream", &stream) == 1;
    if (is_start) {
        exchange->stream = stream;
    } else if (sscanf(line, "%*s GOAWAY, error=%*d, last_stream=%u", &stream) == 1) {
        note_departure(turn, exchange->connection, stream);
    }
}

void sn_resends_note_end(SNTurn *turn, const SNTransfer *transfer) {
    uint64_t connection = transfer->exchange.connection;
    // Of its streams, none is known to be unprocessed.
    if (connection && !departure_of(turn, connection)) note_departure(turn, connection, UINT32_MAX);
}

bool sn_resends_have_end(SNTurn *turn, const SNTransfer *transfer) {
    return departure_of(turn, transfer->exchange.connection);
}

void sn_resends_note_break(SNTurn *turn, const SNTransfer *transfer) {
    sn_resends_note_end(turn, transfer);
    departure_of(turn, transfer->exchange.connection)->is_broken = true;
}

bool sn_resends_have_break(SNTurn *turn, const SNTransfer *transfer) {
    const SNDeparture *departure = departure_of(turn, transfer->exchange.connection);
    return departure && departure->is_broken;
}

bool sn_resends_is_known(SNTurn *turn, const SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    if (exchange->header_bytes || !exchange->connection) return false;
    const SNDeparture *departure = departure_of(turn, exchange->connection);
    return departure && exchange->stream > departure->last_stream;
}

// On a connection that it was the first to use, libcurl resends only what was refused. Other faults leave a text.
bool sn_resends_are_allowed(SNTurn *turn, const SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    if (sn_resends_is_known(turn, transfer)) return true;
    return exchange->is_first && exchange->tries == 1 && !exchange->header_bytes && !transfer->handle.error[0];
}

void sn_resends_note(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    transfer->mailbox.resends++;
    pthread_mutex_unlock(&transfer->lock);
    sn_transfer_raise(transfer, SN_EVENT_RESENT);
}

// A second call means that a kept connection broke before any response; the server may have the request nevertheless.
int sn_resends_may_send(void *context, char *remote, char *local, int remote_port, int local_port) {
    SNTransfer *transfer = context;
    SNExchange *exchange = &transfer->exchange;
    SNTurn *turn = sn_turn_of(transfer);
    // Over HTTP/1.1, libcurl 7.88 to 8.18 repeats a request that an HTTP/2 server refuses in the midst of its response.
    if (exchange->tries && exchange->is_head_complete) {
        exchange->failure = SN_FAILURE_REPEAT;
        return CURL_PREREQFUNC_ABORT;
    }
    if (exchange->tries && sn_send_has_begun(transfer)) {
        bool is_allowed = exchange->may_repeat || sn_resends_are_allowed(turn, transfer);
        exchange->losses += !sn_resends_is_known(turn, transfer);
        // Over HTTP/2, the server processes it twice at most.
        if (!is_allowed || (exchange->losses > 1 && exchange->stream)) {
            // A handle that has used a retry is reset.
            exchange->tries++;
            exchange->failure = SN_FAILURE_REPEAT;
            return CURL_PREREQFUNC_ABORT;
        }
        sn_resends_note(transfer);
    }
    begin(turn, transfer, remote, local, remote_port, local_port);
    exchange->tries++;
    // The socket of a new connection is known by now, that of a kept one is not.
    exchange->has_socket = sn_sockets_has(turn, transfer);
    sn_proxies_end_tunnel(transfer);
    sn_connections_connected(turn, transfer);
    return CURL_PREREQFUNC_OK;
}

#endif
