#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>

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
        transfer->mailbox.file = transfer->exchange.socket = -1;
        pthread_mutex_init(&transfer->lock, NULL);
    }
    if (!transfer->handle.easy) {
        transfer->handle.easy = engine->curl->easy_init();
        if (!transfer->handle.easy || !sn_handle_set_up(transfer)) {
            sn_transfer_free(transfer);
            return NULL;
        }
    }
    transfer->next = NULL;
    SNRequest *request = &transfer->request;
    request->limit = PTRDIFF_MAX;
    request->high_water = SN_ENCODED_BYTES;
    request->attempt_ns = INT64_MAX;
    request->idle_ns = INT64_MAX;
    // As in libcurl.
    request->connect_ms = 300000;
    atomic_store_explicit(&transfer->references, 1, memory_order_relaxed);
    sn_engine_retain(engine);
    return transfer;
}

void sn_transfer_free(SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    SNExchange *exchange = &transfer->exchange;
    const SNMailbox *mailbox = &transfer->mailbox;
    sn_handle_drop(transfer);
    pthread_mutex_destroy(&transfer->lock);
    free(request->text.bytes);
    free(request->lines.offsets);
    free(request->lines.nodes);
    sn_fields_free(&exchange->headers);
    sn_fields_free(&exchange->trailers);
    free(exchange->content.bytes);
    free(mailbox->arrived.bytes);
    free(transfer->reader.encoded.bytes);
    free(transfer->reader.decoded.bytes);
    free(mailbox->supply.bytes);
    free(mailbox->trailer_lines.bytes);
    free(transfer);
}

static void clear_request(SNRequest *request) {
    SNRequest empty = {.text = request->text, .lines = request->lines};
    sn_buffer_trim(&empty.text);
    empty.lines.count = 0;
    *request = empty;
}

static void clear_exchange(SNExchange *exchange) {
    SNExchange empty = {
        .headers = exchange->headers,
        .trailers = exchange->trailers,
        .content = exchange->content,
        .socket = -1,
    };
    sn_fields_clear(&empty.headers);
    sn_fields_clear(&empty.trailers);
    sn_buffer_trim(&empty.content);
    *exchange = empty;
}

static void clear_mailbox(SNMailbox *mailbox) {
    SNMailbox empty = {
        .arrived = mailbox->arrived,
        .supply = mailbox->supply,
        .trailer_lines = mailbox->trailer_lines,
        .generation = mailbox->generation,
        .file = -1,
    };
    sn_buffer_trim(&empty.arrived);
    sn_buffer_trim(&empty.supply);
    sn_buffer_trim(&empty.trailer_lines);
    *mailbox = empty;
}

static void release_body(const SNTransfer *transfer) {
    const SNBody *body = &transfer->request.body;
    const SNEngineOptions *options = &transfer->engine->options;
    if (body->kind == SN_BODY_BORROWED) options->release_keeper(body->borrowed.keeper);
    if (body->kind == SN_BODY_STREAM) options->release_source(body->source);
}

// Resets a used transfer, except for its handle and some of its memory.
static void clear(SNTransfer *transfer) {
    sn_files_close(transfer);
    release_body(transfer);
    sn_handle_refresh(transfer);
    while (transfer->mailbox.interim) sn_interim_free(sn_transfer_take_interim(transfer));
    clear_request(&transfer->request);
    clear_exchange(&transfer->exchange);
    sn_reader_clear(&transfer->reader);
    clear_mailbox(&transfer->mailbox);
    transfer->commands = (SNCommands){0};
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

// Unlocks the transfer.
static void raise_and_unlock(SNTransfer *transfer, uint32_t events) {
    SNMailbox *mailbox = &transfer->mailbox;
    mailbox->events |= events;
    void *waiter = mailbox->events ? mailbox->waiter : NULL;
    if (waiter) mailbox->waiter = NULL;
    pthread_mutex_unlock(&transfer->lock);
    if (waiter) transfer->engine->options.resume(waiter);
}

void sn_transfer_raise(SNTransfer *transfer, uint32_t events) {
    pthread_mutex_lock(&transfer->lock);
    raise_and_unlock(transfer, events);
}

bool sn_transfer_is_receive_paused(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    bool is_paused = transfer->mailbox.is_receive_paused;
    pthread_mutex_unlock(&transfer->lock);
    return is_paused;
}

bool sn_transfer_wait(SNTransfer *transfer, void *continuation) {
    pthread_mutex_lock(&transfer->lock);
    bool waits = transfer->mailbox.events == 0;
    if (waits) transfer->mailbox.waiter = continuation;
    pthread_mutex_unlock(&transfer->lock);
    return waits;
}

uint32_t sn_transfer_take_events(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    uint32_t events = transfer->mailbox.events;
    // An end is final.
    transfer->mailbox.events &= SN_EVENT_DONE | SN_EVENT_CANCELLED;
    pthread_mutex_unlock(&transfer->lock);
    return events;
}

bool sn_transfer_submit(SNTransfer *transfer) {
    if (!sn_handle_prepare(transfer)) {
        sn_handle_drop(transfer);
        return false;
    }
    pthread_mutex_lock(&transfer->lock);
    bool is_cancelled = transfer->mailbox.is_cancelled;
    transfer->mailbox.is_submitted = !is_cancelled;
    pthread_mutex_unlock(&transfer->lock);
    if (!is_cancelled) sn_engine_submit(transfer->engine, sn_transfer_retain(transfer));
    return true;
}

void sn_transfer_cancel(SNTransfer *transfer) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    bool is_late = mailbox->is_cancelled || mailbox->events & SN_EVENT_DONE;
    bool is_running = !is_late && mailbox->is_submitted;
    mailbox->is_cancelled = true;
    pthread_mutex_unlock(&transfer->lock);
    if (is_late) return;
    if (is_running) sn_engine_command(transfer->engine, transfer, SN_COMMAND_CANCEL);
    sn_transfer_raise(transfer, SN_EVENT_CANCELLED);
}

bool sn_transfer_set_progress(SNTransfer *transfer, SNProgress progress) {
    pthread_mutex_lock(&transfer->lock);
    bool is_new = memcmp(&progress, &transfer->mailbox.progress, sizeof progress) != 0;
    transfer->mailbox.progress = progress;
    raise_and_unlock(transfer, is_new && transfer->request.reports_progress ? SN_EVENT_PROGRESS : 0);
    return is_new;
}

SNProgress sn_transfer_take_progress(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    SNProgress progress = transfer->mailbox.progress;
    // A value that came after the event was taken is told now, and not once more.
    // A download counts anew from the head on.
    if (!(transfer->mailbox.events & SN_EVENT_HEAD)) transfer->mailbox.events &= ~(uint32_t)SN_EVENT_PROGRESS;
    pthread_mutex_unlock(&transfer->lock);
    return progress;
}

int sn_transfer_take_resends(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    int resends = transfer->mailbox.resends;
    transfer->mailbox.resends = 0;
    pthread_mutex_unlock(&transfer->lock);
    return resends;
}

const SNResult *sn_transfer_result(SNTransfer *transfer) { return &transfer->exchange.result; }
int sn_transfer_status(SNTransfer *transfer) { return transfer->exchange.status; }

// How it is sent, and where its response goes.

void sn_transfer_set_timeouts(SNTransfer *transfer, int64_t attempt_ns, int64_t idle_ns, long connect_ms) {
    SNRequest *request = &transfer->request;
    request->attempt_ns = attempt_ns;
    request->idle_ns = idle_ns;
    request->connect_ms = connect_ms;
}

void sn_transfer_report_progress(SNTransfer *transfer) { transfer->request.reports_progress = true; }
void sn_transfer_offer_certificate(SNTransfer *transfer) { transfer->request.offers_certificate = true; }
void sn_transfer_bypass_proxy(SNTransfer *transfer) { transfer->request.is_direct = true; }
void sn_transfer_follow_redirects(SNTransfer *transfer) { transfer->request.follows_redirects = true; }

void sn_transfer_allow_repeats(SNTransfer *transfer) { transfer->request.is_repeatable = true; }

void sn_transfer_receive_in_memory(SNTransfer *transfer, int64_t limit) {
    // More can't be in memory.
    transfer->request.limit = limit < PTRDIFF_MAX ? limit : PTRDIFF_MAX;
}

void sn_transfer_receive_in_stream(SNTransfer *transfer, size_t high_water) {
    transfer->request.sink = SN_SINK_STREAM;
    transfer->request.high_water = high_water;
}

#endif
