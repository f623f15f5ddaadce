#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static long limit(const SNEngine *engine, const SNHost *host) {
    // The first request over TLS finds out whether its connection takes several at a time. libcurl can make the others
    // wait for that, too (PIPEWAIT), but may forget to wake them when the first one is cancelled.
    if (host->is_secure && !host->is_connected) return 1;
    long most = engine->options.connections_per_host;
    long usual = engine->options.connections_per_prompt_host;
    if (host->multiplexes && usual < SN_STREAMS_PER_HOST) usual = SN_STREAMS_PER_HOST;
    if (host->multiplexes && most < SN_STREAMS_PER_HOST) most = SN_STREAMS_PER_HOST;
    return usual + host->extra < most ? usual + host->extra : most;
}

// A few connections serve a prompt host best. A host that leaves all of them waiting is slow and can take more requests
// at a time: its connections double whenever none of its requests has ended for a while.
static bool may_grow(const SNEngine *engine, const SNHost *host) {
    // More lookups of the name, or more attempts at a closed port, would not help.
    if (!host->first || !host->is_connected) return false;
    return host->active >= limit(engine, host) && limit(engine, host) < engine->options.connections_per_host;
}

// A new TLS connection costs both sides far more, and may take many requests at a time.
static int64_t growth_due(const SNHost *host) {
    return host->quiet_since + (host->is_secure ? 10 * SN_PROMPT_NS : SN_PROMPT_NS);
}

static void expect_growth(SNEngine *engine, SNHost *host) {
    if (!may_grow(engine, host)) return;
    int64_t due = growth_due(host);
    if (due < engine->growth_due) engine->growth_due = due;
}

// A host is in the ready list while its own limit lets one of its requests start.
static void make_ready(SNEngine *engine, SNHost *host) {
    if (host->is_ready || !host->first || host->active >= limit(engine, host)) return;
    host->is_ready = true;
    host->next_ready = NULL;
    if (engine->last_ready) engine->last_ready->next_ready = host;
    else engine->ready = host;
    engine->last_ready = host;
}

// The time of requests that wait for a host's first connection counts: if it never opens, they all end in their own
// time, and not one after another.
static void begin_to_connect(SNEngine *engine, SNHost *host) {
    // Before 7.80, libcurl does not report when it has connected.
    if (!host->is_secure && engine->curl->version < 0x075000) host->is_connected = true;
    if (host->is_connected || host->is_connecting) return;
    host->is_connecting = true;
    for (SNTransfer *each = host->first; each; each = each->next) sn_clocks_start(engine, each);
}

static void end_connecting(SNEngine *engine, SNHost *host) {
    if (!host->is_connecting) return;
    host->is_connecting = false;
    for (SNTransfer *each = host->first; each; each = each->next) sn_clocks_stop(engine, each);
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
    // The key starts after the scheme's "http", so that it distinguishes "https"; case is ignored.
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
    host->is_secure = transfer->is_secure;
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
    if (host->active == 0) host->quiet_since = engine->now;
    if (host->active == 0 && host->first == transfer) host->is_connecting = host->is_connected = false;
    if (host->is_connecting) sn_clocks_start(engine, transfer);
    make_ready(engine, host);
    expect_growth(engine, host);
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
    while (engine->ready && engine->counted < engine->allowed) {
        SNHost *host = engine->ready;
        engine->ready = host->next_ready;
        if (!engine->ready) engine->last_ready = NULL;
        host->is_ready = false;
        SNTransfer *transfer = host->first;
        if (!transfer || host->active >= limit(engine, host)) continue;
        sn_hosts_forget(engine, transfer);
        host->active++;
        if (host->idle) host->idle--;
        // Streams of one connection are many requests but one connection; libcurl enforces the limit for those.
        transfer->is_counted = !host->multiplexes;
        engine->counted += transfer->is_counted;
        begin_to_connect(engine, host);
        make_ready(engine, host);
        expect_growth(engine, host);
        return transfer;
    }
    return NULL;
}

void sn_hosts_finish(SNEngine *engine, SNTransfer *transfer, bool multiplexes) {
    SNHost *host = transfer->host;
    host->active--;
    host->quiet_since = engine->now;
    if (!host->first) host->extra = 0;
    engine->counted -= transfer->is_counted;
    if (transfer->status) host->multiplexes = multiplexes;
    if (transfer->status) host->idle++;
    // Without a request, the connection may be closed; but a host that has just responded is reachable.
    if (!host->active && !(host->first && transfer->status)) host->is_connected = false;
    make_ready(engine, host);
}

void sn_hosts_postpone(SNEngine *engine, SNTransfer *transfer) {
    SNHost *host = transfer->host;
    host->active--;
    engine->counted -= transfer->is_counted;
    transfer->previous = NULL;
    transfer->next = host->first;
    if (host->first) host->first->previous = transfer;
    else host->last = transfer;
    host->first = transfer;
    atomic_fetch_add_explicit(&engine->waiting, 1, memory_order_relaxed);
    // No request is connecting, which is not the host's fault.
    if (!host->active) end_connecting(engine, host);
    make_ready(engine, host);
}

void sn_hosts_connected(SNEngine *engine, SNTransfer *transfer) {
    if (transfer->host->is_connected) return;
    transfer->host->is_connected = true;
    transfer->host->quiet_since = engine->now;
    end_connecting(engine, transfer->host);
    make_ready(engine, transfer->host);
    expect_growth(engine, transfer->host);
}

bool sn_hosts_is_warm(SNEngine *engine, const SNTransfer *transfer) {
    SNHost *host = find(engine, transfer);
    return host && !host->first && (host->idle || (host->multiplexes && host->is_connected));
}

void sn_hosts_grow(SNEngine *engine) {
    if (engine->now < engine->growth_due) return;
    engine->growth_due = INT64_MAX;
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        for (SNHost *host = engine->hosts[i]; host; host = host->next) {
            if (!may_grow(engine, host)) continue;
            if (engine->now >= growth_due(host)) {
                long now = limit(engine, host);
                host->extra += now;
                host->quiet_since = engine->now;
                make_ready(engine, host);
            }
            expect_growth(engine, host);
        }
    }
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
