#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// RFC 9110 §5.6.2.
static bool is_token(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        bool is_alphanumeric = (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
        if (!is_alphanumeric && (byte == 0 || !strchr("!#$%&'*+-.^_`|~", byte))) return false;
    }
    return count > 0;
}

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

// Whether a list of connection options (RFC 9110 §7.6.1) has "close".
static bool has_close(SNText list) {
    for (SNText option; sn_text_next(&list, &option);) {
        if (sn_text_is(option, "close")) return true;
    }
    return false;
}

// No name of a host is longer (RFC 1035 §2.3.4). Before 8.4, libcurl writes longer ones past its buffer for SOCKS
// (CVE-2023-38545).
enum { MOST_HOST_BYTES = 255 };

static size_t host_length(const char *host, size_t count) {
    const char *colon = *host == '[' ? NULL : memchr(host, ':', count);
    return colon ? (size_t)(colon - host) : count;
}

bool sn_transfer_set_url(SNTransfer *transfer, const char *url, size_t length) {
    bool is_secure = length > 8 && strncasecmp(url, "https://", 8) == 0;
    if (!is_secure && (length <= 7 || strncasecmp(url, "http://", 7) != 0)) return false;
    for (size_t i = 0; i < length; i++) {
        if ((uint8_t)url[i] <= ' ' || url[i] == 0x7f) return false;
    }
    size_t start = is_secure ? 8 : 7;
    size_t end = start;
    while (end < length && url[end] != '/' && url[end] != '?' && url[end] != '#') end++;
    const char *at = memrchr(url + start, '@', end - start);
    size_t host = at ? (size_t)(at - url) + 1 : start;
    if (host == end || url[host] == ':' || host_length(url + host, end - host) > MOST_HOST_BYTES) return false;
    transfer->is_secure = is_secure;
    transfer->host_start = 4;
    transfer->host_length = end - 4;
    transfer->url_length = length;
    transfer->text.count = 0;
    return sn_buffer_append(&transfer->text, url, length) && sn_buffer_append(&transfer->text, "", 1);
}

bool sn_transfer_set_method(SNTransfer *transfer, const char *method, size_t length) {
    if (!is_token(method, length)) return false;
    transfer->is_head = length == 4 && memcmp(method, "HEAD", 4) == 0;
    transfer->method = transfer->text.count;
    return sn_buffer_append(&transfer->text, method, length) && sn_buffer_append(&transfer->text, "", 1);
}

static bool add_line(SNTransfer *transfer, size_t offset) {
    if (transfer->lines.count == transfer->lines.capacity) {
        size_t capacity = sn_larger(transfer->lines.capacity, transfer->lines.count + 1, sizeof(struct curl_slist));
        size_t *offsets = realloc(transfer->lines.offsets, capacity * sizeof *offsets);
        if (!offsets) return false;
        transfer->lines.offsets = offsets;
        struct curl_slist *nodes = realloc(transfer->lines.nodes, capacity * sizeof *nodes);
        if (!nodes) return false;
        transfer->lines.nodes = nodes;
        transfer->lines.capacity = capacity;
    }
    transfer->lines.offsets[transfer->lines.count++] = offset;
    return true;
}

static bool add_text(SNTransfer *transfer, const char *line) {
    size_t offset = transfer->text.count;
    return sn_buffer_append(&transfer->text, line, strlen(line) + 1) && add_line(transfer, offset);
}

bool sn_transfer_add_header(
    SNTransfer *transfer, const char *name, size_t name_length, const char *value, size_t value_length) {
    if (!is_token(name, name_length)) return false;
    if (memchr(value, '\r', value_length) || memchr(value, '\n', value_length) || memchr(value, 0, value_length)) {
        return false;
    }
    // Blanks around a value are no part of it (RFC 9110 §5.5), and servers may refuse them (RFC 9113 §8.2.1).
    while (value_length && is_blank(value[value_length - 1])) value_length--;
    while (value_length && is_blank(*value)) value++, value_length--;
    bool is_empty = !value_length;
    // The transport decides how content is framed: a wrong length would hang or cut it.
    SNText field = {name, name_length};
    if (sn_text_is(field, "Content-Length") || sn_text_is(field, "Transfer-Encoding")) return true;
    transfer->has_expect |= sn_text_is(field, "Expect");
    transfer->has_encoding |= sn_text_is(field, "Accept-Encoding");
    transfer->has_type |= sn_text_is(field, "Content-Type");
    transfer->has_close |= sn_text_is(field, "Connection") && has_close((SNText){value, value_length});
    size_t offset = transfer->text.count;
    // For libcurl, "Name:" removes a field, and "Name;" is an empty one.
    return sn_buffer_append(&transfer->text, name, name_length)
        && sn_buffer_append(&transfer->text, is_empty ? ";" : ": ", is_empty ? 1 : 2)
        && (is_empty || sn_buffer_append(&transfer->text, value, value_length))
        && sn_buffer_append(&transfer->text, "", 1) && add_line(transfer, offset);
}

void sn_transfer_set_timeouts(SNTransfer *transfer, int64_t attempt_ns, int64_t idle_ns, long connect_ms) {
    transfer->attempt_ns = attempt_ns;
    transfer->idle_ns = idle_ns;
    transfer->connect_ms = connect_ms;
}

bool sn_transfer_end_head(SNTransfer *transfer) {
    const char *encodings = transfer->engine->curl->accept_encoding;
    return transfer->has_encoding || !*encodings || add_text(transfer, encodings);
}

void sn_transfer_report_progress(SNTransfer *transfer) { transfer->reports_progress = true; }
void sn_transfer_offer_certificate(SNTransfer *transfer) { transfer->offers_certificate = true; }
void sn_transfer_follow_redirects(SNTransfer *transfer) { transfer->follows_redirects = true; }

void sn_transfer_allow_repeats(SNTransfer *transfer) { transfer->is_repeatable = true; }

// By default, libcurl sends `Expect: 100-continue` and the content type of a form.
static bool add_content_lines(SNTransfer *transfer) {
    return (transfer->has_expect || add_text(transfer, "Expect:"))
        && (transfer->has_type || add_text(transfer, "Content-Type:"));
}

bool sn_transfer_send_copy(SNTransfer *transfer, const void *bytes, size_t count) {
    if (!add_content_lines(transfer)) return false;
    transfer->body = SN_BODY_BYTES;
    transfer->upload_count = (int64_t)count;
    transfer->upload_in_text = transfer->text.count;
    return sn_buffer_append(&transfer->text, bytes, count);
}

bool sn_transfer_send_borrowed(SNTransfer *transfer, const void *bytes, size_t count, void *owner) {
    transfer->body = SN_BODY_BYTES;
    transfer->upload = bytes;
    transfer->upload_count = (int64_t)count;
    transfer->owner = owner;
    return add_content_lines(transfer);
}

bool sn_transfer_send_file(SNTransfer *transfer, const char *path) {
    struct stat info;
    transfer->body = SN_BODY_FILE;
    // It is opened when the request starts: waiting requests hold no files.
    if (stat(path, &info) != 0) return false;
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    transfer->upload_count = info.st_size;
    if (!add_content_lines(transfer)) return false;
    transfer->upload_in_text = transfer->text.count;
    return sn_buffer_append(&transfer->text, path, strlen(path) + 1);
}

bool sn_transfer_send_stream(SNTransfer *transfer, int64_t length, void *source) {
    transfer->body = SN_BODY_STREAM;
    transfer->upload_count = length;
    transfer->owner = source;
    return add_content_lines(transfer);
}

void sn_transfer_send_trailers(SNTransfer *transfer) { transfer->has_trailers = true; }

bool sn_transfer_add_trailer(SNTransfer *transfer, uint32_t generation, const char *line) {
    pthread_mutex_lock(&transfer->lock);
    bool is_kept = generation != transfer->generation
        || sn_buffer_append(&transfer->trailer_lines, line, strlen(line) + 1);
    pthread_mutex_unlock(&transfer->lock);
    return is_kept;
}

void *sn_transfer_source(SNTransfer *transfer) {
    return transfer->body == SN_BODY_STREAM ? transfer->owner : NULL;
}

void sn_transfer_receive_in_memory(SNTransfer *transfer, int64_t limit) {
    // More can't be in memory.
    transfer->limit = limit < PTRDIFF_MAX ? limit : PTRDIFF_MAX;
}

void sn_transfer_receive_in_stream(SNTransfer *transfer, size_t high_water) {
    transfer->sink = SN_SINK_STREAM;
    transfer->high_water = high_water;
}

#endif
