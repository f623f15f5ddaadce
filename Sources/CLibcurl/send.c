#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t fail(SNTransfer *transfer, int system_error) {
    if (!transfer->failure) transfer->failure = SN_FAILURE_SOURCE;
    transfer->system_error = system_error;
    return CURL_READFUNC_ABORT;
}

static size_t read_file(SNTransfer *transfer, char *bytes, size_t count) {
    ssize_t result;
    do result = pread(transfer->upload_file, bytes, count, transfer->upload_offset);
    while (result < 0 && errno == EINTR);
    if (result < 0) return fail(transfer, errno);
    transfer->upload_offset += result;
    return (size_t)result;
}

static size_t read_stream(SNTransfer *transfer, char *bytes, size_t count) {
    pthread_mutex_lock(&transfer->lock);
    size_t left = transfer->supply.count - transfer->supplied;
    size_t taken = left < count ? left : count;
    if (taken) memcpy(bytes, transfer->supply.bytes + transfer->supplied, taken);
    transfer->supplied += taken;
    bool is_at_end = transfer->is_source_at_end, is_broken = transfer->is_source_broken;
    // The next piece is read while this one is sent.
    bool pulls = left == taken && !is_at_end && !is_broken && !transfer->is_pulling;
    if (pulls) transfer->is_pulling = true;
    if (!taken && !is_at_end && !is_broken) transfer->is_send_paused = true;
    pthread_mutex_unlock(&transfer->lock);
    if (pulls) transfer->engine->options.pull(transfer->owner);
    if (taken) {
        transfer->upload_offset += (int64_t)taken;
        return taken;
    }
    if (is_broken) return fail(transfer, 0);
    return is_at_end ? 0 : CURL_READFUNC_PAUSE;
}

size_t sn_send_read(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    size_t count = size * items;
    int64_t left = transfer->upload_count < 0 ? INT64_MAX : transfer->upload_count - transfer->upload_offset;
    if ((int64_t)count > left) count = (size_t)left;
    if (!count) return 0;
    bool is_file = transfer->body == SN_BODY_FILE;
    size_t result = is_file ? read_file(transfer, bytes, count) : read_stream(transfer, bytes, count);
    transfer->moved = transfer->engine->now;
    // Fewer bytes than announced: the server would wait for the rest forever.
    return result == 0 && transfer->upload_count >= 0 ? fail(transfer, 0) : result;
}

bool sn_send_has_begun(SNTransfer *transfer) {
    long count = 0;
    transfer->engine->curl->easy_getinfo(transfer->easy, CURLINFO_REQUEST_SIZE, &count);
    return count > 0;
}

// Content without a length takes more bytes on the wire: the sizes of its chunks.
int64_t sn_send_content(SNTransfer *transfer, int64_t sent) {
    return transfer->upload_count < 0 && sent > transfer->upload_offset ? transfer->upload_offset : sent;
}

// A second call means that a kept connection broke before any response; the server may have the request nevertheless.
int sn_send_begins(void *context, char *remote, char *local, int remote_port, int local_port) {
    SNTransfer *transfer = context;
    if (transfer->tries && sn_send_has_begun(transfer)) {
        if (!transfer->is_repeatable && !sn_refusals_allow_resend(transfer)) {
            // A handle that has used a retry is reset.
            transfer->tries++;
            transfer->failure = SN_FAILURE_REPEAT;
            return CURL_PREREQFUNC_ABORT;
        }
        pthread_mutex_lock(&transfer->lock);
        transfer->resends++;
        pthread_mutex_unlock(&transfer->lock);
        sn_transfer_raise(transfer, SN_EVENT_RESENT);
    }
    sn_refusals_begin(transfer, remote, local, remote_port, local_port);
    transfer->tries++;
    transfer->has_socket = false;
    sn_hosts_connected(transfer->engine, transfer);
    return CURL_PREREQFUNC_OK;
}

// libcurl frees the list.
int sn_send_trailers(struct curl_slist **lines, void *context) {
    SNTransfer *transfer = context;
    pthread_mutex_lock(&transfer->lock);
    const char *line = transfer->trailer_lines.bytes, *end = line + transfer->trailer_lines.count;
    for (; line < end; line += strlen(line) + 1) {
        struct curl_slist *longer = transfer->engine->curl->slist_append(*lines, line);
        if (!longer) break;
        *lines = longer;
    }
    pthread_mutex_unlock(&transfer->lock);
    return line < end ? CURL_TRAILERFUNC_ABORT : CURL_TRAILERFUNC_OK;
}

int sn_send_seek(void *context, int64_t offset, int origin) {
    SNTransfer *transfer = context;
    if (origin != SEEK_SET) return CURL_SEEKFUNC_FAIL;
    if (transfer->body == SN_BODY_FILE) {
        transfer->upload_offset = offset;
        return CURL_SEEKFUNC_OK;
    }
    if (offset != 0) return CURL_SEEKFUNC_FAIL;
    pthread_mutex_lock(&transfer->lock);
    transfer->generation++;
    transfer->supply.count = transfer->supplied = transfer->trailer_lines.count = 0;
    transfer->is_source_at_end = transfer->is_source_broken = transfer->is_pulling = false;
    pthread_mutex_unlock(&transfer->lock);
    transfer->upload_offset = 0;
    transfer->engine->options.rewind(transfer->owner);
    return CURL_SEEKFUNC_OK;
}

#endif
