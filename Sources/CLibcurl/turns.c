#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static void measure(SNEngine *engine, SNTransfer *transfer) {
    const SNLibrary *curl = engine->curl;
    SNResult *result = &transfer->result;
    long version = 0, connections = 0, number = 0;
    const char *address = NULL;
    curl->easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    curl->easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &connections);
    curl->easy_getinfo(transfer->easy, CURLINFO_NAMELOOKUP_TIME_T, &result->name_lookup);
    curl->easy_getinfo(transfer->easy, CURLINFO_CONNECT_TIME_T, &result->connect);
    curl->easy_getinfo(transfer->easy, CURLINFO_APPCONNECT_TIME_T, &result->secure_connect);
    curl->easy_getinfo(transfer->easy, CURLINFO_STARTTRANSFER_TIME_T, &result->first_byte);
    curl->easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &result->total);
    curl->easy_getinfo(transfer->easy, CURLINFO_SIZE_UPLOAD_T, &result->sent);
    curl->easy_getinfo(transfer->easy, CURLINFO_SIZE_DOWNLOAD_T, &result->received);
    curl->easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &address);
    if (!transfer->system_error && result->code) {
        curl->easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
        transfer->system_error = (int)number;
    }
    strncpy(result->address, address ? address : "", sizeof result->address - 1);
    result->sent = sn_send_content(transfer, result->sent);
    result->http_version = (int)version;
    result->is_reused = connections == 0;
    result->is_unprocessed = result->code && sn_refusals_is_known(transfer);
    result->is_unanswered = transfer->tries && !transfer->header_bytes && sn_send_has_begun(transfer);
}

static void describe(SNEngine *engine, SNTransfer *transfer) {
    SNResult *result = &transfer->result;
    if (result->code == CURLE_OK && !transfer->failure && !transfer->is_head_complete) {
        transfer->failure = SN_FAILURE_HEADER_CUT;
    }
    sn_receive_finish(transfer);
    result->detail[0] = 0;
    if (result->code != CURLE_OK) {
        const char *words = transfer->error[0] ? transfer->error : engine->curl->easy_strerror(result->code);
        strncpy(result->detail, words, sizeof result->detail - 1);
    }
    result->failure = transfer->failure;
    result->system_error = transfer->system_error;
    result->status = transfer->status;
}

// Ends a transfer; from now on it belongs to the thread that waits for it.
static void end(SNEngine *engine, SNTransfer *transfer) {
    sn_files_close(transfer);
    sn_sockets_leave(engine, transfer);
    transfer->state = SN_STATE_DONE;
    engine->running--;
    sn_transfer_raise(transfer, SN_EVENT_DONE);
    sn_transfer_release(transfer);
}

static void finish(SNEngine *engine, SNTransfer *transfer, int code) {
    // Redirects are not followed; the limit only applies to a 417 to `Expect`, which is a response like any other.
    transfer->result.code = code == CURLE_TOO_MANY_REDIRECTS ? CURLE_OK : code;
    measure(engine, transfer);
    sn_timers_remove(engine, transfer);
    sn_shares_forget(engine, transfer);
    if (!transfer->is_lingering) engine->curl->multi_remove_handle(engine->multi, transfer->easy);
    if (sn_files_postpone(engine, transfer)) return;
    bool multiplexes = transfer->result.http_version >= CURL_HTTP_VERSION_2_0;
    if (!multiplexes) sn_sockets_rest(engine, transfer);
    sn_hosts_finish(engine, transfer, multiplexes);
    describe(engine, transfer);
    end(engine, transfer);
}

// Ends a transfer that libcurl never had.
static void refuse(SNEngine *engine, SNTransfer *transfer, SNFailure failure, int code) {
    memset(&transfer->result, 0, sizeof transfer->result);
    transfer->failure = transfer->result.failure = failure;
    transfer->result.code = code;
    transfer->result.system_error = transfer->system_error;
    end(engine, transfer);
}

// Gives up a transfer that has a place among its host's, before libcurl has it.
static void give_up_starting(SNEngine *engine, SNTransfer *transfer, SNFailure failure) {
    sn_timers_remove(engine, transfer);
    sn_hosts_finish(engine, transfer, transfer->host->multiplexes);
    refuse(engine, transfer, failure, CURLE_OK);
}

static void launch(SNEngine *engine, SNTransfer *transfer) {
    transfer->state = SN_STATE_ACTIVE;
    if (engine->curl->multi_add_handle(engine->multi, transfer->easy) == 0) return;
    give_up_starting(engine, transfer, SN_FAILURE_MEMORY);
}

static void launch_opened(SNEngine *engine, SNTransfer *transfer) {
    SNFailure failure = sn_files_take_opened(transfer);
    if (!failure) {
        launch(engine, transfer);
        return;
    }
    // Waiting for a file of one's own process is not the server's fault.
    sn_clocks_stop(engine, transfer);
    if (!sn_files_postpone(engine, transfer)) give_up_starting(engine, transfer, failure);
}

static void start(SNEngine *engine, SNTransfer *transfer) {
    bool opens = transfer->body == SN_BODY_FILE;
    transfer->closed = engine->closed;
    transfer->has_opened = false;
    transfer->state = opens ? SN_STATE_OPENING : SN_STATE_ACTIVE;
    sn_clocks_begin(engine, transfer);
    if (!opens) launch(engine, transfer);
    else if (!sn_disk_open(transfer)) give_up_starting(engine, transfer, SN_FAILURE_MEMORY);
}

// Ends a transfer that libcurl has not.
static void stop(SNEngine *engine, SNTransfer *transfer, int code) {
    if (sn_lookups_is_running(transfer)) sn_lookups_keep(engine, transfer);
    finish(engine, transfer, code);
}

static bool start_waiting(SNEngine *engine) {
    bool has_started = false;
    for (SNTransfer *next; (next = sn_hosts_next(engine)); has_started = true) start(engine, next);
    return has_started;
}

static void cancel(SNEngine *engine, SNTransfer *transfer) {
    if (transfer->state == SN_STATE_WAITING) {
        sn_timers_remove(engine, transfer);
        sn_hosts_forget(engine, transfer);
    } else {
        sn_timers_remove(engine, transfer);
        sn_shares_forget(engine, transfer);
        if (sn_lookups_is_running(transfer)) sn_lookups_keep(engine, transfer);
        else if (transfer->state == SN_STATE_ACTIVE) engine->curl->multi_remove_handle(engine->multi, transfer->easy);
        sn_hosts_finish(engine, transfer, transfer->host->multiplexes);
    }
    end(engine, transfer);
}

// Passes on what libcurl has kept of the content, and lets it go on; false if that ended the transfer.
static bool unpause(SNEngine *engine, SNTransfer *transfer) {
    int code = engine->curl->easy_pause(transfer->easy, CURLPAUSE_CONT);
    // Without a connection, there is nothing to pause.
    if (code != CURLE_OK && code != CURLE_BAD_FUNCTION_ARGUMENT) {
        stop(engine, transfer, code);
        return false;
    }
    sn_sockets_resume(engine, transfer);
    return true;
}

static void obey(SNEngine *engine, SNTransfer *transfer, uint32_t commands) {
    bool is_active = transfer->state == SN_STATE_ACTIVE, is_opening = transfer->state == SN_STATE_OPENING;
    if (commands & SN_COMMAND_CANCEL && (is_active || is_opening || transfer->state == SN_STATE_WAITING)) {
        cancel(engine, transfer);
    } else if (commands & SN_COMMAND_CANCEL && transfer->state == SN_STATE_NEW) {
        // The command came before the submission.
        transfer->is_refused = true;
    } else if (commands & SN_COMMAND_OPENED && is_opening) {
        launch_opened(engine, transfer);
    } else if (commands & SN_COMMAND_UNPAUSE && is_active) {
        transfer->moved = engine->now;
        sn_clocks_move(engine, transfer);
        // A held one goes on when it is its turn.
        if (!transfer->is_held) unpause(engine, transfer);
    }
    sn_transfer_release(transfer);
}

static void give_up_waiting(SNEngine *engine, SNTransfer *transfer, SNFailure failure) {
    sn_timers_remove(engine, transfer);
    sn_hosts_forget(engine, transfer);
    bool is_connect = failure != SN_FAILURE_ATTEMPT && transfer->connect_due <= engine->now;
    if (is_connect) refuse(engine, transfer, SN_FAILURE_NONE, CURLE_OPERATION_TIMEDOUT);
    else refuse(engine, transfer, failure, CURLE_OK);
}

static void expire(SNEngine *engine) {
    while (engine->timer_count && engine->timers[0]->due <= engine->now) {
        SNTransfer *transfer = engine->timers[0];
        sn_clocks_move(engine, transfer);
        if (transfer->due > engine->now) continue;
        SNFailure failure = transfer->deadline <= engine->now ? SN_FAILURE_ATTEMPT : SN_FAILURE_IDLE;
        if (transfer->state == SN_STATE_WAITING) {
            give_up_waiting(engine, transfer, failure);
        } else if (transfer->state == SN_STATE_OPENING) {
            give_up_starting(engine, transfer, failure);
        } else {
            bool is_connect = failure != SN_FAILURE_ATTEMPT && transfer->connect_due <= engine->now
                && sn_lookups_is_running(transfer);
            if (!transfer->failure && !transfer->is_whole && !is_connect) transfer->failure = failure;
            stop(engine, transfer, is_connect ? CURLE_OPERATION_TIMEDOUT : CURLE_OK);
        }
    }
}

static int64_t next_due(const SNEngine *engine) {
    int64_t due = engine->timer_count ? engine->timers[0]->due : INT64_MAX;
    if (engine->growth_due < due) due = engine->growth_due;
    if (engine->relax_due < due) due = engine->relax_due;
    int64_t share = sn_shares_due(engine);
    if (share < due) due = share;
    return engine->curl_due < due ? engine->curl_due : due;
}

// Returns false when nothing is left to do.
static bool take_work(SNEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    SNTransfer *submitted = engine->submitted, *commanded = engine->commanded;
    engine->submitted = engine->last_submitted = engine->commanded = engine->last_commanded = NULL;
    bool is_stopping = engine->is_stopping;
    for (SNTransfer *each = commanded; each; each = each->next_command) {
        each->taken = each->commands;
        each->commands = 0;
        each->is_commanded = false;
        each->next_taken = each->next_command;
    }
    pthread_mutex_unlock(&engine->lock);
    engine->now = sn_clocks_now();
    while (submitted) {
        SNTransfer *transfer = submitted;
        submitted = transfer->next;
        transfer->state = SN_STATE_WAITING;
        engine->running++;
        bool is_kept = !transfer->is_refused && sn_timers_reserve(engine) && sn_hosts_enqueue(engine, transfer);
        if (!is_kept) refuse(engine, transfer, SN_FAILURE_MEMORY, CURLE_OK);
    }
    while (commanded) {
        SNTransfer *transfer = commanded;
        commanded = transfer->next_taken;
        obey(engine, transfer, transfer->taken);
    }
    return !is_stopping || engine->running || engine->lingering;
}

static void finish_ended(SNEngine *engine) {
    int left = 0;
    for (CURLMsg *message; (message = engine->curl->multi_info_read(engine->multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        int code = message->data.result;
        SNTransfer *transfer = NULL;
        engine->curl->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        if (!transfer) continue;
        if (transfer->is_lingering) sn_lookups_end(engine, transfer);
        else finish(engine, transfer, code);
    }
}

// Lets one of the transfers read that had read for too long.
static void resume_held(SNEngine *engine) {
    SNTransfer *transfer = sn_shares_next(engine);
    // Its caller may have to take what there is first.
    if (!transfer || sn_transfer_is_receive_paused(transfer) || !unpause(engine, transfer)) return;
    sn_sockets_run_timers(engine);
    sn_shares_end(engine, transfer);
}

// Whatever wants more than that waits until other sockets, submissions and commands have been served.
#define TURN_NS ((int64_t)5000000)

static __thread bool has_turn;

bool sn_thread_has_turn(void) { return has_turn; }

bool sn_turn(SNEngine *engine, const struct epoll_event *events, int count) {
    has_turn = true;
    bool goes_on = take_work(engine);
    int64_t end = engine->now + TURN_NS;
    sn_shares_begin(engine);
    sn_sockets_take(engine, events, count);
    start_waiting(engine);
    // A thread of the user sends its own request only.
    if (events) resume_held(engine);
    while (true) {
        sn_sockets_run_timers(engine);
        finish_ended(engine);
        expire(engine);
        sn_hosts_grow(engine);
        sn_files_relax(engine);
        bool is_done = !start_waiting(engine) && engine->curl_due > engine->now;
        if (is_done) break;
        engine->now = sn_clocks_now();
        if (engine->now >= end) break;
    }
    sn_sockets_arm(engine, next_due(engine));
    has_turn = false;
    return goes_on;
}

#endif
