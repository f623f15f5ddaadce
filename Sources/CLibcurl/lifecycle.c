#ifdef __linux__

#include "turn.h"
#include <string.h>

// How a transfer starts, goes on, and ends.

static void take_back(SNTurn *turn, SNTransfer *transfer) {
    turn->curl->multi_remove_handle(turn->multi, transfer->handle.easy);
}

// Ends a transfer; from now on it belongs to the thread that waits for it.
static void end(SNTurn *turn, SNTransfer *transfer) {
    sn_files_close(transfer);
    sn_sockets_leave(turn, transfer);
    transfer->exchange.state = SN_STATE_DONE;
    turn->running--;
    sn_transfer_raise(transfer, SN_EVENT_DONE);
    sn_transfer_release(transfer);
}

void sn_lifecycle_finish(SNTurn *turn, SNTransfer *transfer, SNCode code) {
    SNExchange *exchange = &transfer->exchange;
    // Redirects are not followed; the limit only applies to a 417 to `Expect`, which is a response like any other.
    exchange->result.code = code == CURLE_TOO_MANY_REDIRECTS ? CURLE_OK : code;
    sn_measurements_take(turn, transfer);
    // libcurl reports progress once more, which may hold the transfer.
    if (!exchange->is_lingering) take_back(turn, transfer);
    sn_streams_forget(turn, transfer);
    sn_time_limits_stop(turn, transfer);
    sn_fairness_forget(turn, transfer);
    if (sn_files_postpone(turn, transfer)) return;
    bool multiplexes = exchange->result.http_version >= CURL_HTTP_VERSION_2_0;
    sn_connections_finish(turn, transfer, multiplexes);
    sn_sockets_rest(turn, transfer, multiplexes);
    sn_failures_describe(turn, transfer);
    end(turn, transfer);
}

// Ends a transfer that libcurl never had.
void sn_lifecycle_refuse(SNTurn *turn, SNTransfer *transfer, SNFailure failure, SNCode code) {
    SNExchange *exchange = &transfer->exchange;
    memset(&exchange->result, 0, sizeof exchange->result);
    exchange->failure = exchange->result.failure = failure;
    exchange->result.code = code;
    exchange->result.system_error = exchange->system_error;
    end(turn, transfer);
}

// Gives up a transfer that has a place among its host's, before libcurl has it.
static void give_up_starting(SNTurn *turn, SNTransfer *transfer, SNFailure failure) {
    sn_timers_remove(turn, transfer);
    sn_connections_finish(turn, transfer, transfer->exchange.host->multiplexes);
    sn_lifecycle_refuse(turn, transfer, failure, CURLE_OK);
}

static void launch(SNTurn *turn, SNTransfer *transfer) {
    transfer->exchange.state = SN_STATE_ACTIVE;
    sn_handle_set_buffer(transfer, turn->running > SN_CROWD && !transfer->exchange.host->sends_much);
    if (turn->curl->multi_add_handle(turn->multi, transfer->handle.easy) == 0) return;
    give_up_starting(turn, transfer, SN_FAILURE_MEMORY);
}

static void launch_opened(SNTurn *turn, SNTransfer *transfer) {
    SNFailure failure = sn_files_take_opened(turn, transfer);
    if (!failure) {
        launch(turn, transfer);
        return;
    }
    // Waiting for a file of one's own process is not the server's fault.
    sn_time_limits_stop(turn, transfer);
    if (!sn_files_postpone(turn, transfer)) give_up_starting(turn, transfer, failure);
}

void sn_lifecycle_start(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    bool opens = transfer->request.body.kind == SN_BODY_FILE;
    exchange->closed_before_start = turn->engine->closed;
    exchange->has_opened = false;
    exchange->state = opens ? SN_STATE_OPENING : SN_STATE_ACTIVE;
    sn_time_limits_begin(turn, transfer);
    if (!opens) launch(turn, transfer);
    else if (!sn_file_threads_open(transfer)) give_up_starting(turn, transfer, SN_FAILURE_MEMORY);
}

// Ends a transfer that libcurl has not.
static void stop(SNTurn *turn, SNTransfer *transfer, SNCode code) {
    if (sn_lookups_is_running(turn, transfer)) sn_lookups_keep(turn, transfer);
    sn_lifecycle_finish(turn, transfer, code);
}

static void cancel(SNTurn *turn, SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    if (exchange->state == SN_STATE_WAITING) {
        sn_timers_remove(turn, transfer);
        sn_connections_forget(turn, transfer);
    } else {
        if (sn_lookups_is_running(turn, transfer)) sn_lookups_keep(turn, transfer);
        else if (exchange->state == SN_STATE_ACTIVE) take_back(turn, transfer);
        sn_streams_forget(turn, transfer);
        sn_timers_remove(turn, transfer);
        sn_fairness_forget(turn, transfer);
        sn_connections_finish(turn, transfer, exchange->host->multiplexes);
        if (exchange->host->multiplexes) sn_sockets_rest(turn, transfer, true);
    }
    end(turn, transfer);
}

// Passes on what libcurl has kept of the content, and lets it go on; false if that ended the transfer.
bool sn_lifecycle_unpause(SNTurn *turn, SNTransfer *transfer) {
    SNCode code = turn->curl->easy_pause(transfer->handle.easy, CURLPAUSE_CONT);
    // Without a connection, there is nothing to pause.
    if (code != CURLE_OK && code != CURLE_BAD_FUNCTION_ARGUMENT) {
        stop(turn, transfer, code);
        return false;
    }
    sn_sockets_resume(turn, transfer);
    sn_streams_add(turn, transfer);
    return true;
}

// The time for which nothing has moved begins anew.
static void go_on(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (!exchange->timer) return;
    exchange->moved = turn->now;
    sn_time_limits_move(turn, transfer);
    // A held one goes on when it is its turn.
    if (exchange->state == SN_STATE_ACTIVE && !exchange->is_held) sn_lifecycle_unpause(turn, transfer);
}

void sn_lifecycle_obey(SNTurn *turn, SNTransfer *transfer, uint32_t commands) {
    SNExchange *exchange = &transfer->exchange;
    bool is_active = exchange->state == SN_STATE_ACTIVE, is_opening = exchange->state == SN_STATE_OPENING;
    if (commands & SN_COMMAND_CANCEL && (is_active || is_opening || exchange->state == SN_STATE_WAITING)) {
        cancel(turn, transfer);
    } else if (commands & SN_COMMAND_CANCEL && exchange->state == SN_STATE_NEW) {
        // The command came before the submission.
        exchange->is_refused = true;
    } else {
        if (commands & SN_COMMAND_UNPAUSE) go_on(turn, transfer);
        if (commands & SN_COMMAND_OPENED && is_opening) launch_opened(turn, transfer);
    }
    sn_transfer_release(transfer);
}

static void give_up_waiting(SNTurn *turn, SNTransfer *transfer, SNFailure failure) {
    sn_timers_remove(turn, transfer);
    sn_connections_forget(turn, transfer);
    bool is_connect = failure != SN_FAILURE_ATTEMPT && transfer->exchange.connect_due <= turn->now;
    if (is_connect) sn_lifecycle_refuse(turn, transfer, SN_FAILURE_NONE, CURLE_OPERATION_TIMEDOUT);
    else sn_lifecycle_refuse(turn, transfer, failure, CURLE_OK);
}

// Ends a transfer whose time is over.
static void end_late(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    SNFailure failure = exchange->deadline <= turn->now ? SN_FAILURE_ATTEMPT : SN_FAILURE_IDLE;
    if (exchange->state == SN_STATE_WAITING) {
        give_up_waiting(turn, transfer, failure);
    } else if (exchange->state == SN_STATE_OPENING) {
        give_up_starting(turn, transfer, failure);
    } else {
        bool may_be_connect = failure != SN_FAILURE_ATTEMPT && exchange->connect_due <= turn->now;
        bool is_connect = may_be_connect && sn_lookups_is_running(turn, transfer);
        if (!exchange->failure && !exchange->is_whole && !is_connect) exchange->failure = failure;
        stop(turn, transfer, is_connect ? CURLE_OPERATION_TIMEDOUT : CURLE_OK);
    }
}

bool sn_lifecycle_expire(SNTurn *turn) {
    bool has_ended = false;
    while (turn->timer_count && turn->timers[0]->exchange.due <= turn->now) {
        SNTransfer *transfer = turn->timers[0];
        sn_time_limits_move(turn, transfer);
        if (transfer->exchange.due > turn->now) continue;
        end_late(turn, transfer);
        has_ended = true;
    }
    return has_ended;
}

#endif
