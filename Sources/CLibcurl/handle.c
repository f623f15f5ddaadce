#ifdef __linux__

#include "engine.h"
#include <stdlib.h>
#include <string.h>

#define SET(option, value) curl->easy_setopt(transfer->easy, option, value)

static void restrict_protocols(const SNLibrary *curl, SNTransfer *transfer) {
    // Deprecated since 7.85 in favor of names, which libcurl has to take apart.
    SET(CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
    SET(CURLOPT_REDIR_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
}

static bool set_up_tls(const SNLibrary *curl, SNTransfer *transfer) {
    const SNEngineOptions *options = &transfer->engine->options;
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    const char *ca_file = options->ca_file ? options->ca_file : curl->ca_file;
    bool is_set = !ca_file || SET(CURLOPT_CAINFO, ca_file) == CURLE_OK;
    if (options->certificate) is_set &= SET(CURLOPT_SSLCERT, options->certificate) == CURLE_OK;
    if (options->key) is_set &= SET(CURLOPT_SSLKEY, options->key) == CURLE_OK;
    if (options->key_password) is_set &= SET(CURLOPT_KEYPASSWD, options->key_password) == CURLE_OK;
    if (options->pinned_keys) is_set &= SET(CURLOPT_PINNEDPUBLICKEY, options->pinned_keys) == CURLE_OK;
    return is_set;
}

// From 7.83 until 8.1, a handle keeps a pointer to the last header field of the previous response, which is freed by
// then; a response whose fields begin with a folded line frees it once more (curl's commit cd1c611b24). With this
// option, libcurl passes each line to the function for content before it looks at it, which can refuse such a line.
static void show_lines_early(const SNLibrary *curl, SNTransfer *transfer) {
    if (curl->version >= 0x075300 && curl->version < 0x080100) SET(CURLOPT_HEADER, 1L);
}

// Sets the options that every request of this engine has, once per handle.
bool sn_handle_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNEngineOptions *options = &transfer->engine->options;
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->error);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    // libcurl repeats a 417 to `Expect: 100-continue` without end, and counts that as a redirect.
    SET(CURLOPT_MAXREDIRS, 0L);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_ACCEPT_ENCODING, "");
    // Unknown before 7.87, see lookups.c.
    SET(CURLOPT_QUICK_EXIT, 1L);
    restrict_protocols(curl, transfer);
    show_lines_early(curl, transfer);
    if (options->proxy) SET(CURLOPT_PROXY, options->proxy);
    if (options->no_proxy) SET(CURLOPT_NOPROXY, options->no_proxy);
    if (options->proxy_credentials) SET(CURLOPT_PROXYUSERPWD, options->proxy_credentials);
    SET(CURLOPT_HEADERFUNCTION, sn_receive_header);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, sn_receive_content);
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_READFUNCTION, sn_send_read);
    SET(CURLOPT_READDATA, transfer);
    SET(CURLOPT_SEEKFUNCTION, sn_send_seek);
    SET(CURLOPT_SEEKDATA, transfer);
    // Unknown before 7.80, see `sn_handle_refresh`.
    SET(CURLOPT_PREREQFUNCTION, sn_send_begins);
    SET(CURLOPT_PREREQDATA, transfer);
    SET(CURLOPT_OPENSOCKETFUNCTION, sn_files_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    // A connection outlives the transfer that made it.
    SET(CURLOPT_CLOSESOCKETFUNCTION, sn_files_close_socket);
    SET(CURLOPT_CLOSESOCKETDATA, transfer->engine);
    SET(CURLOPT_XFERINFOFUNCTION, sn_receive_progress);
    SET(CURLOPT_XFERINFODATA, transfer);
    SET(CURLOPT_DEBUGFUNCTION, sn_shares_see);
    SET(CURLOPT_DEBUGDATA, transfer);
    transfer->was_plain_get = true;
    transfer->kept_encoded = transfer->is_raw = transfer->reported_progress = false;
    transfer->last_is_secure = -1;
    transfer->last_has_target = transfer->last_has_trailers = transfer->last_has_close = false;
    transfer->last_connect_ms = -1;
    transfer->last_buffer = -1;
    transfer->is_watched = false;
    return set_up_tls(curl, transfer);
}

// Before 8.7, a handle never forgets how far its trailers were sent: the next chunks would be written in front of its
// buffer.
static bool repeats_trailers(const SNLibrary *curl) { return curl->version >= 0x080700; }

// Resets a handle that may have used a retry: libcurl allows six retries on closed connections per handle, not per
// request.
//
// A reset costs as much as the rest of a small request, so other handles are not reset.
void sn_handle_refresh(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool counts_tries = curl->version >= 0x075000;
    if (transfer->has_trailers && !repeats_trailers(curl)) {
        curl->easy_cleanup(transfer->easy);
        transfer->easy = NULL;
    } else if (transfer->has_expect || (counts_tries ? transfer->tries > 1 : !transfer->result.is_reused)) {
        // With `Expect`, libcurl and this engine keep marks against reusing the connection.
        curl->easy_reset(transfer->easy);
        sn_handle_set_up(transfer);
    }
    transfer->tries = 0;
}

// Before 8.5, this may be set while content arrives.
void sn_handle_leave_raw(SNTransfer *transfer, bool is_raw) {
    const SNLibrary *curl = transfer->engine->curl;
    if (transfer->is_raw != is_raw) SET(CURLOPT_HTTP_CONTENT_DECODING, (long)!is_raw);
    transfer->is_raw = is_raw;
}

static void prepare_method(const SNLibrary *curl, SNTransfer *transfer) {
    const char *method = transfer->text.bytes + transfer->method;
    bool is_plain_get = strcmp(method, "GET") == 0 && transfer->body == SN_BODY_NONE;
    if (is_plain_get && transfer->was_plain_get) return;
    transfer->was_plain_get = is_plain_get;
    SET(CURLOPT_POSTFIELDS, NULL);
    SET(CURLOPT_HTTPGET, 1L);
    const char *implied = "GET";
    if (transfer->body == SN_BODY_FILE || transfer->body == SN_BODY_STREAM) {
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_INFILESIZE_LARGE, transfer->upload_count);
        implied = "PUT";
    } else if (transfer->body == SN_BODY_BYTES) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, transfer->upload_count);
        const char *text = transfer->text.bytes + transfer->upload_in_text;
        SET(CURLOPT_POSTFIELDS, !transfer->upload_count ? "" : transfer->upload ? transfer->upload : text);
        implied = "POST";
    } else if (transfer->is_head) {
        SET(CURLOPT_NOBODY, 1L);
        implied = "HEAD";
    }
    SET(CURLOPT_CUSTOMREQUEST, strcmp(method, implied) == 0 ? NULL : method);
}

static struct curl_slist *lines(SNTransfer *transfer) {
    size_t count = transfer->lines.count;
    for (size_t i = 0; i < count; i++) {
        transfer->lines.nodes[i].data = transfer->text.bytes + transfer->lines.offsets[i];
        transfer->lines.nodes[i].next = i + 1 < count ? &transfer->lines.nodes[i + 1] : NULL;
    }
    return count ? transfer->lines.nodes : NULL;
}

static bool may_have_proxy(const SNEngine *engine) {
    if (engine->options.proxy) return *engine->options.proxy;
    return getenv("http_proxy") || getenv("all_proxy") || getenv("ALL_PROXY");
}

// Since 8.8, libcurl drops an empty query, which servers can tell from none. A proxy would need the whole URL as the
// target.
static void keep_empty_query(const SNLibrary *curl, SNTransfer *transfer) {
    if (curl->version < 0x080800) return;
    const char *url = transfer->text.bytes, *target = NULL;
    size_t count = strlen(url);
    if (count && url[count - 1] == '?' && (transfer->is_secure || !may_have_proxy(transfer->engine))) {
        const char *authority = strstr(url, "://");
        target = authority ? strpbrk(authority + 3, "/?") : NULL;
        if (target && *target == '?') target = "/?";
    }
    if (target || transfer->last_has_target) SET(CURLOPT_REQUEST_TARGET, target);
    transfer->last_has_target = target;
}

// Sets the options that differ between requests; a pooled handle keeps the others, which is cheaper than a reset.
bool sn_handle_prepare(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    if (!sn_transfer_end_head(transfer)) return false;
    if (SET(CURLOPT_URL, transfer->text.bytes) != CURLE_OK) return false;
    keep_empty_query(curl, transfer);
    SET(CURLOPT_HTTPHEADER, lines(transfer));
    prepare_method(curl, transfer);
    if (transfer->last_is_secure != transfer->is_secure) {
        transfer->last_is_secure = transfer->is_secure;
        SET(CURLOPT_HTTP_VERSION, (long)(transfer->is_secure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    }
    if (transfer->last_has_close != transfer->has_close) {
        // The client must not send further requests on that connection (RFC 9112 §9.6).
        transfer->last_has_close = transfer->has_close;
        SET(CURLOPT_FORBID_REUSE, (long)transfer->has_close);
    }
    if (transfer->has_trailers && !repeats_trailers(curl)) transfer->is_repeatable = false;
    // Without a callback before each try, a second one can't be refused; a new connection prevents it.
    if (curl->version < 0x075000) SET(CURLOPT_FRESH_CONNECT, (long)!transfer->is_repeatable);
    if (transfer->last_connect_ms != transfer->connect_ms) {
        transfer->last_connect_ms = transfer->connect_ms;
        SET(CURLOPT_CONNECTTIMEOUT_MS, sn_lookups_connect_ms(transfer->engine, transfer->connect_ms));
    }
    // While a stream is paused, libcurl buffers what it has decompressed: this limits how much that can be.
    long buffer = transfer->sink == SN_SINK_STREAM ? 16 << 10 : 64 << 10;
    if (transfer->last_buffer != buffer) {
        transfer->last_buffer = buffer;
        SET(CURLOPT_BUFFERSIZE, buffer);
    }
    if (transfer->kept_encoded != transfer->keeps_encoded) {
        transfer->kept_encoded = transfer->keeps_encoded;
        SET(CURLOPT_ACCEPT_ENCODING, transfer->keeps_encoded ? NULL : "");
    }
    sn_handle_leave_raw(transfer, false);
    sn_shares_unwatch(transfer);
    if (transfer->last_has_trailers != transfer->has_trailers) {
        transfer->last_has_trailers = transfer->has_trailers;
        SET(CURLOPT_TRAILERFUNCTION, transfer->has_trailers ? sn_send_trailers : NULL);
        SET(CURLOPT_TRAILERDATA, transfer);
    }
    // Without reports, an engine that isn't asked for the content doesn't see it move.
    bool reports = transfer->reports_progress
        || (transfer->body == SN_BODY_BYTES && transfer->upload_count > SN_UNSEEN_BYTES);
    if (reports != transfer->reported_progress) {
        SET(CURLOPT_NOPROGRESS, (long)!reports);
        transfer->reported_progress = reports;
    }
    transfer->error[0] = 0;
    return true;
}

#endif
