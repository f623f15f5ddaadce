#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <stdlib.h>

// The right to use libcurl, which one thread has at a time.

static __thread bool has_turn;

bool sn_thread_has_turn(void) { return has_turn; }

bool sn_turn_create(SNEngine *engine) {
    const SNEngineOptions *options = &engine->options;
    const SNLibrary *curl = engine->curl;
    SNTurn *turn = calloc(1, sizeof *turn);
    if (!turn) return false;
    engine->turn = turn;
    turn->engine = engine;
    turn->curl = curl;
    turn->growth_due = turn->curl_due = turn->armed = INT64_MAX;
    turn->multi = curl->multi_init();
    if (!turn->multi) return false;
    sn_sockets_set_up(turn);
    curl->multi_setopt(turn->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl->multi_setopt(turn->multi, CURLMOPT_MAX_HOST_CONNECTIONS, options->connections_per_host);
    sn_files_allow(turn, options->connections_in_total);
    return true;
}

void sn_turn_close(SNEngine *engine) {
    SNTurn *turn = sn_turn_begin(engine);
    if (turn->multi) turn->curl->multi_cleanup(turn->multi);
    turn->multi = NULL;
    sn_connections_free(turn);
    sn_turn_end(turn);
}

void sn_turn_free(SNEngine *engine) {
    SNTurn *turn = engine->turn;
    if (turn) {
        free(turn->timers);
        free(turn->sockets);
    }
    free(turn);
    pthread_mutex_destroy(&engine->turn_lock);
}

SNTurn *sn_turn_begin(SNEngine *engine) {
    pthread_mutex_lock(&engine->turn_lock);
    return engine->turn;
}

SNTurn *sn_turn_begin_at_once(SNEngine *engine) {
    return pthread_mutex_trylock(&engine->turn_lock) == 0 ? engine->turn : NULL;
}

void sn_turn_end(SNTurn *turn) { pthread_mutex_unlock(&turn->engine->turn_lock); }

static bool start_waiting(SNTurn *turn) {
    bool has_started = false;
    for (SNTransfer *next; (next = sn_connections_next(turn)); has_started = true) sn_lifecycle_start(turn, next);
    return has_started;
}

static int64_t next_due(const SNTurn *turn) {
    int64_t due = turn->timer_count ? turn->timers[0]->exchange.due : INT64_MAX;
    if (turn->growth_due < due) due = turn->growth_due;
    if (turn->relax_due < due) due = turn->relax_due;
    int64_t share = sn_fairness_due(turn), unread = sn_streams_due(turn);
    if (share < due) due = share;
    if (unread < due) due = unread;
    return turn->curl_due < due ? turn->curl_due : due;
}

// Returns false when nothing is left to do.
static bool take_work(SNTurn *turn) {
    SNEngine *engine = turn->engine;
    pthread_mutex_lock(&engine->lock);
    SNTransfer *submitted = engine->submitted, *commanded = engine->commanded;
    engine->submitted = engine->last_submitted = engine->commanded = engine->last_commanded = NULL;
    bool is_stopping = engine->is_stopping;
    for (SNTransfer *each = commanded; each; each = each->commands.next) {
        each->commands.taken = each->commands.given;
        each->commands.given = 0;
        each->commands.is_listed = false;
        each->commands.next_taken = each->commands.next;
    }
    pthread_mutex_unlock(&engine->lock);
    turn->now = sn_now();
    while (submitted) {
        SNTransfer *transfer = submitted;
        submitted = transfer->next;
        transfer->exchange.state = SN_STATE_WAITING;
        turn->running++;
        bool is_kept = !transfer->exchange.is_refused && sn_timers_reserve(turn);
        is_kept = is_kept && sn_connections_enqueue(turn, transfer);
        if (!is_kept) sn_lifecycle_refuse(turn, transfer, SN_FAILURE_MEMORY, CURLE_OK);
    }
    while (commanded) {
        SNTransfer *transfer = commanded;
        commanded = transfer->commands.next_taken;
        sn_lifecycle_obey(turn, transfer, transfer->commands.taken);
    }
    return !is_stopping || turn->running || turn->lingering;
}

static void finish_ended(SNTurn *turn) {
    int left = 0;
    for (CURLMsg *message; (message = turn->curl->multi_info_read(turn->multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        SNCode code = message->data.result;
        SNTransfer *transfer = NULL;
        turn->curl->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        if (!transfer) continue;
        if (transfer->exchange.is_lingering) sn_lookups_end(turn, transfer);
        else sn_lifecycle_finish(turn, transfer, code);
    }
    // Whatever ends later has another cause.
    turn->has_cut = false;
}

// Lets one of the transfers read that had read for too long.
static void resume_held(SNTurn *turn) {
    SNTransfer *transfer = sn_fairness_next(turn);
    // Its caller may have to take what there is first.
    if (!transfer || sn_transfer_is_receive_paused(transfer) || !sn_lifecycle_unpause(turn, transfer)) return;
    sn_sockets_run_timers(turn);
    sn_fairness_end(turn, transfer);
}

// Whatever wants more than that waits until other sockets, submissions and commands have been served.
#define TURN_NS ((int64_t)5000000)

bool sn_turn_run(SNTurn *turn, const struct epoll_event *events, int count) {
    has_turn = true;
    turn->number++;
    bool has_read = false;
    bool goes_on = take_work(turn);
    int64_t end = turn->now + TURN_NS;
    sn_fairness_begin(turn);
    sn_sockets_take(turn, events, count);
    start_waiting(turn);
    // A thread of the user sends its own request only.
    if (events) resume_held(turn);
    while (true) {
        sn_sockets_run_timers(turn);
        finish_ended(turn);
        // To end one of a connection's streams, the engine reads it, which may end others.
        if (sn_lifecycle_expire(turn)) finish_ended(turn);
        sn_connections_grow(turn);
        sn_files_relax(turn);
        bool is_done = !start_waiting(turn) && turn->curl_due > turn->now;
        // Once in a turn, when libcurl wants nothing more.
        if (is_done && !has_read && sn_streams_read(turn)) {
            has_read = true;
            turn->now = sn_now();
            continue;
        }
        if (is_done) break;
        turn->now = sn_now();
        if (turn->now >= end) break;
    }
    if (has_read) sn_streams_end_reading(turn);
    sn_sockets_arm(turn, next_due(turn));
    has_turn = false;
    return goes_on;
}

#endif
