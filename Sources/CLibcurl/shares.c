#ifdef __linux__

#include "engine.h"

// A server that sends faster than its response is read could keep libcurl busy forever: libcurl reads up to 100 times
// before it returns, and then wants to be called again at once. So a transfer that reads for too long is held, that is,
// paused, and the held ones are resumed one at a time, in turn with all other work.

// After how many bytes the clock is read.
enum { CLOCK_BYTES = 64 << 10 };

void sn_shares_begin(SNEngine *engine) { engine->slice_end = engine->now + SN_SLICE_NS; }

// Sizes and extensions of chunks are no content.
static bool is_barren(const SNTransfer *transfer) {
    return transfer->received - transfer->counted_content < (transfer->read - transfer->counted_read) / SN_BARREN_RATIO;
}

static void append(SNEngine *engine, SNTransfer *transfer) {
    transfer->previous = engine->last_held;
    transfer->next = NULL;
    if (engine->last_held) engine->last_held->next = transfer;
    else engine->held = transfer;
    engine->last_held = transfer;
}

void sn_shares_forget(SNEngine *engine, SNTransfer *transfer) {
    if (!transfer->is_held) return;
    transfer->is_held = false;
    if (transfer->previous) transfer->previous->next = transfer->next;
    else engine->held = transfer->next;
    if (transfer->next) transfer->next->previous = transfer->previous;
    else engine->last_held = transfer->previous;
    transfer->previous = transfer->next = NULL;
}

static void hold(SNTransfer *transfer) {
    SNEngine *engine = transfer->engine;
    long version = 0;
    engine->curl->easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    transfer->is_barren = is_barren(transfer);
    transfer->counted_read = transfer->read;
    transfer->counted_content = transfer->received;
    bool is_stream = version >= CURL_HTTP_VERSION_2_0;
    // A paused stream may delay the others of its connection, which is well if all it has is an attack. Without a
    // socket, see `may_pause`.
    bool may_hold = is_stream ? transfer->is_barren : transfer->has_socket;
    if (!may_hold || sn_transfer_is_receive_paused(transfer)) return;
    // Pausing only one direction makes libcurl read once more.
    if (engine->curl->easy_pause(transfer->easy, CURLPAUSE_ALL) != CURLE_OK) return;
    transfer->is_held = true;
    append(engine, transfer);
}

static void count(SNTransfer *transfer, size_t bytes) {
    transfer->read += (int64_t)bytes;
    transfer->unclocked += (int64_t)bytes;
    if (transfer->unclocked < CLOCK_BYTES || transfer->is_held) return;
    transfer->unclocked = 0;
    if (sn_clocks_now() >= transfer->engine->slice_end) hold(transfer);
}

void sn_shares_count(SNTransfer *transfer, size_t bytes) {
    if (!transfer->is_watched) count(transfer, bytes);
}

void sn_shares_see(SNTransfer *transfer, size_t bytes) { count(transfer, bytes); }

// 8.5 and 8.6 report content only after they have taken it out of its chunks.
static bool hides_chunks(const SNLibrary *curl) { return curl->version >= 0x080500 && curl->version < 0x080700; }

void sn_shares_see_call(SNTransfer *transfer) {
    if (transfer->is_watched && hides_chunks(transfer->engine->curl)) count(transfer, CLOCK_BYTES);
}

// Its reports cost time, so that other responses do without.
void sn_shares_watch(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    transfer->is_watched = true;
    sn_handle_listen(transfer);
    if (!hides_chunks(curl)) return;
    // Called after each time that libcurl has read.
    transfer->reported_progress = true;
    curl->easy_setopt(transfer->easy, CURLOPT_NOPROGRESS, 0L);
}

void sn_shares_unwatch(SNTransfer *transfer) {
    transfer->read = transfer->unclocked = transfer->counted_read = transfer->counted_content = 0;
    transfer->is_watched = false;
}

// When the next of the held transfers is to be resumed.
int64_t sn_shares_due(const SNEngine *engine) {
    for (const SNTransfer *each = engine->held; each; each = each->next) {
        if (!each->is_barren) return 0;
    }
    return engine->held ? engine->barren_due : INT64_MAX;
}

// Takes a held transfer that may read for a slice; null if there is none.
SNTransfer *sn_shares_next(SNEngine *engine) {
    SNTransfer *next = engine->held;
    while (next && next->is_barren && engine->barren_due > engine->now) next = next->next;
    if (!next) return NULL;
    sn_shares_forget(engine, next);
    sn_shares_begin(engine);
    return next;
}

void sn_shares_end(SNEngine *engine, const SNTransfer *transfer) {
    int64_t start = engine->now;
    engine->now = sn_clocks_now();
    if (!transfer->is_held || !transfer->is_barren) return;
    engine->barren_due = engine->now + SN_BARREN_PAUSES * (engine->now - start);
}

#endif
