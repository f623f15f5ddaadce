#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>

// What the thread that waits for a transfer does with its content. Encoded content is decoded here, as much as is asked
// for: so an unread stream grows by what the server sends, and not by what that decodes to.

enum { PIECE_BYTES = 64 << 10, FIRST_BYTES = 16 << 10, STEP_BYTES = 256 << 10, SUPPLY_BYTES = 64 << 10 };

static bool is_encoded(const SNTransfer *transfer) { return transfer->exchange.codings.count > 0; }

static SNBuffer *body(SNTransfer *transfer) {
    return is_encoded(transfer) ? &transfer->reader.decoded : &transfer->exchange.content;
}

// Exchanges the buffer for what has arrived; the server may continue.
static void take_arrived(SNTransfer *transfer, SNBuffer *buffer) {
    SNMailbox *mailbox = &transfer->mailbox;
    buffer->count = 0;
    pthread_mutex_lock(&transfer->lock);
    SNBuffer arrived = mailbox->arrived;
    if (arrived.count) {
        mailbox->arrived = *buffer;
        *buffer = arrived;
    }
    bool unpauses = mailbox->is_receive_paused;
    mailbox->is_receive_paused = false;
    pthread_mutex_unlock(&transfer->lock);
    if (unpauses) sn_engine_command(transfer->engine, transfer, SN_COMMAND_UNPAUSE);
}

// Supplies a little at a time, so that no step takes long; false if nothing is there.
static bool refill(SNTransfer *transfer) {
    SNReader *reader = &transfer->reader;
    SNBuffer *encoded = &reader->encoded;
    if (reader->decoded_count == encoded->count) {
        take_arrived(transfer, encoded);
        reader->decoded_count = 0;
    }
    size_t left = encoded->count - reader->decoded_count, count = left < SUPPLY_BYTES ? left : SUPPLY_BYTES;
    sn_decoders_supply(reader->decoders, encoded->bytes + reader->decoded_count, count);
    reader->decoded_count += count;
    reader->slice.input += count;
    reader->supplied += count;
    return count > 0;
}

// Ends the transfer, unless it has ended.
static void give_up(SNTransfer *transfer, SNFailure failure) {
    transfer->reader.failure = failure;
    sn_engine_command(transfer->engine, transfer, SN_COMMAND_CANCEL);
}

// The timeouts apply to decoding too: the loop doesn't enforce them once all content is there.
static void check_time(SNTransfer *transfer, bool has_made) {
    SNReader *reader = &transfer->reader;
    int64_t now = sn_now();
    if (!has_made && !reader->barren_since) reader->barren_since = now;
    if (now >= transfer->exchange.deadline) give_up(transfer, SN_FAILURE_ATTEMPT);
    else if (!has_made && now - reader->barren_since >= transfer->request.idle_ns) give_up(transfer, SN_FAILURE_IDLE);
}

static SNStep take_step(SNTransfer *transfer, SNOutput *output) {
    SNReader *reader = &transfer->reader;
    int64_t start = sn_slices_now(reader);
    size_t before = output->count;
    SNStep step = sn_decoders_step(reader->decoders, output);
    if (step == SN_STEP_STARVED && refill(transfer)) step = SN_STEP_MADE;
    reader->slice.output += output->count - before;
    sn_slices_count(reader, sn_slices_now(reader) - start);
    return step;
}

// Decodes into the output until it is full, or the slice is over; false if there is nothing to do now.
static bool decode(SNTransfer *transfer, SNOutput *output) {
    SNReader *reader = &transfer->reader;
    if (reader->failure) return false;
    if (!reader->decoders) reader->decoders = sn_decoders_open(&transfer->exchange.codings);
    if (!reader->decoders) give_up(transfer, SN_FAILURE_MEMORY);
    uint64_t before = reader->supplied;
    SNStep step = reader->decoders ? SN_STEP_MADE : SN_STEP_NO_MEMORY;
    while (step == SN_STEP_MADE && output->count < output->capacity && !sn_transfer_has_to_rest(transfer)) {
        step = take_step(transfer, output);
    }
    if (step == SN_STEP_BROKEN) give_up(transfer, SN_FAILURE_CODING);
    if (step == SN_STEP_NO_MEMORY) give_up(transfer, SN_FAILURE_MEMORY);
    bool goes_on = step == SN_STEP_MADE || step == SN_STEP_BUSY;
    bool has_made = output->count > 0;
    if (has_made) reader->barren_since = 0;
    // Without anything to decode, it is the server that is idle.
    if (goes_on || reader->supplied != before) check_time(transfer, has_made);
    return goes_on || has_made;
}

static void *decode_piece(SNTransfer *transfer, size_t *count) {
    SNOutput piece = {malloc(PIECE_BYTES), 0, PIECE_BYTES};
    if (!piece.bytes) {
        give_up(transfer, SN_FAILURE_MEMORY);
        return NULL;
    }
    if (!decode(transfer, &piece)) {
        free(piece.bytes);
        return NULL;
    }
    *count = piece.count;
    void *exact = piece.count && piece.count < piece.capacity ? realloc(piece.bytes, piece.count) : NULL;
    return exact ? exact : piece.bytes;
}

void *sn_transfer_take_chunk(SNTransfer *transfer, size_t *count) {
    *count = 0;
    if (transfer->exchange.route != SN_SINK_STREAM) return NULL;
    if (is_encoded(transfer)) return decode_piece(transfer, count);
    SNBuffer piece = {0};
    take_arrived(transfer, &piece);
    *count = piece.count;
    return piece.bytes;
}

bool sn_transfer_decode(SNTransfer *transfer) {
    SNReader *reader = &transfer->reader;
    if (transfer->exchange.route == SN_SINK_STREAM || !is_encoded(transfer)) return false;
    SNBuffer *decoded = &reader->decoded;
    size_t needed = decoded->capacity < FIRST_BYTES ? FIRST_BYTES : decoded->capacity + 1;
    size_t capacity = sn_larger(decoded->capacity, needed, 1);
    if (decoded->count == decoded->capacity && (!capacity || !sn_buffer_reserve(decoded, capacity))) {
        if (!reader->failure) give_up(transfer, SN_FAILURE_MEMORY);
        return false;
    }
    size_t room = decoded->capacity - decoded->count;
    SNOutput output = {(uint8_t *)decoded->bytes + decoded->count, 0, room < STEP_BYTES ? room : STEP_BYTES};
    bool goes_on = decode(transfer, &output);
    decoded->count += output.count;
    if ((int64_t)decoded->count <= transfer->request.limit || reader->failure) return goes_on;
    give_up(transfer, SN_FAILURE_TOO_LARGE);
    return false;
}

void sn_transfer_end_content(SNTransfer *transfer) {
    const SNReader *reader = &transfer->reader;
    SNResult *result = &transfer->exchange.result;
    if (reader->failure) {
        // A transfer that was ended from here has no result.
        *result = (SNResult){.failure = reader->failure, .status = transfer->exchange.status};
        if (reader->decoders) sn_decoders_explain(reader->decoders, result->detail, sizeof result->detail);
        return;
    }
    if (result->failure || result->code || !reader->decoders) return;
    if (sn_decoders_are_at_end(reader->decoders)) return;
    result->failure = SN_FAILURE_CODING;
    sn_decoders_explain(reader->decoders, result->detail, sizeof result->detail);
}

size_t sn_transfer_body_count(SNTransfer *transfer) { return body(transfer)->count; }
const void *sn_transfer_body(SNTransfer *transfer) { return body(transfer)->bytes; }

void *sn_transfer_take_body(SNTransfer *transfer) {
    SNBuffer content = *body(transfer);
    *body(transfer) = (SNBuffer){0};
    if (!content.count) {
        free(content.bytes);
        return NULL;
    }
    // Growing by doubling may have left half of it unused.
    void *exact = content.capacity > content.count ? realloc(content.bytes, content.count) : content.bytes;
    return exact ? exact : content.bytes;
}

void sn_reader_clear(SNReader *reader) {
    SNReader empty = {.encoded = reader->encoded, .decoded = reader->decoded};
    sn_decoders_close(reader->decoders);
    sn_buffer_trim(&empty.encoded);
    sn_buffer_trim(&empty.decoded);
    *reader = empty;
}

#endif
