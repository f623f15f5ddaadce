#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <string.h>

// What is known of a transfer at its end.

// Whether a transfer's failure is that of its connection, rather than of its stream or of the engine's own refusal, after
// which others go on.
static bool has_ended_connection(const SNExchange *exchange) {
    switch (exchange->result.code) {
    case CURLE_HTTP2:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return true;
    case CURLE_PARTIAL_FILE: return exchange->end == SN_END_ANNOUNCED || exchange->end == SN_END_CLOSED;
    default: return false;
    }
}

void sn_results_measure(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    SNHandle *handle = &transfer->handle;
    const SNLibrary *curl = turn->curl;
    SNResult *result = &exchange->result;
    long version = 0, connections = 0, number = 0;
    const char *address = NULL;
    curl->easy_getinfo(handle->easy, CURLINFO_HTTP_VERSION, &version);
    curl->easy_getinfo(handle->easy, CURLINFO_NUM_CONNECTS, &connections);
    curl->easy_getinfo(handle->easy, CURLINFO_NAMELOOKUP_TIME_T, &result->name_lookup);
    curl->easy_getinfo(handle->easy, CURLINFO_CONNECT_TIME_T, &result->connect);
    curl->easy_getinfo(handle->easy, CURLINFO_APPCONNECT_TIME_T, &result->secure_connect);
    curl->easy_getinfo(handle->easy, CURLINFO_STARTTRANSFER_TIME_T, &result->first_byte);
    curl->easy_getinfo(handle->easy, CURLINFO_TOTAL_TIME_T, &result->total);
    curl->easy_getinfo(handle->easy, CURLINFO_SIZE_UPLOAD_T, &result->sent);
    curl->easy_getinfo(handle->easy, CURLINFO_SIZE_DOWNLOAD_T, &result->received);
    curl->easy_getinfo(handle->easy, CURLINFO_PRIMARY_IP, &address);
    if (!exchange->system_error && result->code) {
        curl->easy_getinfo(handle->easy, CURLINFO_OS_ERRNO, &number);
        exchange->system_error = (int)number;
    }
    strncpy(result->address, address ? address : "", sizeof result->address - 1);
    result->sent = sn_send_content(&transfer->exchange, result->sent);
    result->http_version = (int)version;
    result->is_reused = connections == 0;
    result->is_unprocessed = result->code && sn_resends_is_known(turn, transfer);
    result->is_resent = exchange->losses > 0;
    exchange->was_cut = result->code && sn_tls_records_take_cut(turn);
    if (has_ended_connection(exchange)) sn_resends_note_end(turn, transfer);
    result->is_unanswered = exchange->tries && !exchange->header_bytes && sn_send_has_begun(transfer);
}

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

void sn_results_describe(SNTurn *turn, SNTransfer *transfer) {
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
