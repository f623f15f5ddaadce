#ifdef __linux__

#include "options.h"
#include "turn.h"

static void restrict_protocols(const SNLibrary *curl, SNTransfer *transfer) {
    // Deprecated since 7.85 in favor of names, which libcurl has to take apart.
    SET(CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
    SET(CURLOPT_REDIR_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
}

static int hear(CURL *easy, int kind, char *bytes, size_t count, void *context) {
    (void)easy;
    SNTransfer *transfer = context;
    SNTurn *turn = sn_turn_of(transfer);
    const SNExchange *exchange = &transfer->exchange;
    if (kind == CURLINFO_DATA_IN && exchange->counts_raw_bytes) sn_fairness_add_raw_bytes(turn, transfer, count);
    if (kind == CURLINFO_TEXT && exchange->hears_words) {
        sn_resends_hear(turn, transfer, bytes, count);
        sn_stream_ends_hear(turn, transfer, bytes, count);
    }
    return 0;
}

static bool set_up_callbacks(const SNLibrary *curl, SNTransfer *transfer) {
    // Unknown before 7.80, see `sn_handle_refresh`.
    SET(CURLOPT_PREREQFUNCTION, sn_resends_may_send);
    SET(CURLOPT_PREREQDATA, transfer);
    return IS_SET(CURLOPT_PRIVATE, transfer) && IS_SET(CURLOPT_ERRORBUFFER, transfer->handle.error)
        && IS_SET(CURLOPT_HEADERFUNCTION, sn_receive_header) && IS_SET(CURLOPT_HEADERDATA, transfer)
        && IS_SET(CURLOPT_WRITEFUNCTION, sn_receive_content) && IS_SET(CURLOPT_WRITEDATA, transfer)
        && IS_SET(CURLOPT_READFUNCTION, sn_send_read) && IS_SET(CURLOPT_READDATA, transfer)
        && IS_SET(CURLOPT_SEEKFUNCTION, sn_send_seek) && IS_SET(CURLOPT_SEEKDATA, transfer)
        && IS_SET(CURLOPT_OPENSOCKETFUNCTION, sn_files_open_socket)
        && IS_SET(CURLOPT_OPENSOCKETDATA, transfer)
        // A connection outlives the transfer that made it.
        && IS_SET(CURLOPT_CLOSESOCKETFUNCTION, sn_files_close_socket)
        && IS_SET(CURLOPT_CLOSESOCKETDATA, sn_turn_of(transfer))
        && IS_SET(CURLOPT_XFERINFOFUNCTION, sn_receive_progress) && IS_SET(CURLOPT_XFERINFODATA, transfer)
        && IS_SET(CURLOPT_DEBUGFUNCTION, hear) && IS_SET(CURLOPT_DEBUGDATA, transfer);
}

// With this option, libcurl passes each line to the function for content before it looks at it, which can refuse a folded
// one.
static void show_lines_early(const SNLibrary *curl, SNTransfer *transfer) {
    if (sn_workaround_frees_fields_twice(curl)) SET(CURLOPT_HEADER, 1L);
}

// Sets the options that every request of this engine has, once per handle; a handle that lacks some must not be used.
bool sn_handle_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    SNHandle *handle = &transfer->handle;
    *handle = (SNHandle){
        .easy = handle->easy,
        .url = handle->url,
        .is_for_plain_get = true,
        .is_secure = -1,
        .connect_ms = -1,
        .buffer = -1,
    };
    handle->url.is_given = false;
    // Unknown before 7.87, see name_lookups.c.
    SET(CURLOPT_QUICK_EXIT, 1L);
    // Unknown to a libcurl without proxies.
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    restrict_protocols(curl, transfer);
    show_lines_early(curl, transfer);
    return IS_SET(CURLOPT_NOSIGNAL, 1L)
        && IS_SET(CURLOPT_FOLLOWLOCATION, 0L)
        // libcurl repeats a 417 to `Expect: 100-continue` without end, and counts that as a redirect.
        && IS_SET(CURLOPT_MAXREDIRS, 0L) && IS_SET(CURLOPT_PATH_AS_IS, 1L) && IS_SET(CURLOPT_HTTP09_ALLOWED, 0L)
        && set_up_callbacks(curl, transfer) && sn_proxies_set_up(transfer) && sn_destinations_set_up(transfer)
        && sn_certificates_set_up(transfer);
}

bool sn_handle_is_multiplexed(const SNTransfer *transfer) {
    long version = 0;
    transfer->engine->curl->easy_getinfo(transfer->handle.easy, CURLINFO_HTTP_VERSION, &version);
    return version >= CURL_HTTP_VERSION_2_0;
}

void sn_handle_drop(SNTransfer *transfer) {
    SNHandle *handle = &transfer->handle;
    if (handle->easy) transfer->engine->curl->easy_cleanup(handle->easy);
    handle->easy = NULL;
    sn_urls_free(transfer->engine->curl, &handle->url);
}

// From 7.83 on, a handle keeps the fields of its last response, in many times as much memory as they have bytes.
enum { KEPT_HEADER_BYTES = 32 << 10 };

// Resets a handle that may have used a retry: libcurl allows six retries on closed connections per handle, not per
// request.
//
// A reset costs as much as the rest of a small request, so other handles are not reset.
void sn_handle_refresh(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNRequest *request = &transfer->request;
    const SNExchange *exchange = &transfer->exchange;
    if (!transfer->handle.easy) return;
    if (exchange->header_bytes > KEPT_HEADER_BYTES || (request->has_trailers && sn_workaround_keeps_trailers(curl))) {
        sn_handle_drop(transfer);
        return;
    }
    bool may_have_retried = sn_workaround_hides_tries(curl) ? !exchange->result.is_reused : exchange->tries > 1;
    // With `Expect`, libcurl and this engine keep marks against reusing the connection.
    if (!may_have_retried && !request->has_expect) return;
    curl->easy_reset(transfer->handle.easy);
    if (!sn_handle_set_up(transfer)) sn_handle_drop(transfer);
}

#endif
