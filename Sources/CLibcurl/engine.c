#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// Takes a turn on a thread of the user. Some TLS libraries write in a way that raises SIGPIPE.
static void take_turn(SNTurn *turn, bool masks) {
    if (!masks) {
        sn_turn_run(turn, NULL, 0);
        return;
    }
    sigset_t pipe, previous;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &previous);
    sn_turn_run(turn, NULL, 0);
    if (sigismember(&previous, SIGPIPE)) return;
    const struct timespec none = {0};
    sigtimedwait(&pipe, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

void sn_engine_submit(SNEngine *engine, SNTransfer *transfer) {
    transfer->next = NULL;
    pthread_mutex_lock(&engine->lock);
    if (engine->last_submitted) engine->last_submitted->next = transfer;
    else engine->submitted = transfer;
    engine->last_submitted = transfer;
    engine->has_secure |= transfer->request.is_secure;
    bool sleeps = engine->is_polling, masks = engine->has_secure;
    pthread_mutex_unlock(&engine->lock);
    // Waking the poller takes longer than sending, and disturbing it while it is awake, too. A new connection may take
    // long, and is left to the poller.
    bool is_poller = sn_threads_has_this(engine);
    SNTurn *turn = sleeps || is_poller ? sn_turn_begin_at_once(engine) : NULL;
    if (turn) {
        bool sends = (is_poller || sn_connections_is_warm(turn, transfer)) && turn->running < SN_FEW;
        if (sends) take_turn(turn, masks);
        sn_turn_end(turn);
        if (sends) return;
    }
    pthread_mutex_lock(&engine->lock);
    bool wakes = engine->is_polling;
    engine->is_polling = false;
    pthread_mutex_unlock(&engine->lock);
    // Outside the lock, which the poller takes first when it wakes; the submitting thread keeps the engine alive.
    if (wakes) sn_sockets_ring(engine);
}

void sn_engine_command(SNEngine *engine, SNTransfer *transfer, uint32_t command) {
    if (sn_engine_is_forked(engine)) return;
    pthread_mutex_lock(&engine->lock);
    transfer->commands.given |= command;
    // Without threads, nothing would release it.
    if (!transfer->commands.is_listed && !engine->has_ended) {
        transfer->commands.is_listed = true;
        transfer->commands.next = NULL;
        sn_transfer_retain(transfer);
        if (engine->last_commanded) engine->last_commanded->commands.next = transfer;
        else engine->commanded = transfer;
        engine->last_commanded = transfer;
    }
    // Under the lock: the threads may end as soon as it has seen the command.
    if (engine->is_polling) sn_sockets_ring(engine);
    engine->is_polling = false;
    pthread_mutex_unlock(&engine->lock);
}

void sn_engine_refuse_commands(SNEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    engine->has_ended = true;
    SNTransfer *commanded = engine->commanded;
    engine->commanded = engine->last_commanded = NULL;
    pthread_mutex_unlock(&engine->lock);
    while (commanded) {
        SNTransfer *transfer = commanded;
        commanded = transfer->commands.next;
        sn_transfer_release(transfer);
    }
}

// The texts among the options.
enum { TEXTS = 9 };
typedef struct {
    const char **places[TEXTS];
} SNTexts;

static SNTexts texts(SNEngineOptions *options) {
    return (SNTexts){{
        &options->ca_file,
        &options->certificate,
        &options->key,
        &options->key_password,
        &options->pinned_keys,
        &options->proxy,
        &options->proxy_credentials,
        &options->interface,
        &options->key_log,
    }};
}

// Replaces the caller's texts by copies; without one of them, the engine would trust or send what it must not.
static bool copy_texts(SNEngineOptions *options) {
    SNTexts all = texts(options);
    bool is_copied = true;
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = *all.places[i];
        *all.places[i] = text ? strdup(text) : NULL;
        is_copied &= !text || *all.places[i];
    }
    return is_copied;
}

static void free_texts(SNEngineOptions *options) {
    SNTexts all = texts(options);
    for (size_t i = 0; i < TEXTS; i++) free((void *)*all.places[i]);
}

void sn_engine_retain(SNEngine *engine) { atomic_fetch_add_explicit(&engine->references, 1, memory_order_relaxed); }

void sn_engine_drop(SNEngine *engine) {
    // A child of fork leaves the memory as it is.
    if (sn_engine_is_forked(engine)) return;
    if (atomic_fetch_sub_explicit(&engine->references, 1, memory_order_acq_rel) != 1) return;
    while (engine->pool) {
        SNTransfer *transfer = engine->pool;
        engine->pool = transfer->next;
        sn_transfer_free(transfer);
    }
    free_texts(&engine->options);
    sn_key_log_close(engine);
    sn_sockets_close(engine);
    free(engine->jobs.items);
    pthread_mutex_destroy(&engine->lock);
    sn_turn_free(engine);
    pthread_cond_destroy(&engine->watch);
    sn_file_threads_destroy(engine);
    free(engine);
}

SNEngine *sn_engine_create(const SNEngineOptions *options) {
    const SNLibrary *curl = sn_library();
    if (!curl) return NULL;
    SNEngine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    engine->poll = -1;
    engine->bell = -1;
    engine->alarm = -1;
    engine->key_log = -1;
    engine->curl = curl;
    engine->options = *options;
    bool is_copied = copy_texts(&engine->options);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->turn_lock, NULL);
    pthread_cond_init(&engine->watch, NULL);
    sn_file_threads_init(engine);
    engine->forks = sn_forks();
    atomic_init(&engine->references, 1);
    if (is_copied && sn_key_log_open(engine) && sn_sockets_open(engine) && sn_turn_create(engine)) {
        if (sn_threads_start(engine)) return engine;
        sn_turn_close(engine);
    }
    sn_engine_drop(engine);
    return NULL;
}

void sn_engine_set_context(SNEngine *engine, void *context) { engine->options.context = context; }

long sn_engine_waiting(SNEngine *engine) { return atomic_load_explicit(&engine->waiting, memory_order_relaxed); }

bool sn_engine_is_forked(const SNEngine *engine) { return engine->forks != sn_forks(); }

void sn_engine_release(SNEngine *engine) {
    if (sn_engine_is_forked(engine)) return;
    pthread_mutex_lock(&engine->lock);
    engine->is_stopping = true;
    engine->is_polling = false;
    sn_sockets_ring(engine);
    pthread_mutex_unlock(&engine->lock);
    sn_engine_drop(engine);
}

#endif
