#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <stdio.h>
#include <string.h>

static size_t fail(SNTransfer *transfer, int system_error) {
    if (!transfer->failure) transfer->failure = SN_FAILURE_SOURCE;
    transfer->system_error = system_error;
    return CURL_READFUNC_ABORT;
}

// Requests the next piece, which comes by `sn_transfer_supply`.
static void pull(SNTransfer *transfer) {
    if (transfer->body == SN_BODY_FILE) sn_disk_read(transfer);
    else transfer->engine->options.pull(transfer->owner);
}

static size_t read_supply(SNTransfer *transfer, char *bytes, size_t count) {
    pthread_mutex_lock(&transfer->lock);
    size_t left = transfer->supply.count - transfer->supplied;
    size_t taken = left < count ? left : count;
    if (taken) memcpy(bytes, transfer->supply.bytes + transfer->supplied, taken);
    transfer->supplied += taken;
    bool is_at_end = transfer->is_source_at_end, is_broken = transfer->is_source_broken;
    int error = transfer->source_error;
    // The next piece is read while this one is sent.
    bool pulls = left == taken && !is_at_end && !is_broken && !transfer->is_pulling;
    if (pulls) transfer->is_pulling = true;
    if (!taken && !is_at_end && !is_broken) transfer->is_send_paused = true;
    pthread_mutex_unlock(&transfer->lock);
    if (pulls) pull(transfer);
    if (taken) {
        transfer->upload_offset += (int64_t)taken;
        return taken;
    }
    if (is_broken) return fail(transfer, error);
    return is_at_end ? 0 : CURL_READFUNC_PAUSE;
}

size_t sn_send_read(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    size_t count = size * items;
    int64_t left = transfer->upload_count < 0 ? INT64_MAX : transfer->upload_count - transfer->upload_offset;
    if ((int64_t)count > left) count = (size_t)left;
    if (!count) return 0;
    size_t result = read_supply(transfer, bytes, count);
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
    sn_tunnels_end(transfer);
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

// What was supplied before is outdated.
void sn_send_restart(SNTransfer *transfer, int64_t offset) {
    pthread_mutex_lock(&transfer->lock);
    transfer->generation++;
    transfer->supply.count = transfer->supplied = transfer->trailer_lines.count = 0;
    transfer->is_source_at_end = transfer->is_source_broken = transfer->is_pulling = false;
    transfer->file_offset = offset;
    pthread_mutex_unlock(&transfer->lock);
    transfer->upload_offset = offset;
}

int sn_send_seek(void *context, int64_t offset, int origin) {
    SNTransfer *transfer = context;
    if (origin != SEEK_SET) return CURL_SEEKFUNC_FAIL;
    bool is_file = transfer->body == SN_BODY_FILE;
    if (offset != 0 && !is_file) return CURL_SEEKFUNC_FAIL;
    sn_send_restart(transfer, offset);
    if (!is_file) transfer->engine->options.rewind(transfer->owner);
    return CURL_SEEKFUNC_OK;
}

// Called with the lock; whether sending goes on.
static bool take_piece(SNTransfer *transfer, long count) {
    bool unpauses = transfer->is_send_paused;
    transfer->is_pulling = false;
    transfer->is_send_paused = false;
    transfer->supply.count = transfer->supplied = 0;
    transfer->is_source_at_end = count == 0;
    transfer->is_source_broken = count < 0;
    return unpauses;
}

void sn_transfer_supply(SNTransfer *transfer, uint32_t generation, const void *bytes, long count) {
    pthread_mutex_lock(&transfer->lock);
    bool is_current = generation == transfer->generation;
    bool unpauses = is_current && take_piece(transfer, count);
    if (is_current && count > 0 && !sn_buffer_append(&transfer->supply, bytes, (size_t)count)) {
        transfer->is_source_broken = true;
    }
    pthread_mutex_unlock(&transfer->lock);
    if (unpauses) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

void sn_transfer_supply_buffer(SNTransfer *transfer, uint32_t generation, SNBuffer *buffer, long count) {
    pthread_mutex_lock(&transfer->lock);
    bool is_current = generation == transfer->generation;
    bool unpauses = is_current && take_piece(transfer, count);
    if (is_current) {
        SNBuffer empty = transfer->supply;
        transfer->supply = *buffer;
        transfer->supply.count = count > 0 ? (size_t)count : 0;
        *buffer = empty;
    }
    pthread_mutex_unlock(&transfer->lock);
    if (unpauses) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

uint32_t sn_transfer_generation(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    uint32_t generation = transfer->generation;
    pthread_mutex_unlock(&transfer->lock);
    return generation;
}

#endif
