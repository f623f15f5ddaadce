#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// By default, new memory comes in small pages, which takes the kernel longer than the content takes to arrive.
static void use_large_pages(char *bytes, size_t capacity) {
    size_t page = (size_t)2 << 20, skipped = (page - (uintptr_t)bytes % page) % page;
    if (capacity < 2 * page) return;
    madvise(bytes + skipped, (capacity - skipped) / page * page, MADV_HUGEPAGE);
}

bool sn_buffer_reserve(SNBuffer *buffer, size_t capacity) {
    if (capacity <= buffer->capacity) return true;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) return false;
    use_large_pages(bytes, capacity);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

bool sn_buffer_append(SNBuffer *buffer, const void *bytes, size_t count) {
    if (count > buffer->capacity - buffer->count) {
        if (count > PTRDIFF_MAX - buffer->count) return false;
        if (!sn_buffer_reserve(buffer, sn_larger(buffer->capacity, buffer->count + count, 1))) return false;
    }
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

void sn_buffer_trim(SNBuffer *buffer) {
    buffer->count = 0;
    if (buffer->capacity <= 32 << 10) return;
    free(buffer->bytes);
    *buffer = (SNBuffer){0};
}

SNTransfer *sn_transfer_create(SNEngine *engine) {
    // Its locks may be held by a thread that the child does not have.
    if (sn_engine_is_forked(engine)) return NULL;
    pthread_mutex_lock(&engine->lock);
    SNTransfer *transfer = engine->pool;
    if (transfer) {
        engine->pool = transfer->next;
        engine->pool_count--;
    }
    pthread_mutex_unlock(&engine->lock);
    if (!transfer) {
        transfer = calloc(1, sizeof *transfer);
        if (!transfer) return NULL;
        transfer->engine = engine;
        transfer->upload_file = transfer->socket = -1;
        pthread_mutex_init(&transfer->lock, NULL);
    }
    if (!transfer->easy) {
        transfer->easy = engine->curl->easy_init();
        if (!transfer->easy || !sn_handle_set_up(transfer)) {
            sn_transfer_free(transfer);
            return NULL;
        }
    }
    transfer->next = NULL;
    transfer->limit = PTRDIFF_MAX;
    transfer->high_water = SN_ENCODED_BYTES;
    transfer->attempt_ns = transfer->idle_ns = INT64_MAX;
    atomic_store_explicit(&transfer->references, 1, memory_order_relaxed);
    sn_engine_retain(engine);
    return transfer;
}

void sn_transfer_free(SNTransfer *transfer) {
    sn_handle_drop(transfer);
    pthread_mutex_destroy(&transfer->lock);
    free(transfer->text.bytes);
    free(transfer->lines.offsets);
    free(transfer->lines.nodes);
    sn_fields_free(&transfer->headers);
    sn_fields_free(&transfer->trailers);
    free(transfer->content.bytes);
    free(transfer->encoded.bytes);
    free(transfer->decoded.bytes);
    free(transfer->supply.bytes);
    free(transfer->trailer_lines.bytes);
    free(transfer);
}

// Resets a used transfer, except for its handle and its memory.
static void clear(SNTransfer *transfer) {
    sn_files_close(transfer);
    if (transfer->owner) transfer->engine->options.drop(transfer->owner);
    sn_handle_refresh(transfer);
    sn_buffer_trim(&transfer->text);
    sn_fields_clear(&transfer->headers);
    sn_fields_clear(&transfer->trailers);
    sn_content_clear(transfer);
    sn_buffer_trim(&transfer->supply);
    sn_buffer_trim(&transfer->trailer_lines);
    while (transfer->interim) sn_interim_free(sn_transfer_take_interim(transfer));
    transfer->owner = NULL;
    transfer->upload = NULL;
    transfer->upload_count = transfer->upload_offset = 0;
    transfer->lines.count = 0;
    transfer->is_secure = transfer->is_head = false;
    transfer->has_expect = transfer->has_type = transfer->has_encoding = transfer->has_close = false;
    transfer->body = SN_BODY_NONE;
    transfer->sink = transfer->route = SN_SINK_MEMORY;
    transfer->reports_progress = transfer->follows_redirects = false;
    transfer->is_repeatable = transfer->has_trailers = transfer->offers_certificate = false;
    transfer->state = SN_STATE_NEW;
    transfer->host = NULL;
    transfer->is_counted = transfer->is_head_complete = transfer->is_whole = false;
    transfer->is_in_line = transfer->is_refused = transfer->is_followed = false;
    transfer->head_lines = 0;
    transfer->codings = (SNCodingList){0};
    transfer->timer = 0;
    transfer->status = 0;
    transfer->header_bytes = 0;
    transfer->received = 0;
    transfer->failure = SN_FAILURE_NONE;
    transfer->system_error = transfer->shortage = 0;
    transfer->sockets = 0;
    transfer->socket = -1;
    transfer->has_socket = transfer->has_opened = transfer->is_socket_plain = transfer->is_first = false;
    transfer->connection = 0;
    transfer->stream = 0;
    transfer->commands = 0;
    transfer->events = 0;
    transfer->waiter = NULL;
    transfer->is_cancelled = transfer->is_submitted = false;
    transfer->is_receive_paused = transfer->is_send_paused = false;
    transfer->progress = (SNProgress){0};
    transfer->resends = 0;
    transfer->supplied = 0;
    transfer->is_pulling = transfer->is_source_at_end = transfer->is_source_broken = false;
    transfer->file_offset = transfer->file_size = 0;
    transfer->source_error = 0;
    transfer->has_left_file = false;
}

SNTransfer *sn_transfer_retain(SNTransfer *transfer) {
    atomic_fetch_add_explicit(&transfer->references, 1, memory_order_relaxed);
    return transfer;
}

void sn_transfer_release(SNTransfer *transfer) {
    if (atomic_fetch_sub_explicit(&transfer->references, 1, memory_order_acq_rel) != 1) return;
    SNEngine *engine = transfer->engine;
    if (sn_engine_is_forked(engine)) return;
    clear(transfer);
    pthread_mutex_lock(&engine->lock);
    bool is_kept = engine->pool_count < SN_POOL_LIMIT;
    if (is_kept) {
        transfer->next = engine->pool;
        engine->pool = transfer;
        engine->pool_count++;
    }
    pthread_mutex_unlock(&engine->lock);
    if (!is_kept) sn_transfer_free(transfer);
    sn_engine_drop(engine);
}

void sn_transfer_raise(SNTransfer *transfer, uint32_t events) {
    pthread_mutex_lock(&transfer->lock);
    transfer->events |= events;
    void *waiter = transfer->waiter;
    transfer->waiter = NULL;
    pthread_mutex_unlock(&transfer->lock);
    if (waiter) transfer->engine->options.resume(waiter);
}

bool sn_transfer_is_receive_paused(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool is_paused = transfer->is_receive_paused;
    pthread_mutex_unlock(&transfer->lock);
    return is_paused;
}

bool sn_transfer_wait(SNTransfer *transfer, void *continuation) {
    pthread_mutex_lock(&transfer->lock);
    bool waits = transfer->events == 0;
    if (waits) transfer->waiter = continuation;
    pthread_mutex_unlock(&transfer->lock);
    return waits;
}

uint32_t sn_transfer_take_events(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    uint32_t events = transfer->events;
    // An end is final.
    transfer->events &= SN_EVENT_DONE | SN_EVENT_CANCELLED;
    pthread_mutex_unlock(&transfer->lock);
    return events;
}

bool sn_transfer_submit(SNTransfer *transfer) {
    if (!sn_handle_prepare(transfer)) {
        sn_handle_drop(transfer);
        return false;
    }
    pthread_mutex_lock(&transfer->lock);
    bool is_cancelled = transfer->is_cancelled;
    transfer->is_submitted = !is_cancelled;
    pthread_mutex_unlock(&transfer->lock);
    if (!is_cancelled) sn_engine_submit(transfer->engine, sn_transfer_retain(transfer));
    return true;
}

void sn_transfer_cancel(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool is_late = transfer->is_cancelled || transfer->events & SN_EVENT_DONE;
    bool is_running = !is_late && transfer->is_submitted;
    transfer->is_cancelled = true;
    pthread_mutex_unlock(&transfer->lock);
    if (is_late) return;
    if (is_running) sn_engine_command(transfer->engine, transfer, SN_COMMAND_CANCEL);
    sn_transfer_raise(transfer, SN_EVENT_CANCELLED);
}

SNProgress sn_transfer_progress(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    SNProgress progress = transfer->progress;
    pthread_mutex_unlock(&transfer->lock);
    return progress;
}

int sn_transfer_resends(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    int resends = transfer->resends;
    pthread_mutex_unlock(&transfer->lock);
    return resends;
}

const SNResult *sn_transfer_result(SNTransfer *transfer) { return &transfer->result; }
int sn_transfer_status(SNTransfer *transfer) { return transfer->status; }

#endif
