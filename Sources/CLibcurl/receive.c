#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <stdlib.h>
#include <string.h>

// What libcurl has received of a response: its head, its content and its progress.

static size_t fail(SNTransfer *transfer, SNFailure failure) {
    if (!transfer->exchange.failure) transfer->exchange.failure = failure;
    return 0;
}

// A new block begins.
static SNFailure begin_block(SNTurn *turn, SNTransfer *transfer, const char *line, size_t count) {
    SNExchange *exchange = &transfer->exchange;
    sn_connections_connected(turn, transfer);
    sn_proxies_end_tunnel(transfer);
    exchange->headers.count = exchange->headers.text.count = exchange->headers.folds = 0;
    exchange->codings = (SNCodingList){0};
    exchange->status = sn_fields_status(line, count);
    return exchange->status ? SN_FAILURE_NONE : SN_FAILURE_STATUS_LINE;
}

// Content-Encoding (RFC 9110 §8.4): a list of codings, in the order in which they were applied.
static void read_codings(SNExchange *exchange) {
    const SNFields *headers = &exchange->headers;
    for (size_t i = 0; i < headers->count; i++) {
        SNText list = sn_fields_value(headers, i);
        if (!sn_text_is(sn_fields_name(headers, i), "Content-Encoding")) continue;
        for (SNText coding; sn_text_next(&list, &coding);) {
            sn_codings_add(&exchange->codings, coding.bytes, coding.count);
        }
    }
}

// A transfer coding that was not requested (RFC 9110 §10.1.4), which libcurl would undo nevertheless, without a limit.
static bool has_unasked_coding(const SNFields *headers) {
    for (size_t i = 0; i < headers->count; i++) {
        SNText list = sn_fields_value(headers, i);
        if (!sn_text_is(sn_fields_name(headers, i), "Transfer-Encoding")) continue;
        for (SNText coding; sn_text_next(&list, &coding);) {
            if (coding.count && !sn_text_is(coding, "chunked") && !sn_text_is(coding, "identity")) return true;
        }
    }
    return false;
}

static bool is_redirect(int status, const SNFields *headers) {
    // Others, such as 300 and 304, are not followed.
    if (status < 301 || status > 308 || (status > 303 && status < 307)) return false;
    for (size_t i = 0; i < headers->count; i++) {
        if (sn_text_is(sn_fields_name(headers, i), "Location") && headers->items[i].value_length) return true;
    }
    return false;
}

// libcurl would take a number of more than 63 bits for none, and the end of the connection for the end of the content.
static bool is_length(SNText text) {
    int64_t length = 0;
    for (size_t i = 0; i < text.count; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') return false;
        if (__builtin_mul_overflow(length, 10, &length)) return false;
        if (__builtin_add_overflow(length, text.bytes[i] - '0', &length)) return false;
    }
    return text.count > 0;
}

// Several lengths, or one that is no number, can't be told from two responses in one (RFC 9112 §6.3).
static bool has_one_length(const SNFields *headers) {
    SNText first = {0};
    bool is_one = true;
    for (size_t i = 0; i < headers->count; i++) {
        SNText name = sn_fields_name(headers, i), list = sn_fields_value(headers, i);
        if (sn_text_is(name, "Transfer-Encoding")) return true;
        if (!sn_text_is(name, "Content-Length")) continue;
        for (SNText length; sn_text_next(&list, &length);) {
            if (!first.count) first = length;
            bool is_same = length.count == first.count && memcmp(length.bytes, first.bytes, length.count) == 0;
            is_one = is_one && is_length(length) && is_same;
        }
    }
    return is_one;
}

// After a response that comes before the content is sent, the server may take the next request for content (RFC 9112
// §9.3), so libcurl must not reuse the connection, as it would after a success and a 417.
static void leave_unsent_content(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    int64_t sent = 0;
    curl->easy_getinfo(transfer->handle.easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    if (sent == 0) curl->easy_setopt(transfer->handle.easy, CURLOPT_FORBID_REUSE, 1L);
}

// After an error or a redirect, libcurl sends no more content, but would wait until the source of it unpauses.
static void release_sender(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool was_paused = transfer->mailbox.is_send_paused;
    transfer->mailbox.is_send_paused = false;
    pthread_mutex_unlock(&transfer->lock);
    if (was_paused) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

static int64_t announced_length(const SNTransfer *transfer) {
    int64_t length = -1;
    transfer->engine->curl->easy_getinfo(transfer->handle.easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

// A server that needs no more of the content may respond and read on no further (RFC 9112 §9.3, RFC 9113 §8.1); libcurl
// waits until it can send the rest.
static void notice_end(SNTurn *turn, SNTransfer *transfer) {
    if (transfer->request.body.kind == SN_BODY_NONE) return;
    if (transfer->exchange.received != announced_length(transfer)) return;
    transfer->exchange.is_whole = true;
    sn_time_limits_move(turn, transfer);
}

static void complete_head(SNTurn *turn, SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    SNExchange *exchange = &transfer->exchange;
    exchange->is_head_complete = true;
    if (exchange->status >= 300) release_sender(transfer);
    if (request->has_expect && exchange->to_send != 0) leave_unsent_content(transfer);
    // Only the content of a success goes to the destination; that of a redirect or an error is for the caller to read.
    bool succeeded = exchange->status >= 200 && exchange->status < 300;
    exchange->route = succeeded ? request->sink : SN_SINK_MEMORY;
    read_codings(exchange);
    // Then none of them is undone.
    if (exchange->codings.is_unknown) exchange->codings = (SNCodingList){0};
    if (exchange->route == SN_SINK_STREAM) sn_transfer_raise(transfer, SN_EVENT_HEAD);
    notice_end(turn, transfer);
    // The function for content doesn't see the sizes of chunks.
    exchange->has_length = announced_length(transfer) >= 0;
    if (!exchange->has_length) sn_fairness_count_raw_bytes(turn, transfer);
    exchange->is_followed = request->follows_redirects && is_redirect(exchange->status, &exchange->headers);
    if (exchange->is_followed) sn_time_limits_hurry(turn, transfer, SN_REDIRECT_NS);
}

// Ends a block of the head, after its empty line.
static SNFailure end_block(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    exchange->head_lines = 0;
    // The client requests no other protocol, and what follows would be in it.
    if (exchange->status == 101) return SN_FAILURE_HEADER_CUT;
    if (exchange->status >= 200) {
        if (!has_one_length(&exchange->headers)) return SN_FAILURE_LENGTH;
        if (has_unasked_coding(&exchange->headers)) return SN_FAILURE_TRANSFER_CODING;
        complete_head(turn, transfer);
    } else if (exchange->status > 101) {
        if (!sn_interim_keep(transfer)) return SN_FAILURE_MEMORY;
        sn_transfer_raise(transfer, SN_EVENT_INTERIM);
    }
    return SN_FAILURE_NONE;
}

// As libcurl does, takes the first line of a block for its status line, and no other one.
static SNFailure take_line(SNTurn *turn, SNTransfer *transfer, const char *line, size_t count) {
    if (transfer->exchange.head_lines++ == 0) return begin_block(turn, transfer, line, count);
    return count ? sn_fields_add(&transfer->exchange.headers, line, count) : end_block(turn, transfer);
}

// Trailers must not pass for header fields (RFC 9110 §6.5.1). While content is paused, libcurl before 8.7 gathers
// several.
static SNFailure take_trailers(SNTransfer *transfer, const char *bytes, size_t count) {
    SNFailure failure = SN_FAILURE_NONE;
    for (const char *end = bytes + count; bytes < end && !failure;) {
        const char *feed = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *next = feed ? feed + 1 : end;
        size_t length = sn_fields_trim(bytes, (size_t)(next - bytes));
        if (length) failure = sn_fields_add(&transfer->exchange.trailers, bytes, length);
        bytes = next;
    }
    return failure;
}

size_t sn_receive_header(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    SNExchange *exchange = &transfer->exchange;
    SNTurn *turn = sn_turn_of(transfer);
    size_t count = size * items;
    exchange->moved = turn->now;
    sn_tls_records_go_on();
    sn_streams_count(turn, transfer, count);
    exchange->header_bytes += count;
    if (exchange->header_bytes > (size_t)transfer->engine->options.max_header_bytes) {
        return fail(transfer, SN_FAILURE_HEADER_LIMIT);
    }
    SNFailure failure = exchange->is_head_complete
        ? take_trailers(transfer, bytes, count)
        : take_line(turn, transfer, bytes, sn_fields_trim(bytes, count));
    return failure ? fail(transfer, failure) : count;
}

static size_t receive_in_memory(SNTransfer *transfer, const char *bytes, size_t count) {
    SNBuffer *content = &transfer->exchange.content;
    if (content->count == 0) {
        int64_t length = announced_length(transfer);
        if (length > transfer->request.limit) return fail(transfer, SN_FAILURE_TOO_LARGE);
        if (length > 0 && !sn_buffer_reserve(content, (size_t)length)) return fail(transfer, SN_FAILURE_MEMORY);
    }
    if ((int64_t)(content->count + count) > transfer->request.limit) return fail(transfer, SN_FAILURE_TOO_LARGE);
    return sn_buffer_append(content, bytes, count) ? count : fail(transfer, SN_FAILURE_MEMORY);
}

// Until libcurl has named the kept connection that it uses, a paused one would pass for an idle one, and be closed for
// what comes unasked. libcurl names it at the end of its call, after 100 pieces of content at most.
static bool may_pause(const SNTransfer *transfer) {
    return transfer->exchange.has_socket || sn_handle_is_multiplexed(transfer);
}

static size_t receive_in_queue(SNTransfer *transfer, const char *bytes, size_t count) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    if (mailbox->arrived.count >= transfer->request.high_water && may_pause(transfer)) {
        // Taking the content resumes the transfer.
        mailbox->is_receive_paused = true;
        pthread_mutex_unlock(&transfer->lock);
        return CURL_WRITEFUNC_PAUSE;
    }
    bool is_kept = sn_buffer_append(&mailbox->arrived, bytes, count);
    pthread_mutex_unlock(&transfer->lock);
    if (!is_kept) return fail(transfer, SN_FAILURE_MEMORY);
    sn_transfer_raise(transfer, SN_EVENT_CONTENT);
    return count;
}

// A redirect's content is of no use. A little of it is read, so that its connection can be used again; more of it, and
// what never ends, closes the connection.
static size_t discard(SNTransfer *transfer, size_t count) {
    transfer->exchange.received += (int64_t)count;
    return transfer->exchange.received <= SN_REDIRECT_BYTES ? count : 0;
}

// Looks at a line of the head before libcurl does, see `show_lines_early`. A long one comes in pieces.
static size_t preview_line(SNTransfer *transfer, const char *bytes, size_t count) {
    SNExchange *exchange = &transfer->exchange;
    bool begins = !exchange->is_in_line;
    exchange->is_in_line = count && bytes[count - 1] != '\n';
    // Only behind a status line: from any other line on, libcurl has kept a field, or has failed.
    bool is_stray = begins && exchange->head_lines == 1 && (*bytes == ' ' || *bytes == '\t');
    return is_stray ? fail(transfer, SN_FAILURE_FOLD) : count;
}

size_t sn_receive_content(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    SNExchange *exchange = &transfer->exchange;
    size_t count = size * items;
    if (!exchange->is_head_complete) return preview_line(transfer, bytes, count);
    SNTurn *turn = sn_turn_of(transfer);
    exchange->moved = turn->now;
    sn_tls_records_go_on();
    sn_streams_count(turn, transfer, count);
    if (exchange->is_followed) return discard(transfer, count);
    if (exchange->codings.is_excessive) return fail(transfer, SN_FAILURE_CODINGS);
    // What is encoded is decoded by the thread that takes it, so that others need not wait.
    bool is_queued = exchange->route == SN_SINK_STREAM || exchange->codings.count;
    size_t taken = is_queued ? receive_in_queue(transfer, bytes, count) : receive_in_memory(transfer, bytes, count);
    if (taken == count) {
        exchange->received += (int64_t)count;
        sn_fairness_add_content(turn, transfer, count);
        notice_end(turn, transfer);
    }
    return taken;
}

int sn_receive_progress(void *context, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent) {
    SNTransfer *transfer = context;
    SNTurn *turn = sn_turn_of(transfer);
    if (!sent && !received && !sn_proxies_count_tunnel_byte(transfer)) {
        fail(transfer, SN_FAILURE_TUNNEL);
        return -1;
    }
    sn_fairness_add_call(turn, transfer);
    SNProgress now = {.to_send = to_send, .received = received, .to_receive = to_receive};
    now.sent = sn_send_content(&transfer->exchange, sent);
    if (sn_transfer_set_progress(transfer, now)) transfer->exchange.moved = turn->now;
    return 0;
}

void sn_receive_finish(SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (exchange->is_followed) {
        exchange->result.code = CURLE_OK;
        exchange->failure = SN_FAILURE_NONE;
    }
}

#endif
