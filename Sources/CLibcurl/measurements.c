#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <string.h>

// What is measured of a transfer at its end.

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

void sn_measurements_take(SNTurn *turn, SNTransfer *transfer) {
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

#endif
