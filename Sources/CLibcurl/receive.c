#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static size_t fail(SNTransfer *transfer, SNFailure failure) {
    if (!transfer->failure) transfer->failure = failure;
    return 0;
}

// "HTTP/1.1 200 OK", "HTTP/2 200", "HTTP/1.1 200": a new block begins.
static void begin_block(SNTransfer *transfer, const char *line, size_t count) {
    transfer->headers.count = transfer->headers.text.count = 0;
    transfer->is_head_complete = transfer->is_encoded = transfer->is_opaque = false;
    sn_handle_leave_raw(transfer, false);
    transfer->status = transfer->codings = 0;
    const char *space = memchr(line, ' ', count);
    if (!space) return;
    int status = 0;
    for (space++; space < line + count && *space >= '0' && *space <= '9' && status < 1000; space++) {
        status = status * 10 + (*space - '0');
    }
    transfer->status = status;
}

static bool knows_coding(const SNLibrary *curl, SNText name) {
    const struct {
        const char *name;
        int feature;
    } codings[] = {
        {"identity", 0}, {"none", 0}, {"gzip", CURL_VERSION_LIBZ}, {"x-gzip", CURL_VERSION_LIBZ},
        {"deflate", CURL_VERSION_LIBZ}, {"br", CURL_VERSION_BROTLI}, {"zstd", CURL_VERSION_ZSTD},
    };
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        if (sn_text_is(name, codings[i].name)) return (curl->features & codings[i].feature) == codings[i].feature;
    }
    return false;
}

// As many as newer versions of libcurl decode; before 7.88, each field may have as many (CVE-2023-23916).
enum { MOST_CODINGS = 5 };

// Content-Encoding (RFC 9110 §8.4): a list of codings, in the order in which they were applied; false for too many.
static bool read_codings(SNTransfer *transfer, SNText list) {
    transfer->is_encoded = true;
    for (SNText coding; sn_text_next(&list, &coding);) {
        if (!coding.count) continue;
        transfer->codings++;
        if (!knows_coding(transfer->engine->curl, coding)) transfer->is_opaque = true;
    }
    return transfer->codings <= MOST_CODINGS || transfer->keeps_encoded;
}

static bool is_redirect(int status, const SNFields *headers) {
    // Others, such as 300 and 304, are not followed.
    if (status < 301 || status > 308 || (status > 303 && status < 307)) return false;
    for (size_t i = 0; i < headers->count; i++) {
        if (sn_text_is(sn_fields_name(headers, i), "Location") && headers->items[i].value_length) return true;
    }
    return false;
}

static bool is_number(SNText text) {
    for (size_t i = 0; i < text.count; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') return false;
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
            is_one = is_one && is_number(length) && is_same;
        }
    }
    return is_one;
}

static bool add_header(SNTransfer *transfer, const char *line, size_t count) {
    SNFields *headers = &transfer->headers;
    size_t before = headers->count;
    if (!sn_fields_add(headers, line, count)) return false;
    if (headers->count > before && sn_text_is(sn_fields_name(headers, before), "Content-Encoding")) {
        if (!read_codings(transfer, sn_fields_value(headers, before))) {
            fail(transfer, SN_FAILURE_CODINGS);
            return false;
        }
    }
    return true;
}

// Returns whether content in a coding that libcurl does not know arrives undecoded.
static bool may_be_opaque(SNTransfer *transfer) {
    transfer->is_encoded = false;
    if (transfer->keeps_encoded) return true;
    // From 8.5 on, libcurl has decided by now; before, it decides with each piece of content.
    if (transfer->engine->curl->version >= 0x080500) return false;
    sn_handle_leave_raw(transfer, true);
    return true;
}

// After a response that comes before the content is sent, the server may take the next request for content (RFC 9112
// §9.3), so libcurl must not reuse the connection, as it would after a success and a 417.
static void leave_unsent_content(SNTransfer *transfer) {
    int64_t sent = 0;
    transfer->engine->curl->easy_getinfo(transfer->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    if (sent == 0) transfer->engine->curl->easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, 1L);
}

// After an error or a redirect, libcurl sends no more content, but would wait until the source of it unpauses.
static void release_sender(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool was_paused = transfer->is_send_paused;
    transfer->is_send_paused = false;
    pthread_mutex_unlock(&transfer->lock);
    if (was_paused) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

static int64_t announced_length(SNTransfer *transfer) {
    int64_t length = -1;
    transfer->engine->curl->easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

// A server that needs no more of the content may respond and read on no further (RFC 9112 §9.3, RFC 9113 §8.1); libcurl
// waits until it can send the rest.
static void notice_end(SNTransfer *transfer) {
    if (transfer->body == SN_BODY_NONE || transfer->is_encoded) return;
    if (transfer->received != announced_length(transfer)) return;
    transfer->is_whole = true;
    sn_clocks_move(transfer->engine, transfer);
}

static void complete_head(SNTransfer *transfer) {
    transfer->is_head_complete = true;
    if (transfer->status >= 300 && transfer->body == SN_BODY_STREAM) release_sender(transfer);
    if (transfer->has_expect && transfer->upload_count != 0) leave_unsent_content(transfer);
    // Only the content of a success goes to the destination; that of a redirect or an error is for the caller to read.
    bool succeeded = transfer->status >= 200 && transfer->status < 300;
    transfer->route = succeeded ? transfer->sink : SN_SINK_MEMORY;
    // Content that will be refused has to be requested again.
    bool is_final = !transfer->is_opaque || may_be_opaque(transfer);
    if (transfer->route == SN_SINK_STREAM && is_final) sn_transfer_raise(transfer, SN_EVENT_HEAD);
    notice_end(transfer);
    // The function for content sees neither the sizes of chunks nor what decompresses to nothing.
    if (transfer->is_encoded || announced_length(transfer) < 0) sn_shares_watch(transfer);
    transfer->is_followed = transfer->follows_redirects && is_redirect(transfer->status, &transfer->headers);
    if (transfer->is_followed) sn_clocks_hurry(transfer->engine, transfer, SN_REDIRECT_NS);
}

size_t sn_receive_header(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    size_t received = size * items, count = received;
    transfer->moved = transfer->engine->now;
    transfer->header_bytes += received;
    if (transfer->header_bytes > (size_t)transfer->engine->options.max_header_bytes) {
        return fail(transfer, SN_FAILURE_HEADER_LIMIT);
    }
    bool begins = count >= 5 && memcmp(bytes, "HTTP/", 5) == 0;
    while (count && (bytes[count - 1] == '\r' || bytes[count - 1] == '\n')) count--;
    bool is_kept = true;
    if (transfer->is_head_complete) {
        // Trailers must not pass for header fields (RFC 9110 §6.5.1).
        if (count && !begins) is_kept = sn_fields_add(&transfer->trailers, bytes, count);
    } else if (begins) {
        sn_hosts_connected(transfer->engine, transfer);
        begin_block(transfer, bytes, count);
    } else if (count) {
        is_kept = add_header(transfer, bytes, count);
    } else if (transfer->status == 101) {
        // The client requests no other protocol, and what follows would be in it.
        return fail(transfer, SN_FAILURE_HEADER_CUT);
    } else if (transfer->status >= 200) {
        if (!has_one_length(&transfer->headers)) return fail(transfer, SN_FAILURE_LENGTH);
        complete_head(transfer);
    } else if (transfer->status > 101) {
        is_kept = sn_fields_keep_interim(transfer);
        sn_transfer_raise(transfer, SN_EVENT_INTERIM);
    }
    return is_kept ? received : fail(transfer, SN_FAILURE_MEMORY);
}

static size_t receive_in_memory(SNTransfer *transfer, const char *bytes, size_t count) {
    SNBuffer *content = &transfer->content;
    if (content->count == 0 && !transfer->is_encoded) {
        int64_t length = announced_length(transfer);
        if (length > transfer->limit) return fail(transfer, SN_FAILURE_TOO_LARGE);
        if (length > 0 && !sn_buffer_reserve(content, (size_t)length)) return fail(transfer, SN_FAILURE_MEMORY);
    }
    if ((int64_t)(content->count + count) > transfer->limit) return fail(transfer, SN_FAILURE_TOO_LARGE);
    return sn_buffer_append(content, bytes, count) ? count : fail(transfer, SN_FAILURE_MEMORY);
}

// Until libcurl has named the kept connection that it uses, a paused one would pass for an idle one, and be closed for what
// comes unasked. libcurl names it at the end of its call, after 100 pieces of content at most.
static bool may_pause(SNTransfer *transfer) {
    long version = 0;
    if (transfer->has_socket) return true;
    transfer->engine->curl->easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    return version >= CURL_HTTP_VERSION_2_0;
}

static size_t receive_in_stream(SNTransfer *transfer, const char *bytes, size_t count) {
    pthread_mutex_lock(&transfer->lock);
    if (transfer->content.count >= transfer->high_water && may_pause(transfer)) {
        // Taking the content resumes the transfer.
        transfer->is_receive_paused = true;
        pthread_mutex_unlock(&transfer->lock);
        return CURL_WRITEFUNC_PAUSE;
    }
    bool is_kept = sn_buffer_append(&transfer->content, bytes, count);
    pthread_mutex_unlock(&transfer->lock);
    if (!is_kept) return fail(transfer, SN_FAILURE_MEMORY);
    sn_transfer_raise(transfer, SN_EVENT_CONTENT);
    return count;
}

// Looks at a line of the head before libcurl does, see `show_lines_early`.
static size_t preview_line(SNTransfer *transfer, const char *bytes, size_t count) {
    if (transfer->has_field || (count >= 5 && memcmp(bytes, "HTTP/", 5) == 0)) return count;
    // RFC 9112 §2.2: such a message may be refused.
    if (*bytes == ' ' || *bytes == '\t') return fail(transfer, SN_FAILURE_FOLD);
    // libcurl keeps no line without a colon, so that the pointer stays as it is.
    for (size_t i = 0; i < count && bytes[i] && bytes[i] != '\r' && bytes[i] != '\n' && !transfer->has_field; i++) {
        transfer->has_field = bytes[i] == ':';
    }
    return count;
}

size_t sn_receive_content(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    size_t count = size * items;
    if (!transfer->is_head_complete) return preview_line(transfer, bytes, count);
    transfer->moved = transfer->engine->now;
    bool is_stream = transfer->route == SN_SINK_STREAM;
    size_t taken = is_stream ? receive_in_stream(transfer, bytes, count) : receive_in_memory(transfer, bytes, count);
    if (taken == count) {
        transfer->received += (int64_t)count;
        sn_shares_count(transfer, count);
        notice_end(transfer);
    }
    return taken;
}

int sn_receive_progress(void *context, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent) {
    SNTransfer *transfer = context;
    sn_shares_see_call(transfer);
    SNProgress now = {.to_send = to_send, .received = received, .to_receive = to_receive};
    now.sent = sn_send_content(transfer, sent);
    pthread_mutex_lock(&transfer->lock);
    bool is_new = memcmp(&now, &transfer->progress, sizeof now) != 0;
    transfer->progress = now;
    pthread_mutex_unlock(&transfer->lock);
    if (!is_new) return 0;
    transfer->moved = transfer->engine->now;
    if (transfer->reports_progress) sn_transfer_raise(transfer, SN_EVENT_PROGRESS);
    return 0;
}

void sn_receive_finish(SNTransfer *transfer) {
    if (transfer->is_followed) {
        transfer->result.code = CURLE_OK;
        transfer->failure = SN_FAILURE_NONE;
    }
    if (transfer->result.code != CURLE_OK) return;
    if (transfer->route == SN_SINK_STREAM && transfer->is_opaque && !transfer->is_raw && !transfer->keeps_encoded) {
        // There was no content to refuse.
        sn_transfer_raise(transfer, SN_EVENT_HEAD);
    }
}

#endif
