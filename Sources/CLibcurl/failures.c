#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <string.h>

// Why a transfer has failed.

// Of its own limits on a line and on a head, libcurl says that memory is short.
static bool is_head_too_large(const SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    bool is_over_limit = exchange->result.code == CURLE_OUT_OF_MEMORY || exchange->result.code == CURLE_TOO_LARGE;
    return is_over_limit && exchange->tries && !exchange->is_head_complete && sn_send_has_begun(transfer);
}

// Why a connection of HTTP/2 has ended that libcurl calls lost.
static SNFailure failure_of_frames(SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (exchange->was_cut) return exchange->deadline <= sn_now() ? SN_FAILURE_ATTEMPT : SN_FAILURE_FLOOD;
    bool is_empty = exchange->result.code == CURLE_GOT_NOTHING;
    return is_empty && sn_stream_ends_is_broken(transfer) ? SN_FAILURE_FRAMES : SN_FAILURE_NONE;
}

void sn_failures_describe(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    SNResult *result = &exchange->result;
    if (result->code == CURLE_OK && !exchange->failure && !exchange->is_head_complete) {
        exchange->failure = SN_FAILURE_HEADER_CUT;
    }
    if (!exchange->failure && is_head_too_large(transfer)) exchange->failure = SN_FAILURE_HEADER_LIMIT;
    if (result->code == CURLE_OK && !exchange->failure && sn_stream_ends_is_cut(turn, transfer)) {
        exchange->failure = SN_FAILURE_STREAM_CUT;
    }
    if (result->code && !exchange->failure) exchange->failure = failure_of_frames(transfer);
    sn_receive_finish(transfer);
    result->detail[0] = 0;
    if (result->code != CURLE_OK) {
        const char *words =
            transfer->handle.error[0] ? transfer->handle.error : turn->curl->easy_strerror(result->code);
        strncpy(result->detail, words, sizeof result->detail - 1);
    }
    result->failure = exchange->failure;
    result->system_error = exchange->system_error;
    result->status = exchange->status;
}

#endif
