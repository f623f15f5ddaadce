#ifdef __linux__

#include "turn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The options that differ between requests. A handle that is used again keeps those that have not changed, which is
// cheaper than a reset.

// Up to this size, content is sent in one piece.
enum { UNSEEN_BYTES = 64 << 10 };

#define SET(option, value) curl->easy_setopt(transfer->handle.easy, option, value)
#define IS_SET(option, value) (SET(option, value) == CURLE_OK)

static bool set_content(const SNLibrary *curl, SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    const SNBody *body = &request->body;
    const char *method = request->text.bytes + request->method, *implied = "GET";
    switch (body->kind) {
    case SN_BODY_NONE:
        if (!request->is_head) break;
        SET(CURLOPT_NOBODY, 1L);
        implied = "HEAD";
        break;
    case SN_BODY_COPY:
    case SN_BODY_BORROWED:
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, body->count);
        const char *bytes = body->kind == SN_BODY_COPY ? request->text.bytes + body->in_text : body->borrowed.bytes;
        SET(CURLOPT_POSTFIELDS, body->count ? bytes : "");
        implied = "POST";
        break;
    case SN_BODY_FILE:
    case SN_BODY_STREAM:
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_INFILESIZE_LARGE, body->count);
        implied = "PUT";
        break;
    }
    return IS_SET(CURLOPT_CUSTOMREQUEST, strcmp(method, implied) == 0 ? NULL : method);
}

static bool set_method(const SNLibrary *curl, SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    bool is_plain_get = request->body.kind == SN_BODY_NONE && strcmp(request->text.bytes + request->method, "GET") == 0;
    if (is_plain_get && transfer->handle.is_for_plain_get) return true;
    transfer->handle.is_for_plain_get = is_plain_get;
    SET(CURLOPT_POSTFIELDS, NULL);
    SET(CURLOPT_HTTPGET, 1L);
    return set_content(curl, transfer);
}

static struct curl_slist *lines(SNRequest *request) {
    struct curl_slist *nodes = request->lines.nodes;
    size_t count = request->lines.count;
    for (size_t i = 0; i < count; i++) {
        nodes[i].data = request->text.bytes + request->lines.offsets[i];
        nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
    }
    return count ? nodes : NULL;
}

// A proxy of plain HTTP needs the whole URL as the target.
static bool needs_whole_url(const SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    return !request->is_secure && !request->is_direct && sn_engine_proxy(transfer->engine, false);
}

// Since 8.8, libcurl drops an empty query, which servers can tell from none.
static const char *target_with_empty_query(const SNTransfer *transfer) {
    const char *target = sn_request_target(&transfer->request);
    bool is_dropped = *target && target[strlen(target) - 1] == '?' && transfer->engine->curl->version >= 0x080800;
    if (!is_dropped || needs_whole_url(transfer)) return NULL;
    return *target == '?' ? "/?" : target;
}

// Asks for the options of the server itself; a proxy is given its URL without a path (RFC 9112 §3.2.4).
static const char *target_of_server(const SNTransfer *transfer, char *space, size_t size) {
    if (!needs_whole_url(transfer)) return "*";
    const SNRequest *request = &transfer->request;
    const char *authority = request->text.bytes + strlen("http://");
    int length = (int)(sn_request_target(request) - authority);
    const char *user = memchr(authority, '@', (size_t)length);
    if (user) length -= (int)(user + 1 - authority), authority = user + 1;
    return snprintf(space, size, "http://%.*s", length, authority) < (int)size ? space : NULL;
}

// Sends another target than the URL's path and query.
static bool set_target(const SNLibrary *curl, SNTransfer *transfer) {
    char space[300];
    bool is_of_server = transfer->request.is_options && strcmp(sn_request_target(&transfer->request), "/*") == 0;
    const char *target = is_of_server
        ? target_of_server(transfer, space, sizeof space) : target_with_empty_query(transfer);
    bool changes = target || transfer->handle.has_target;
    transfer->handle.has_target = target;
    return !changes || IS_SET(CURLOPT_REQUEST_TARGET, target);
}

// Has the client certificate for this request's server only: the handle may have served another.
static bool offer_certificate(const SNLibrary *curl, SNTransfer *transfer) {
    bool is_offered = transfer->request.offers_certificate;
    if (transfer->handle.offers_certificate == is_offered) return true;
    transfer->handle.offers_certificate = is_offered;
    const SNEngineOptions *options = &transfer->engine->options;
    return IS_SET(CURLOPT_SSLCERT, is_offered ? options->certificate : NULL)
        && IS_SET(CURLOPT_SSLKEY, is_offered ? options->key : NULL)
        && IS_SET(CURLOPT_KEYPASSWD, is_offered ? options->key_password : NULL);
}

// Whether the host is an exception, which libcurl's own list could not always say.
static bool bypass_proxy(const SNLibrary *curl, SNTransfer *transfer) {
    bool is_direct = transfer->request.is_direct;
    if (transfer->handle.is_direct == is_direct) return true;
    transfer->handle.is_direct = is_direct;
    return IS_SET(CURLOPT_NOPROXY, is_direct ? "*" : "");
}

void sn_handle_listen(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool listens = transfer->exchange.counts_raw_bytes || transfer->exchange.hears_words;
    if (transfer->handle.listens == listens) return;
    transfer->handle.listens = listens;
    SET(CURLOPT_VERBOSE, (long)listens);
}

void sn_handle_report(SNTransfer *transfer, bool reports) {
    const SNLibrary *curl = transfer->engine->curl;
    if (transfer->handle.reports_progress == reports) return;
    transfer->handle.reports_progress = reports;
    SET(CURLOPT_NOPROGRESS, (long)!reports);
}

// Without reports, an engine that isn't asked for the content doesn't see it move.
bool sn_handle_has_to_report(const SNTransfer *transfer) {
    const SNBody *body = &transfer->request.body;
    bool is_in_memory = body->kind == SN_BODY_COPY || body->kind == SN_BODY_BORROWED;
    return transfer->request.reports_progress || (is_in_memory && body->count > UNSEEN_BYTES);
}

void sn_handle_set_buffer(SNTransfer *transfer, bool is_small) {
    const SNLibrary *curl = transfer->engine->curl;
    // A paused stream holds one such buffer.
    long usual = transfer->request.sink == SN_SINK_STREAM ? 16 << 10 : 64 << 10;
    long streams = sn_streams_buffer(transfer);
    long size = streams ? streams : is_small ? SN_SMALL_BUFFER : usual;
    if (transfer->handle.buffer == size) return;
    transfer->handle.buffer = size;
    SET(CURLOPT_BUFFERSIZE, size);
}

// What libcurl refuses without harm.
static void set_others(const SNLibrary *curl, SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    SNHandle *handle = &transfer->handle;
    SET(CURLOPT_HTTPHEADER, lines(&transfer->request));
    if (handle->is_secure != request->is_secure) {
        handle->is_secure = request->is_secure;
        SET(CURLOPT_HTTP_VERSION, (long)(request->is_secure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    }
    if (handle->has_close != request->has_close) {
        // The client must not send further requests on that connection (RFC 9112 §9.6).
        handle->has_close = request->has_close;
        SET(CURLOPT_FORBID_REUSE, (long)request->has_close);
    }
    if (handle->connect_ms != request->connect_ms) {
        handle->connect_ms = request->connect_ms;
        SET(CURLOPT_CONNECTTIMEOUT_MS, sn_lookups_connect_ms(transfer->engine, request->connect_ms));
    }
    if (handle->has_trailers != request->has_trailers) {
        handle->has_trailers = request->has_trailers;
        SET(CURLOPT_TRAILERFUNCTION, request->has_trailers ? sn_send_trailers : NULL);
        SET(CURLOPT_TRAILERDATA, transfer);
    }
    // Without a callback before each try, a second one can't be refused; a new connection prevents it.
    if (curl->version < 0x075000) SET(CURLOPT_FRESH_CONNECT, (long)!transfer->exchange.may_repeat);
}

bool sn_handle_prepare(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNRequest *request = &transfer->request;
    SNExchange *exchange = &transfer->exchange;
    exchange->to_send = request->body.count;
    exchange->attempt_left = request->attempt_ns;
    exchange->may_repeat = request->is_repeatable && (!request->has_trailers || sn_handle_repeats_trailers(curl));
    // Costs some microseconds, so that only those pay for it whose end libcurl doesn't tell otherwise.
    exchange->hears_words = request->is_secure && (!exchange->may_repeat || sn_stream_ends_need_words(transfer));
    if (!sn_request_end_head(&transfer->request, curl)) return false;
    if (!sn_urls_set(transfer) || !set_target(curl, transfer)) return false;
    if (!set_method(curl, transfer) || !offer_certificate(curl, transfer)) return false;
    if (!bypass_proxy(curl, transfer)) return false;
    set_others(curl, transfer);
    sn_handle_listen(transfer);
    sn_handle_report(transfer, sn_handle_has_to_report(transfer));
    transfer->handle.error[0] = 0;
    return true;
}

#endif
