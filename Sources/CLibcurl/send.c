#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "turn.h"
#include <stdio.h>
#include <string.h>

// How libcurl gets the content of a request.

static size_t fail(SNTransfer *transfer, int system_error) {
    SNExchange *exchange = &transfer->exchange;
    if (!exchange->failure) exchange->failure = SN_FAILURE_SOURCE;
    exchange->system_error = system_error;
    return CURL_READFUNC_ABORT;
}

// Requests the next piece, which comes by `sn_transfer_supply`.
static void pull(SNTransfer *transfer) {
    const SNBody *body = &transfer->request.body;
    if (body->kind == SN_BODY_FILE) sn_file_threads_read(transfer);
    else transfer->engine->options.pull(body->source);
}

static size_t read_supply(SNTransfer *transfer, char *bytes, size_t count) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    size_t left = mailbox->supply.count - mailbox->supplied;
    size_t taken = left < count ? left : count;
    if (taken) memcpy(bytes, mailbox->supply.bytes + mailbox->supplied, taken);
    mailbox->supplied += taken;
    bool is_at_end = mailbox->is_source_at_end, is_broken = mailbox->is_source_broken;
    int error = mailbox->source_error;
    // The next piece is read while this one is sent.
    bool pulls = left == taken && !is_at_end && !is_broken && !mailbox->is_pulling && !mailbox->is_suspended;
    if (pulls) mailbox->is_pulling = true;
    if (!taken && !is_at_end && !is_broken) mailbox->is_send_paused = true;
    pthread_mutex_unlock(&transfer->lock);
    if (pulls) pull(transfer);
    if (taken) {
        transfer->exchange.uploaded += (int64_t)taken;
        return taken;
    }
    if (is_broken) return fail(transfer, error);
    return is_at_end ? 0 : CURL_READFUNC_PAUSE;
}

size_t sn_send_read(char *bytes, size_t size, size_t items, void *context) {
    SNTransfer *transfer = context;
    SNExchange *exchange = &transfer->exchange;
    SNTurn *turn = sn_turn_of(transfer);
    size_t count = size * items;
    int64_t left = exchange->to_send < 0 ? INT64_MAX : exchange->to_send - exchange->uploaded;
    if ((int64_t)count > left) count = (size_t)left;
    if (!count) return 0;
    size_t result = read_supply(transfer, bytes, count);
    exchange->moved = turn->now;
    // Fewer bytes than announced: the server would wait for the rest forever.
    return result == 0 && exchange->to_send >= 0 ? fail(transfer, 0) : result;
}

bool sn_send_has_begun(const SNTransfer *transfer) {
    long count = 0;
    transfer->engine->curl->easy_getinfo(transfer->handle.easy, CURLINFO_REQUEST_SIZE, &count);
    return count > 0;
}

// Content without a length takes more bytes on the wire: the sizes of its chunks.
int64_t sn_send_content(const SNExchange *exchange, int64_t sent) {
    return exchange->to_send < 0 && sent > exchange->uploaded ? exchange->uploaded : sent;
}

// libcurl frees the list.
int sn_send_trailers(struct curl_slist **lines, void *context) {
    SNTransfer *transfer = context;
    SNTurn *turn = sn_turn_of(transfer);
    pthread_mutex_lock(&transfer->lock);
    const char *line = transfer->mailbox.trailer_lines.bytes, *end = line + transfer->mailbox.trailer_lines.count;
    for (; line < end; line += strlen(line) + 1) {
        struct curl_slist *longer = turn->curl->slist_append(*lines, line);
        if (!longer) break;
        *lines = longer;
    }
    pthread_mutex_unlock(&transfer->lock);
    return line < end ? CURL_TRAILERFUNC_ABORT : CURL_TRAILERFUNC_OK;
}

// What was supplied before is outdated.
void sn_send_restart(SNTransfer *transfer, int64_t offset) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    mailbox->generation++;
    mailbox->supply.count = mailbox->supplied = mailbox->trailer_lines.count = 0;
    mailbox->is_source_at_end = mailbox->is_source_broken = mailbox->is_pulling = false;
    mailbox->file_offset = offset;
    pthread_mutex_unlock(&transfer->lock);
    transfer->exchange.uploaded = offset;
}

int sn_send_seek(void *context, int64_t offset, int origin) {
    SNTransfer *transfer = context;
    const SNBody *body = &transfer->request.body;
    bool is_stream = body->kind == SN_BODY_STREAM && offset == 0;
    if (origin != SEEK_SET || (body->kind != SN_BODY_FILE && !is_stream)) return CURL_SEEKFUNC_FAIL;
    sn_send_restart(transfer, offset);
    if (is_stream) transfer->engine->options.rewind(body->source);
    return CURL_SEEKFUNC_OK;
}

// Called with the lock; whether sending goes on.
static bool take_piece(SNTransfer *transfer, long count) {
    SNMailbox *mailbox = &transfer->mailbox;
    bool unpauses = mailbox->is_send_paused;
    mailbox->is_pulling = false;
    mailbox->is_send_paused = false;
    mailbox->supply.count = mailbox->supplied = 0;
    mailbox->is_source_at_end = count == 0;
    mailbox->is_source_broken = count < 0;
    return unpauses;
}

void sn_transfer_supply(SNTransfer *transfer, uint32_t generation, const void *bytes, long count) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    bool is_current = generation == mailbox->generation;
    bool unpauses = is_current && take_piece(transfer, count);
    if (is_current && count > 0 && !sn_buffer_append(&mailbox->supply, bytes, (size_t)count)) {
        mailbox->is_source_broken = true;
    }
    pthread_mutex_unlock(&transfer->lock);
    if (unpauses) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

void sn_transfer_supply_buffer(SNTransfer *transfer, uint32_t generation, SNBuffer *buffer, long count) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    bool is_current = generation == mailbox->generation;
    bool unpauses = is_current && take_piece(transfer, count);
    if (is_current) {
        SNBuffer empty = mailbox->supply;
        mailbox->supply = *buffer;
        mailbox->supply.count = count > 0 ? (size_t)count : 0;
        *buffer = empty;
    }
    pthread_mutex_unlock(&transfer->lock);
    if (unpauses) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

void sn_transfer_suspend(SNTransfer *transfer, bool is_suspended) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    bool resumes = mailbox->is_suspended && !is_suspended && mailbox->is_submitted;
    mailbox->is_suspended = is_suspended;
    pthread_mutex_unlock(&transfer->lock);
    // Then libcurl wants the next piece again, and the time for which nothing has moved begins anew.
    if (resumes) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

uint32_t sn_transfer_generation(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    uint32_t generation = transfer->mailbox.generation;
    pthread_mutex_unlock(&transfer->lock);
    return generation;
}

#endif
