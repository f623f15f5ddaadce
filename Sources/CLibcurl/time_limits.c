#ifdef __linux__

#include "turn.h"
#include <time.h>

// How long an attempt, a pause and a connection may take.

int64_t sn_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t after(int64_t time, int64_t span) { return span < INT64_MAX - time ? time + span : INT64_MAX; }

static int64_t due(SNTurn *turn, SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    pthread_mutex_lock(&transfer->lock);
    bool is_refused = exchange->is_head_complete && exchange->status >= 300;
    bool is_paused = transfer->mailbox.is_receive_paused || (transfer->mailbox.is_send_paused && !is_refused)
        || transfer->mailbox.is_suspended;
    pthread_mutex_unlock(&transfer->lock);
    int64_t idle_ns = transfer->request.idle_ns;
    if (exchange->is_whole && idle_ns > SN_UNREAD_NS) idle_ns = SN_UNREAD_NS;
    // While this side pauses the transfer, the server isn't idle.
    int64_t due = is_paused ? INT64_MAX : after(exchange->moved, idle_ns);
    if (exchange->deadline < due) due = exchange->deadline;
    // libcurl enforces this limit for transfers that it has.
    bool is_ours = exchange->state == SN_STATE_WAITING || sn_lookups_is_running(turn, transfer);
    return is_ours && exchange->connect_due < due ? exchange->connect_due : due;
}

void sn_time_limits_start(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (exchange->timer) return;
    exchange->moved = turn->now;
    exchange->deadline = after(turn->now, exchange->attempt_left);
    exchange->connect_due = after(turn->now, (int64_t)transfer->request.connect_ms * 1000000);
    exchange->due = due(turn, transfer);
    sn_timers_add(turn, transfer);
}

// For one that waits: the part of the timeout that has passed stays passed.
void sn_time_limits_stop(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (!exchange->timer) return;
    sn_timers_remove(turn, transfer);
    if (exchange->deadline < INT64_MAX) exchange->attempt_left = exchange->deadline - turn->now;
}

// Has libcurl limit the time to connect to what is left of it.
static void limit_connecting(SNTurn *turn, SNTransfer *transfer) {
    SNHandle *handle = &transfer->handle;
    int64_t left = (transfer->exchange.connect_due - turn->now + 999999) / 1000000;
    long connect_ms = left > 1 ? (long)left : 1;
    if (handle->connect_ms == connect_ms) return;
    handle->connect_ms = connect_ms;
    connect_ms = sn_lookups_connect_ms(turn->engine, connect_ms);
    turn->curl->easy_setopt(handle->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
}

// Unless it runs already, the clock starts here: waiting for a free connection is not the server's fault.
void sn_time_limits_begin(SNTurn *turn, SNTransfer *transfer) {
    if (transfer->exchange.timer) sn_time_limits_move(turn, transfer);
    else sn_time_limits_start(turn, transfer);
    limit_connecting(turn, transfer);
}

void sn_time_limits_move(SNTurn *turn, SNTransfer *transfer) {
    transfer->exchange.due = due(turn, transfer);
    sn_timers_move(turn, transfer);
}

void sn_time_limits_hurry(SNTurn *turn, SNTransfer *transfer, int64_t span) {
    int64_t end = after(turn->now, span);
    if (end < transfer->exchange.deadline) transfer->exchange.deadline = end;
    sn_time_limits_move(turn, transfer);
}

#endif
