#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static long limit(const SNEngine *engine, const SNHost *host) {
    long connections = engine->options.connections_per_host;
    return host->multiplexes && connections < SN_STREAMS_PER_HOST ? SN_STREAMS_PER_HOST : connections;
}

// A host stands in the ready list as long as it has a request that its own limit lets start.
static void make_ready(SNEngine *engine, SNHost *host) {
    if (host->is_ready || !host->first || host->active >= limit(engine, host)) return;
    host->is_ready = true;
    host->next_ready = NULL;
    if (engine->last_ready) engine->last_ready->next_ready = host;
    else engine->ready = host;
    engine->last_ready = host;
}

static void sweep(SNEngine *engine) {
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        SNHost **place = &engine->hosts[i];
        while (*place) {
            SNHost *host = *place;
            if (host->active || host->first || host->is_ready) {
                place = &host->next;
            } else {
                *place = host->next;
                free(host);
                engine->host_count--;
            }
        }
    }
}

static SNHost *find(SNEngine *engine, const SNTransfer *transfer) {
    const char *key = transfer->text.bytes + transfer->host_start;
    size_t length = transfer->host_length;
    uint64_t hash = 14695981039346656037u;
    // The key begins after the scheme's "http", so that it tells "https" apart; the case of names does not matter.
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)(key[i] | 0x20)) * 1099511628211u;
    SNHost **bucket = &engine->hosts[hash % SN_HOST_BUCKETS];
    for (SNHost *host = *bucket; host; host = host->next) {
        if (host->hash == hash && host->key_length == length && strncasecmp(host->key, key, length) == 0) return host;
    }
    if (engine->host_count >= SN_HOST_BUCKETS) sweep(engine);
    SNHost *host = calloc(1, sizeof *host + length);
    if (!host) return NULL;
    host->hash = hash;
    host->key_length = length;
    memcpy(host->key, key, length);
    host->next = *bucket;
    *bucket = host;
    engine->host_count++;
    return host;
}

bool sn_hosts_enqueue(SNEngine *engine, SNTransfer *transfer) {
    SNHost *host = find(engine, transfer);
    if (!host) return false;
    transfer->host = host;
    transfer->next = NULL;
    transfer->previous = host->last;
    if (host->last) host->last->next = transfer;
    else host->first = transfer;
    host->last = transfer;
    atomic_fetch_add_explicit(&engine->waiting, 1, memory_order_relaxed);
    make_ready(engine, host);
    return true;
}

void sn_hosts_forget(SNEngine *engine, SNTransfer *transfer) {
    atomic_fetch_sub_explicit(&engine->waiting, 1, memory_order_relaxed);
    SNHost *host = transfer->host;
    if (transfer->previous) transfer->previous->next = transfer->next;
    else host->first = transfer->next;
    if (transfer->next) transfer->next->previous = transfer->previous;
    else host->last = transfer->previous;
    transfer->previous = transfer->next = NULL;
}

SNTransfer *sn_hosts_next(SNEngine *engine) {
    while (engine->ready && engine->counted < engine->options.connections_in_total) {
        SNHost *host = engine->ready;
        engine->ready = host->next_ready;
        if (!engine->ready) engine->last_ready = NULL;
        host->is_ready = false;
        SNTransfer *transfer = host->first;
        if (!transfer || host->active >= limit(engine, host)) continue;
        sn_hosts_forget(engine, transfer);
        host->active++;
        // Streams of one connection are many requests, but no more connections; libcurl keeps the limit for those.
        transfer->is_counted = !host->multiplexes;
        engine->counted += transfer->is_counted;
        make_ready(engine, host);
        return transfer;
    }
    return NULL;
}

void sn_hosts_finish(SNEngine *engine, SNTransfer *transfer, bool multiplexes) {
    SNHost *host = transfer->host;
    host->active--;
    engine->counted -= transfer->is_counted;
    if (transfer->status) host->multiplexes = multiplexes;
    make_ready(engine, host);
}

void sn_hosts_free(SNEngine *engine) {
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        while (engine->hosts[i]) {
            SNHost *host = engine->hosts[i];
            engine->hosts[i] = host->next;
            free(host);
        }
    }
}

#endif
