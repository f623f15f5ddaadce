#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

void sn_engine_ring(SNEngine *engine) {
    uint64_t one = 1;
    // It only fails when it has been rung already, ever so often.
    if (write(engine->bell, &one, sizeof one) < 0) return;
}

void sn_engine_submit(SNEngine *engine, SNTransfer *transfer) {
    transfer->next = NULL;
    pthread_mutex_lock(&engine->lock);
    if (engine->last_submitted) engine->last_submitted->next = transfer;
    else engine->submitted = transfer;
    engine->last_submitted = transfer;
    bool wakes = engine->is_polling;
    engine->is_polling = false;
    pthread_mutex_unlock(&engine->lock);
    // Outside of the lock, which the loop takes first of all when it wakes; whoever submits keeps the engine alive.
    if (wakes) sn_engine_ring(engine);
}

void sn_engine_command(SNEngine *engine, SNTransfer *transfer, uint32_t command) {
    pthread_mutex_lock(&engine->lock);
    transfer->commands |= command;
    // Without the loop nobody would let go of it again.
    if (!transfer->is_commanded && !engine->has_ended) {
        transfer->is_commanded = true;
        transfer->next_command = NULL;
        sn_transfer_retain(transfer);
        if (engine->last_commanded) engine->last_commanded->next_command = transfer;
        else engine->commanded = transfer;
        engine->last_commanded = transfer;
    }
    // Under the lock: the loop may end as soon as it has seen the command.
    if (engine->is_polling) sn_engine_ring(engine);
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
        commanded = transfer->next_command;
        sn_transfer_release(transfer);
    }
}

void sn_engine_retain(SNEngine *engine) { atomic_fetch_add_explicit(&engine->references, 1, memory_order_relaxed); }

void sn_engine_drop(SNEngine *engine) {
    if (atomic_fetch_sub_explicit(&engine->references, 1, memory_order_acq_rel) != 1) return;
    while (engine->pool) {
        SNTransfer *transfer = engine->pool;
        engine->pool = transfer->next;
        sn_transfer_free(transfer);
    }
    const char *texts[] = {
        engine->options.ca_file, engine->options.certificate, engine->options.key, engine->options.key_password,
        engine->options.pinned_keys, engine->options.proxy, engine->options.no_proxy,
        engine->options.proxy_credentials,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free((void *)texts[i]);
    if (engine->bell >= 0) close(engine->bell);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

static const char *copy(const char *text) { return text ? strdup(text) : NULL; }

static bool start_thread(SNEngine *engine) {
    pthread_attr_t attributes;
    sigset_t all, previous;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // No signal is for this thread, SIGPIPE from a TLS library's write least of all.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    bool has_started = pthread_create(&engine->thread, &attributes, sn_loop, engine) == 0;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    pthread_attr_destroy(&attributes);
    if (has_started) pthread_setname_np(engine->thread, "sn-curl");
    return has_started;
}

SNEngine *sn_engine_create(const SNEngineOptions *options) {
    const SNLibrary *curl = sn_library();
    if (!curl) return NULL;
    SNEngine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    engine->curl = curl;
    engine->options = *options;
    engine->options.ca_file = copy(options->ca_file);
    engine->options.certificate = copy(options->certificate);
    engine->options.key = copy(options->key);
    engine->options.key_password = copy(options->key_password);
    engine->options.pinned_keys = copy(options->pinned_keys);
    engine->options.proxy = copy(options->proxy);
    engine->options.no_proxy = copy(options->no_proxy);
    engine->options.proxy_credentials = copy(options->proxy_credentials);
    pthread_mutex_init(&engine->lock, NULL);
    // One for the caller, one for the thread.
    atomic_init(&engine->references, 2);
    engine->growth_due = INT64_MAX;
    engine->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    engine->multi = engine->bell < 0 ? NULL : curl->multi_init();
    if (engine->multi) {
        curl->multi_setopt(engine->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
        curl->multi_setopt(engine->multi, CURLMOPT_MAX_HOST_CONNECTIONS, options->connections_per_host);
        sn_files_allow(engine, options->connections_in_total);
        if (start_thread(engine)) return engine;
        curl->multi_cleanup(engine->multi);
    }
    atomic_store(&engine->references, 1);
    sn_engine_drop(engine);
    return NULL;
}

long sn_engine_waiting(SNEngine *engine) { return atomic_load_explicit(&engine->waiting, memory_order_relaxed); }

void sn_engine_release(SNEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    engine->is_stopping = true;
    engine->is_polling = false;
    sn_engine_ring(engine);
    pthread_mutex_unlock(&engine->lock);
    sn_engine_drop(engine);
}

#endif
