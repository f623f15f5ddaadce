#ifdef __linux__

#include "turn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Taking a URL apart and writing it down again costs libcurl a tenth of a small request. So a handle that is used for the
// same scheme, host and port as before gives libcurl the parts, of which only the path and the query are new.

// Whether libcurl keeps every byte of what it is given as a part: it writes percent-encoding in lower case.
static bool is_kept(const char *target) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?";
    const char *query = strchr(target, '?');
    return *target == '/' && !target[strspn(target, plain)] && (!query || query[1]);
}

static bool has_origin(const SNURLParts *parts, const char *url, size_t length) {
    return parts->origin && strlen(parts->origin) == length && memcmp(parts->origin, url, length) == 0;
}

// Remembers the origin, in case that the handle is used for it again.
static void keep_origin(const SNLibrary *curl, SNURLParts *parts, const char *url, size_t length) {
    sn_urls_free(curl, parts);
    parts->origin = strndup(url, length);
}

static bool set_whole(const SNLibrary *curl, SNURLParts *parts, const char *url) {
    parts->whole = curl->url();
    return parts->whole && curl->url_set(parts->whole, CURLUPART_URL, url, CURLU_PATH_AS_IS) == CURLUE_OK;
}

static bool set_target(const SNLibrary *curl, SNURLParts *parts, char *target) {
    char *query = strchr(target, '?');
    if (query) *query = 0;
    bool is_set = curl->url_set(parts->whole, CURLUPART_PATH, target, 0) == CURLUE_OK
        && curl->url_set(parts->whole, CURLUPART_QUERY, query ? query + 1 : NULL, 0) == CURLUE_OK;
    if (query) *query = '?';
    return is_set;
}

// Makes the parts those of the URL; false if libcurl has to take it apart itself.
static bool set_parts(const SNLibrary *curl, SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    SNURLParts *parts = &transfer->handle.url;
    char *url = request->text.bytes;
    size_t length = request->host_start + request->host_length;
    if (sn_workaround_writes_urls_down(curl) || memchr(url, '@', length) || !is_kept(url + length)) return false;
    if (!has_origin(parts, url, length)) {
        keep_origin(curl, parts, url, length);
        return false;
    }
    bool is_set = parts->whole ? set_target(curl, parts, url + length) : set_whole(curl, parts, url);
    // What they are now is not known.
    if (!is_set) sn_urls_free(curl, parts);
    return is_set;
}

bool sn_urls_set(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    CURL *easy = transfer->handle.easy;
    SNURLParts *parts = &transfer->handle.url;
    // In any case: libcurl may read it when it sends the request again.
    if (curl->easy_setopt(easy, CURLOPT_URL, transfer->request.text.bytes) != CURLE_OK) return false;
    bool is_given = set_parts(curl, transfer);
    if (is_given == parts->is_given) return true;
    parts->is_given = is_given;
    return curl->easy_setopt(easy, CURLOPT_CURLU, is_given ? parts->whole : NULL) == CURLE_OK;
}

void sn_urls_free(const SNLibrary *curl, SNURLParts *parts) {
    if (parts->whole) curl->url_cleanup(parts->whole);
    free(parts->origin);
    parts->whole = NULL;
    parts->origin = NULL;
}

static const char *target_with_empty_query(const SNTransfer *transfer) {
    const char *target = sn_request_target(&transfer->request);
    bool is_dropped = *target && target[strlen(target) - 1] == '?' && sn_workaround_drops_empty_queries(transfer->engine->curl);
    if (!is_dropped || sn_proxies_need_whole_url(transfer)) return NULL;
    return *target == '?' ? "/?" : target;
}

// Asks for the options of the server itself; a proxy is given its URL without a path (RFC 9112 §3.2.4).
static const char *target_of_server(const SNTransfer *transfer, char *space, size_t size) {
    if (!sn_proxies_need_whole_url(transfer)) return "*";
    const SNRequest *request = &transfer->request;
    const char *authority = request->text.bytes + strlen("http://");
    int length = (int)(sn_request_target(request) - authority);
    const char *user = memchr(authority, '@', (size_t)length);
    if (user) length -= (int)(user + 1 - authority), authority = user + 1;
    return snprintf(space, size, "http://%.*s", length, authority) < (int)size ? space : NULL;
}

bool sn_urls_set_target(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    char space[300];
    bool is_of_server = transfer->request.is_options && strcmp(sn_request_target(&transfer->request), "/*") == 0;
    const char *target = is_of_server
        ? target_of_server(transfer, space, sizeof space) : target_with_empty_query(transfer);
    bool changes = target || transfer->handle.has_target;
    transfer->handle.has_target = target;
    return !changes || curl->easy_setopt(transfer->handle.easy, CURLOPT_REQUEST_TARGET, target) == CURLE_OK;
}

#endif
