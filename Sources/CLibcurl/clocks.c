#ifdef __linux__

#include "engine.h"
#include <time.h>

int64_t sn_clocks_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t after(int64_t time, int64_t span) { return span < INT64_MAX - time ? time + span : INT64_MAX; }

static int64_t due(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool is_refused = transfer->is_head_complete && transfer->status >= 300;
    bool is_paused = transfer->is_receive_paused || (transfer->is_send_paused && !is_refused);
    pthread_mutex_unlock(&transfer->lock);
    int64_t idle_ns = transfer->is_whole && transfer->idle_ns > SN_UNREAD_NS ? SN_UNREAD_NS : transfer->idle_ns;
    // While the engine itself pauses the transfer, the server isn't idle.
    int64_t due = is_paused ? INT64_MAX : after(transfer->moved, idle_ns);
    if (transfer->deadline < due) due = transfer->deadline;
    // libcurl enforces this limit for transfers that it has.
    bool is_ours = transfer->state == SN_STATE_WAITING || sn_lookups_is_running(transfer);
    return is_ours && transfer->connect_due < due ? transfer->connect_due : due;
}

void sn_clocks_start(SNEngine *engine, SNTransfer *transfer) {
    if (transfer->timer) return;
    transfer->moved = engine->now;
    transfer->deadline = after(engine->now, transfer->attempt_ns);
    transfer->connect_due = after(engine->now, (int64_t)transfer->connect_ms * 1000000);
    transfer->due = due(transfer);
    sn_timers_add(engine, transfer);
}

// The part of the timeout that has passed stays passed.
void sn_clocks_stop(SNEngine *engine, SNTransfer *transfer) {
    if (!transfer->timer) return;
    sn_timers_remove(engine, transfer);
    if (transfer->deadline < INT64_MAX) transfer->attempt_ns = transfer->deadline - engine->now;
}

// Otherwise the clock starts here: waiting for a free connection is not the server's fault.
void sn_clocks_begin(SNEngine *engine, SNTransfer *transfer) {
    if (!transfer->timer) {
        sn_clocks_start(engine, transfer);
        return;
    }
    int64_t left = (transfer->connect_due - engine->now + 999999) / 1000000;
    transfer->last_connect_ms = left > 1 ? (long)left : 1;
    long connect_ms = sn_lookups_connect_ms(engine, transfer->last_connect_ms);
    engine->curl->easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    sn_clocks_move(engine, transfer);
}

void sn_clocks_move(SNEngine *engine, SNTransfer *transfer) {
    transfer->due = due(transfer);
    sn_timers_move(engine, transfer);
}

void sn_clocks_hurry(SNEngine *engine, SNTransfer *transfer, int64_t span) {
    int64_t end = after(engine->now, span);
    if (end < transfer->deadline) transfer->deadline = end;
    sn_clocks_move(engine, transfer);
}

#endif
