#ifdef __linux__

#include "engine.h"
#include <stdlib.h>
#include <string.h>

// Taking a URL apart and writing it down again costs libcurl a tenth of a small request. So a handle that is used for the
// same scheme, host and port as before gives libcurl the parts, of which only the path and the query are new.

// From 8.12 on, libcurl writes the whole URL down again for each request, which costs as much as is saved.
static bool spares_work(const SNLibrary *curl) { return curl->version < 0x080c00; }

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
    if (!spares_work(curl) || memchr(url, '@', length) || !is_kept(url + length)) return false;
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

#endif
