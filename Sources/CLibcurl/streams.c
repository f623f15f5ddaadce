#ifdef __linux__

#include "turn.h"

// Streams of HTTP/2. Before 8.1, libcurl keeps some of what it has read, and looks at that only when something else
// happens on the connection: if the server has sent everything, nothing does. That is so when the buffer of a stream is
// full, and when content comes together with a frame that breaks the connection. Fields that don't fit into the buffer
// even change places with the ones before them.

// So that the buffer is never full of fields: libcurl takes 128 KB of them, and reads 32 KB at a time.
enum { STREAM_BUFFER = (128 + 32) << 10 };
// A buffer may be full if so much has arrived in one turn.
enum { FULL_BYTES = STREAM_BUFFER / 2 };

long sn_streams_buffer(const SNTransfer *transfer) {
    const SNHost *host = transfer->exchange.host;
    bool may_multiplex = transfer->request.is_secure && (host->multiplexes || !host->has_responded);
    return may_multiplex && sn_workaround_forgets_streams(transfer->engine->curl) ? STREAM_BUFFER : 0;
}

void sn_streams_add(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (exchange->is_unread || !transfer->request.is_secure || !sn_workaround_forgets_streams(turn->curl)) return;
    if (!sn_handle_is_multiplexed(transfer)) return;
    exchange->is_unread = true;
    exchange->is_quiet = false;
    exchange->previous_unread = NULL;
    exchange->next_unread = turn->unread;
    if (turn->unread) turn->unread->exchange.previous_unread = transfer;
    turn->unread = transfer;
}

void sn_streams_count(SNTurn *turn, SNTransfer *transfer, size_t bytes) {
    SNExchange *exchange = &transfer->exchange;
    if (exchange->turn != turn->number) exchange->turn_bytes = 0;
    exchange->turn = turn->number;
    exchange->turn_bytes += bytes;
    exchange->is_quiet = false;
    sn_streams_add(turn, transfer);
}

static void leave(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (!exchange->is_unread) return;
    exchange->is_unread = false;
    if (exchange->previous_unread) exchange->previous_unread->exchange.next_unread = exchange->next_unread;
    else turn->unread = exchange->next_unread;
    if (exchange->next_unread) exchange->next_unread->exchange.previous_unread = exchange->previous_unread;
}

void sn_streams_forget(SNTurn *turn, SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    // Other streams may wait for what it would have read.
    bool may_be_full = exchange->turn == turn->number && exchange->turn_bytes >= FULL_BYTES;
    bool was_in_the_way = exchange->is_unread && (may_be_full || sn_transfer_is_receive_paused(transfer));
    leave(turn, transfer);
    if (was_in_the_way && exchange->host->active > 1) sn_sockets_look(turn, exchange->connection);
}

// The code that paused it resumes it.
static bool is_paused(SNTransfer *transfer) {
    return transfer->exchange.is_held || sn_transfer_is_receive_paused(transfer);
}

int64_t sn_streams_due(const SNTurn *turn) {
    for (SNTransfer *each = turn->unread; each; each = each->exchange.next_unread) {
        if (!is_paused(each)) return 0;
    }
    return INT64_MAX;
}

bool sn_streams_read(SNTurn *turn) {
    bool reads = false;
    for (SNTransfer *each = turn->unread, *next; each; each = next) {
        next = each->exchange.next_unread;
        if (is_paused(each)) continue;
        each->exchange.is_quiet = reads = true;
        // Only a change makes libcurl read though the socket has nothing.
        turn->curl->easy_pause(each->handle.easy, CURLPAUSE_ALL);
        sn_lifecycle_unpause(turn, each);
    }
    return reads;
}

void sn_streams_end_reading(SNTurn *turn) {
    for (SNTransfer *each = turn->unread, *next; each; each = next) {
        next = each->exchange.next_unread;
        if (each->exchange.is_quiet && !is_paused(each)) leave(turn, each);
    }
}

#endif
