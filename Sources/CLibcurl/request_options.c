#ifdef __linux__

#include "options.h"
#include "turn.h"
#include <string.h>

// The options that differ between requests. A handle that is used again keeps those that have not changed, which is
// cheaper than a reset.

// Up to this size, content is sent in one piece.
enum { UNSEEN_BYTES = 64 << 10 };

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
    if (sn_workaround_hides_tries(curl)) SET(CURLOPT_FRESH_CONNECT, (long)!transfer->exchange.may_repeat);
}

bool sn_handle_prepare(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNRequest *request = &transfer->request;
    SNExchange *exchange = &transfer->exchange;
    exchange->to_send = request->body.count;
    exchange->attempt_left = request->attempt_ns;
    exchange->may_repeat = request->is_repeatable && (!request->has_trailers || !sn_workaround_keeps_trailers(curl));
    // Costs some microseconds, so that only those pay for it whose end libcurl doesn't tell otherwise.
    exchange->hears_words = request->is_secure && (!exchange->may_repeat || sn_stream_ends_need_words(transfer));
    if (!sn_request_end_head(&transfer->request, curl)) return false;
    if (!sn_urls_set(transfer) || !sn_urls_set_target(transfer)) return false;
    if (!set_method(curl, transfer) || !sn_certificates_offer(transfer)) return false;
    if (!sn_proxies_bypass(transfer) || !sn_destinations_set(transfer)) return false;
    set_others(curl, transfer);
    sn_handle_listen(transfer);
    sn_handle_report(transfer, sn_handle_has_to_report(transfer));
    transfer->handle.error[0] = 0;
    return true;
}

#endif
