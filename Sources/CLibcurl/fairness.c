#ifdef __linux__

#include "turn.h"

// A server that sends faster than its response is read could keep libcurl busy forever: libcurl reads up to 100 times
// before it returns, and then wants to be called again at once. So a transfer that reads for too long is held, that is,
// paused, and the held ones are resumed one at a time, in turn with all other work.

// After how many bytes the clock is read.
enum { CLOCK_BYTES = 64 << 10 };

void sn_fairness_begin(SNTurn *turn) { turn->slice_end = turn->now + SN_SLICE_NS; }

// Sizes and extensions of chunks are no content.
static bool is_barren(const SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    return exchange->received - exchange->counted_content < (exchange->read - exchange->counted_read) / SN_BARREN_RATIO;
}

void sn_fairness_forget(SNTurn *turn, SNTransfer *transfer) {
    if (!transfer->exchange.is_held) return;
    transfer->exchange.is_held = false;
    sn_list_remove(&turn->held, transfer);
}

static void hold(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    exchange->is_barren = is_barren(transfer);
    exchange->counted_read = exchange->read;
    exchange->counted_content = exchange->received;
    // A paused stream may delay the others of its connection, which is well if all it has is an attack. Without a
    // socket, see `may_pause`.
    bool may_hold = sn_handle_is_multiplexed(transfer) ? exchange->is_barren : exchange->has_socket;
    if (!may_hold || sn_transfer_is_receive_paused(transfer)) return;
    // Pausing only one direction makes libcurl read once more.
    if (turn->curl->easy_pause(transfer->handle.easy, CURLPAUSE_ALL) != CURLE_OK) return;
    exchange->is_held = true;
    sn_list_append(&turn->held, transfer);
}

static void count(SNTurn *turn, SNTransfer *transfer, size_t bytes) {
    SNExchange *exchange = &transfer->exchange;
    exchange->read += (int64_t)bytes;
    exchange->unclocked += (int64_t)bytes;
    if (exchange->unclocked < CLOCK_BYTES || exchange->is_held) return;
    exchange->unclocked = 0;
    if (sn_now() >= turn->slice_end) hold(turn, transfer);
}

void sn_fairness_add_content(SNTurn *turn, SNTransfer *transfer, size_t bytes) {
    if (!transfer->exchange.counts_raw_bytes) count(turn, transfer, bytes);
}

void sn_fairness_add_raw_bytes(SNTurn *turn, SNTransfer *transfer, size_t bytes) { count(turn, transfer, bytes); }

void sn_fairness_add_call(SNTurn *turn, SNTransfer *transfer) {
    if (transfer->exchange.counts_raw_bytes && sn_workaround_hides_chunks(turn->curl)) count(turn, transfer, CLOCK_BYTES);
}

// Its reports cost time, so that other responses do without.
void sn_fairness_count_raw_bytes(SNTurn *turn, SNTransfer *transfer) {
    transfer->exchange.counts_raw_bytes = true;
    sn_handle_listen(transfer);
    // It reports progress after each time that it has read.
    if (sn_workaround_hides_chunks(turn->curl)) sn_handle_report(transfer, true);
}

// When the next of the held transfers is to be resumed.
int64_t sn_fairness_due(const SNTurn *turn) {
    for (const SNTransfer *each = turn->held.first; each; each = each->next) {
        if (!each->exchange.is_barren) return 0;
    }
    return turn->held.first ? turn->barren_due : INT64_MAX;
}

// Takes a held transfer that may read for a slice; null if there is none.
SNTransfer *sn_fairness_next(SNTurn *turn) {
    SNTransfer *next = turn->held.first;
    while (next && next->exchange.is_barren && turn->barren_due > turn->now) next = next->next;
    if (!next) return NULL;
    sn_fairness_forget(turn, next);
    sn_fairness_begin(turn);
    return next;
}

void sn_fairness_end(SNTurn *turn, const SNTransfer *transfer) {
    int64_t start = turn->now;
    turn->now = sn_now();
    if (!transfer->exchange.is_held || !transfer->exchange.is_barren) return;
    turn->barren_due = turn->now + SN_BARREN_PAUSES * (turn->now - start);
}

#endif
