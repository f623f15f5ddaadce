#ifdef __linux__

#include "engine.h"
#include <stdlib.h>
#include <string.h>

#define SET(option, value) curl->easy_setopt(transfer->easy, option, value)
#define IS_SET(option, value) (SET(option, value) == CURLE_OK)

static void restrict_protocols(const SNLibrary *curl, SNTransfer *transfer) {
    // Deprecated since 7.85 in favor of names, which libcurl has to take apart.
    SET(CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
    SET(CURLOPT_REDIR_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
}

// Authorities to trust in place of the system's, for servers and https proxies: libcurl's default directory would count
// besides the file. Not every TLS library reads directories, and not every libcurl has https proxies.
static bool trust_file(const SNLibrary *curl, SNTransfer *transfer, const char *file) {
    int of_servers = SET(CURLOPT_CAPATH, NULL);
    int of_proxies = SET(CURLOPT_PROXY_CAPATH, NULL);
    int proxies = SET(CURLOPT_PROXY_CAINFO, file);
    return IS_SET(CURLOPT_CAINFO, file) && (of_servers == CURLE_OK || of_servers == CURLE_NOT_BUILT_IN)
        && (of_proxies == CURLE_OK || of_proxies == CURLE_NOT_BUILT_IN || of_proxies == CURLE_UNKNOWN_OPTION)
        && (proxies == CURLE_OK || proxies == CURLE_UNKNOWN_OPTION);
}

static bool set_up_tls(const SNLibrary *curl, SNTransfer *transfer) {
    const SNEngineOptions *options = &transfer->engine->options;
    const char *ca_file = options->ca_file ? options->ca_file : curl->ca_file;
    sn_records_set_up(transfer);
    int proxies = SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    return IS_SET(CURLOPT_SSL_VERIFYPEER, 1L) && IS_SET(CURLOPT_SSL_VERIFYHOST, 2L)
        && IS_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2)
        && (proxies == CURLE_OK || proxies == CURLE_UNKNOWN_OPTION)
        && (!ca_file || trust_file(curl, transfer, ca_file))
        && (!options->pinned_keys || IS_SET(CURLOPT_PINNEDPUBLICKEY, options->pinned_keys));
}

static bool set_up_proxy(const SNLibrary *curl, SNTransfer *transfer) {
    const SNEngineOptions *options = &transfer->engine->options;
    if (!options->proxy) return true;
    // The environment's exceptions are those of its own proxies.
    return IS_SET(CURLOPT_PROXY, options->proxy)
        && IS_SET(CURLOPT_NOPROXY, options->no_proxy ? options->no_proxy : "")
        && (!options->proxy_credentials || IS_SET(CURLOPT_PROXYUSERPWD, options->proxy_credentials));
}

static int hear(CURL *easy, int kind, char *bytes, size_t count, void *context) {
    (void)easy;
    SNTransfer *transfer = context;
    if (kind == CURLINFO_DATA_IN && transfer->is_watched) sn_shares_see(transfer, count);
    if (kind == CURLINFO_TEXT && transfer->hears_refusals) sn_refusals_hear(transfer, bytes, count);
    return 0;
}

static bool set_up_callbacks(const SNLibrary *curl, SNTransfer *transfer) {
    // Unknown before 7.80, see `sn_handle_refresh`.
    SET(CURLOPT_PREREQFUNCTION, sn_send_begins);
    SET(CURLOPT_PREREQDATA, transfer);
    return IS_SET(CURLOPT_PRIVATE, transfer) && IS_SET(CURLOPT_ERRORBUFFER, transfer->error)
        && IS_SET(CURLOPT_HEADERFUNCTION, sn_receive_header) && IS_SET(CURLOPT_HEADERDATA, transfer)
        && IS_SET(CURLOPT_WRITEFUNCTION, sn_receive_content) && IS_SET(CURLOPT_WRITEDATA, transfer)
        && IS_SET(CURLOPT_READFUNCTION, sn_send_read) && IS_SET(CURLOPT_READDATA, transfer)
        && IS_SET(CURLOPT_SEEKFUNCTION, sn_send_seek) && IS_SET(CURLOPT_SEEKDATA, transfer)
        && IS_SET(CURLOPT_OPENSOCKETFUNCTION, sn_files_open_socket) && IS_SET(CURLOPT_OPENSOCKETDATA, transfer)
        // A connection outlives the transfer that made it.
        && IS_SET(CURLOPT_CLOSESOCKETFUNCTION, sn_files_close_socket)
        && IS_SET(CURLOPT_CLOSESOCKETDATA, transfer->engine)
        && IS_SET(CURLOPT_XFERINFOFUNCTION, sn_receive_progress) && IS_SET(CURLOPT_XFERINFODATA, transfer)
        && IS_SET(CURLOPT_DEBUGFUNCTION, hear) && IS_SET(CURLOPT_DEBUGDATA, transfer);
}

// From 7.84 until 8.1, a handle keeps a pointer to the last header field of the previous response, which is freed by
// then; a response whose fields begin with a folded line frees it once more (curl's commit cd1c611b24). With this
// option, libcurl passes each line to the function for content before it looks at it, which can refuse such a line.
static void show_lines_early(const SNLibrary *curl, SNTransfer *transfer) {
    if (curl->version >= 0x075400 && curl->version < 0x080100) SET(CURLOPT_HEADER, 1L);
}

// Sets the options that every request of this engine has, once per handle; a handle that lacks some must not be used.
bool sn_handle_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    transfer->was_plain_get = true;
    transfer->reported_progress = transfer->last_listens = false;
    transfer->last_is_secure = -1;
    transfer->last_has_target = transfer->last_has_trailers = transfer->last_has_close = false;
    transfer->last_offers_certificate = false;
    transfer->last_connect_ms = -1;
    transfer->last_buffer = -1;
    transfer->is_watched = false;
    // Unknown before 7.87, see lookups.c.
    SET(CURLOPT_QUICK_EXIT, 1L);
    // Unknown to a libcurl without proxies.
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    restrict_protocols(curl, transfer);
    show_lines_early(curl, transfer);
    return IS_SET(CURLOPT_NOSIGNAL, 1L)
        && IS_SET(CURLOPT_FOLLOWLOCATION, 0L)
        // libcurl repeats a 417 to `Expect: 100-continue` without end, and counts that as a redirect.
        && IS_SET(CURLOPT_MAXREDIRS, 0L)
        && IS_SET(CURLOPT_PATH_AS_IS, 1L)
        && IS_SET(CURLOPT_HTTP09_ALLOWED, 0L)
        && set_up_callbacks(curl, transfer) && set_up_proxy(curl, transfer) && set_up_tls(curl, transfer);
}

void sn_handle_drop(SNTransfer *transfer) {
    if (transfer->easy) transfer->engine->curl->easy_cleanup(transfer->easy);
    transfer->easy = NULL;
}

// Before 8.7, a handle never forgets how far its trailers were sent: the next chunks would be written in front of its
// buffer.
static bool repeats_trailers(const SNLibrary *curl) { return curl->version >= 0x080700; }

// From 7.83 on, a handle keeps the fields of its last response, in many times as much memory as they have bytes.
enum { KEPT_HEADER_BYTES = 32 << 10 };
static bool keeps_much(const SNTransfer *transfer) { return transfer->header_bytes > KEPT_HEADER_BYTES; }

// Resets a handle that may have used a retry: libcurl allows six retries on closed connections per handle, not per
// request.
//
// A reset costs as much as the rest of a small request, so other handles are not reset.
void sn_handle_refresh(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool counts_tries = curl->version >= 0x075000;
    if (!transfer->easy) return;
    if (keeps_much(transfer) || (transfer->has_trailers && !repeats_trailers(curl))) {
        sn_handle_drop(transfer);
    } else if (transfer->has_expect || (counts_tries ? transfer->tries > 1 : !transfer->result.is_reused)) {
        // With `Expect`, libcurl and this engine keep marks against reusing the connection.
        curl->easy_reset(transfer->easy);
        if (!sn_handle_set_up(transfer)) sn_handle_drop(transfer);
    }
    transfer->tries = 0;
}

static bool prepare_method(const SNLibrary *curl, SNTransfer *transfer) {
    const char *method = transfer->text.bytes + transfer->method;
    bool is_plain_get = strcmp(method, "GET") == 0 && transfer->body == SN_BODY_NONE;
    if (is_plain_get && transfer->was_plain_get) return true;
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
    return IS_SET(CURLOPT_CUSTOMREQUEST, strcmp(method, implied) == 0 ? NULL : method);
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
static bool keep_empty_query(const SNLibrary *curl, SNTransfer *transfer) {
    if (curl->version < 0x080800) return true;
    const char *url = transfer->text.bytes, *target = NULL;
    size_t count = strlen(url);
    if (count && url[count - 1] == '?' && (transfer->is_secure || !may_have_proxy(transfer->engine))) {
        const char *authority = strstr(url, "://");
        target = authority ? strpbrk(authority + 3, "/?") : NULL;
        if (target && *target == '?') target = "/?";
    }
    bool changes = target || transfer->last_has_target;
    transfer->last_has_target = target;
    return !changes || IS_SET(CURLOPT_REQUEST_TARGET, target);
}

void sn_handle_listen(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool listens = transfer->is_watched || transfer->hears_refusals;
    if (transfer->last_listens == listens) return;
    transfer->last_listens = listens;
    SET(CURLOPT_VERBOSE, (long)listens);
}

// Has the client certificate for this request's server only: the handle may have served another.
static bool offer_certificate(const SNLibrary *curl, SNTransfer *transfer) {
    bool is_offered = transfer->offers_certificate;
    if (transfer->last_offers_certificate == is_offered) return true;
    transfer->last_offers_certificate = is_offered;
    const SNEngineOptions *options = &transfer->engine->options;
    return IS_SET(CURLOPT_SSLCERT, is_offered ? options->certificate : NULL)
        && IS_SET(CURLOPT_SSLKEY, is_offered ? options->key : NULL)
        && IS_SET(CURLOPT_KEYPASSWD, is_offered ? options->key_password : NULL);
}

// Sets the options that differ between requests; a pooled handle keeps the others, which is cheaper than a reset. If
// one can't be set, what the handle has is not known, and it must not be used.
bool sn_handle_prepare(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    if (!sn_transfer_end_head(transfer)) return false;
    if (!IS_SET(CURLOPT_URL, transfer->text.bytes) || !keep_empty_query(curl, transfer)) return false;
    if (!prepare_method(curl, transfer) || !offer_certificate(curl, transfer)) return false;
    SET(CURLOPT_HTTPHEADER, lines(transfer));
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
    sn_shares_unwatch(transfer);
    sn_tunnels_end(transfer);
    // Costs some microseconds, so that only those pay for it that are not resent otherwise.
    transfer->hears_refusals = transfer->is_secure && !transfer->is_repeatable;
    sn_handle_listen(transfer);
    // Without a callback before each try, a second one can't be refused; a new connection prevents it.
    if (curl->version < 0x075000) SET(CURLOPT_FRESH_CONNECT, (long)!transfer->is_repeatable);
    if (transfer->last_connect_ms != transfer->connect_ms) {
        transfer->last_connect_ms = transfer->connect_ms;
        SET(CURLOPT_CONNECTTIMEOUT_MS, sn_lookups_connect_ms(transfer->engine, transfer->connect_ms));
    }
    // A paused stream holds one such buffer.
    long buffer = transfer->sink == SN_SINK_STREAM ? 16 << 10 : 64 << 10;
    if (transfer->last_buffer != buffer) {
        transfer->last_buffer = buffer;
        SET(CURLOPT_BUFFERSIZE, buffer);
    }
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
