#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

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
    SNRequest *request = &transfer->request;
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
    request->is_secure = is_secure;
    request->host_start = 4;
    request->host_length = end - 4;
    request->url_length = length;
    request->text.count = 0;
    return sn_buffer_append(&request->text, url, length) && sn_buffer_append(&request->text, "", 1);
}

const char *sn_request_target(const SNRequest *request) {
    return request->text.bytes + request->host_start + request->host_length;
}

bool sn_transfer_set_method(SNTransfer *transfer, const char *method, size_t length) {
    SNRequest *request = &transfer->request;
    // CONNECT opens a tunnel through a proxy, and what follows would be no HTTP (RFC 9110 §9.3.6).
    if (!sn_is_token(method, length) || sn_is_same(method, length, "CONNECT")) return false;
    request->is_head = sn_is_same(method, length, "HEAD");
    request->is_options = sn_is_same(method, length, "OPTIONS");
    request->method = request->text.count;
    return sn_buffer_append(&request->text, method, length) && sn_buffer_append(&request->text, "", 1);
}

static bool add_line(SNRequest *request, size_t offset) {
    if (request->lines.count == request->lines.capacity) {
        size_t capacity = sn_larger(request->lines.capacity, request->lines.count + 1, sizeof(struct curl_slist));
        size_t *offsets = realloc(request->lines.offsets, capacity * sizeof *offsets);
        if (!offsets) return false;
        request->lines.offsets = offsets;
        struct curl_slist *nodes = realloc(request->lines.nodes, capacity * sizeof *nodes);
        if (!nodes) return false;
        request->lines.nodes = nodes;
        request->lines.capacity = capacity;
    }
    request->lines.offsets[request->lines.count++] = offset;
    return true;
}

static bool add_text(SNRequest *request, const char *line) {
    size_t offset = request->text.count;
    return sn_buffer_append(&request->text, line, strlen(line) + 1) && add_line(request, offset);
}

bool sn_transfer_add_header(
    SNTransfer *transfer, const char *name, size_t name_length, const char *value, size_t value_length
) {
    SNRequest *request = &transfer->request;
    if (!sn_is_token(name, name_length)) return false;
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
    request->has_expect |= sn_text_is(field, "Expect");
    request->has_encoding |= sn_text_is(field, "Accept-Encoding");
    request->has_type |= sn_text_is(field, "Content-Type");
    request->has_close |= sn_text_is(field, "Connection") && has_close((SNText){value, value_length});
    size_t offset = request->text.count;
    // For libcurl, "Name:" removes a field, and "Name;" is an empty one.
    return sn_buffer_append(&request->text, name, name_length)
        && sn_buffer_append(&request->text, is_empty ? ";" : ": ", is_empty ? 1 : 2)
        && (is_empty || sn_buffer_append(&request->text, value, value_length))
        && sn_buffer_append(&request->text, "", 1) && add_line(request, offset);
}

// By default, libcurl sends `Expect: 100-continue` and the content type of a form.
bool sn_request_add_content_lines(SNRequest *request) {
    return (request->has_expect || add_text(request, "Expect:"))
        && (request->has_type || add_text(request, "Content-Type:"));
}

bool sn_request_end_head(SNRequest *request, const SNLibrary *curl) {
    const char *encodings = curl->accept_encoding;
    return request->has_encoding || !*encodings || add_text(request, encodings);
}

#endif
