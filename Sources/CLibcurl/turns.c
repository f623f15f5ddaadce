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
    engine->curl->multi_remove_handle(engine->multi, transfer->easy);
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

static void start(SNEngine *engine, SNTransfer *transfer) {
    SNFailure failure = sn_files_prepare(transfer);
    if (failure && sn_files_postpone(engine, transfer)) return;
    transfer->state = SN_STATE_ACTIVE;
    sn_clocks_begin(engine, transfer);
    if (!failure && engine->curl->multi_add_handle(engine->multi, transfer->easy) == 0) return;
    sn_timers_remove(engine, transfer);
    sn_hosts_finish(engine, transfer, transfer->host->multiplexes);
    refuse(engine, transfer, failure ? failure : SN_FAILURE_MEMORY, CURLE_OK);
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
        engine->curl->multi_remove_handle(engine->multi, transfer->easy);
        sn_hosts_finish(engine, transfer, transfer->host->multiplexes);
    }
    end(engine, transfer);
}

static void obey(SNEngine *engine, SNTransfer *transfer, uint32_t commands) {
    bool is_active = transfer->state == SN_STATE_ACTIVE;
    if (commands & SN_COMMAND_CANCEL && (is_active || transfer->state == SN_STATE_WAITING)) {
        cancel(engine, transfer);
    } else if (commands & SN_COMMAND_CANCEL && transfer->state == SN_STATE_NEW) {
        // The command came before the submission.
        transfer->is_refused = true;
    } else if (commands & SN_COMMAND_UNPAUSE && is_active) {
        transfer->moved = engine->now;
        sn_clocks_move(engine, transfer);
        engine->curl->easy_pause(transfer->easy, CURLPAUSE_CONT);
        sn_sockets_resume(engine, transfer);
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
        } else {
            if (!transfer->failure && !transfer->is_whole) transfer->failure = failure;
            finish(engine, transfer, CURLE_OK);
        }
    }
}

static int64_t next_due(const SNEngine *engine) {
    int64_t due = engine->timer_count ? engine->timers[0]->due : INT64_MAX;
    if (engine->growth_due < due) due = engine->growth_due;
    if (engine->relax_due < due) due = engine->relax_due;
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
    return !is_stopping || engine->running;
}

static void finish_ended(SNEngine *engine) {
    int left = 0;
    for (CURLMsg *message; (message = engine->curl->multi_info_read(engine->multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        int code = message->data.result;
        SNTransfer *transfer = NULL;
        engine->curl->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        if (transfer) finish(engine, transfer, code);
    }
}

// libcurl wants to be called again at once for long only if something is wrong; the alarm calls it then.
enum { MOST_ROUNDS = 100 };

bool sn_turn(SNEngine *engine, const struct epoll_event *events, int count) {
    bool goes_on = take_work(engine);
    sn_sockets_take(engine, events, count);
    start_waiting(engine);
    int rounds = 0;
    do {
        sn_sockets_run_timers(engine);
        finish_ended(engine);
        expire(engine);
        sn_hosts_grow(engine);
        sn_files_relax(engine);
    } while ((start_waiting(engine) || engine->curl_due <= engine->now) && ++rounds < MOST_ROUNDS);
    sn_sockets_arm(engine, next_due(engine));
    return goes_on;
}

#endif
