#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <stdlib.h>
#include <string.h>

static long limit(const SNTurn *turn, const SNHost *host) {
    // The first request over TLS finds out whether its connection takes several at a time. libcurl can make the others
    // wait for that, too (PIPEWAIT), but may forget to wake them when the first one is cancelled.
    if (host->is_secure && !host->is_connected) return 1;
    long most = turn->engine->options.connections_per_host;
    long usual = turn->engine->options.connections_per_prompt_host;
    if (host->multiplexes && usual < SN_STREAMS_PER_HOST) usual = SN_STREAMS_PER_HOST;
    if (host->multiplexes && most < SN_STREAMS_PER_HOST) most = SN_STREAMS_PER_HOST;
    return usual + host->extra < most ? usual + host->extra : most;
}

// A few connections serve a prompt host best. A host that leaves all of them waiting is slow and can take more requests
// at a time: its connections double whenever none of its requests has ended for a while.
static bool may_grow(const SNTurn *turn, const SNHost *host) {
    // More lookups of the name, or more attempts at a closed port, would not help.
    if (!host->waiting.first || !host->is_connected) return false;
    return host->active >= limit(turn, host) && limit(turn, host) < turn->engine->options.connections_per_host;
}

// A new TLS connection costs both sides far more, and may take many requests at a time.
static int64_t growth_due(const SNHost *host) {
    return host->quiet_since + (host->is_secure ? 10 * SN_PROMPT_NS : SN_PROMPT_NS);
}

static void expect_growth(SNTurn *turn, SNHost *host) {
    if (!may_grow(turn, host)) return;
    int64_t due = growth_due(host);
    if (due < turn->growth_due) turn->growth_due = due;
}

// A host is in the ready list while its own limit lets one of its requests start.
static void make_ready(SNTurn *turn, SNHost *host) {
    if (host->is_ready || !host->waiting.first || host->active >= limit(turn, host)) return;
    host->is_ready = true;
    host->next_ready = NULL;
    if (turn->last_ready) turn->last_ready->next_ready = host;
    else turn->ready = host;
    turn->last_ready = host;
}

// The time of requests that wait for a host's first connection counts: if it never opens, they all end in their own
// time, and not one after another.
static void begin_to_connect(SNTurn *turn, SNHost *host) {
    if (!host->is_secure && sn_workaround_hides_tries(turn->curl)) host->is_connected = true;
    if (host->is_connected || host->is_connecting) return;
    host->is_connecting = true;
    for (SNTransfer *each = host->waiting.first; each; each = each->next) sn_time_limits_start(turn, each);
}

static void end_connecting(SNTurn *turn, SNHost *host) {
    if (!host->is_connecting) return;
    host->is_connecting = false;
    for (SNTransfer *each = host->waiting.first; each; each = each->next) sn_time_limits_stop(turn, each);
}

static void sweep(SNTurn *turn) {
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        SNHost **place = &turn->hosts[i];
        while (*place) {
            SNHost *host = *place;
            if (host->active || host->waiting.first || host->is_ready) {
                place = &host->next;
            } else {
                *place = host->next;
                free(host);
                turn->host_count--;
            }
        }
    }
}

static SNHost *find(SNTurn *turn, const SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    const char *key = request->text.bytes + request->host_start;
    size_t length = request->host_length;
    uint64_t hash = 14695981039346656037u;
    // The key starts after the scheme's "http", so that it distinguishes "https"; case is ignored.
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)(key[i] | 0x20)) * 1099511628211u;
    SNHost **bucket = &turn->hosts[hash % SN_HOST_BUCKETS];
    for (SNHost *host = *bucket; host; host = host->next) {
        if (host->hash == hash && host->key_length == length && strncasecmp(host->key, key, length) == 0) return host;
    }
    if (turn->host_count >= SN_HOST_BUCKETS) sweep(turn);
    SNHost *host = calloc(1, sizeof *host + length);
    if (!host) return NULL;
    host->hash = hash;
    host->key_length = length;
    host->is_secure = request->is_secure;
    memcpy(host->key, key, length);
    host->next = *bucket;
    *bucket = host;
    turn->host_count++;
    return host;
}

bool sn_connections_enqueue(SNTurn *turn, SNTransfer *transfer) {
    SNHost *host = find(turn, transfer);
    if (!host) return false;
    transfer->exchange.host = host;
    sn_list_append(&host->waiting, transfer);
    atomic_fetch_add_explicit(&turn->engine->waiting, 1, memory_order_relaxed);
    if (host->active == 0) host->quiet_since = turn->now;
    if (host->active == 0 && host->waiting.first == transfer) host->is_connecting = host->is_connected = false;
    if (host->is_connecting) sn_time_limits_start(turn, transfer);
    make_ready(turn, host);
    expect_growth(turn, host);
    return true;
}

void sn_connections_forget(SNTurn *turn, SNTransfer *transfer) {
    atomic_fetch_sub_explicit(&turn->engine->waiting, 1, memory_order_relaxed);
    sn_list_remove(&transfer->exchange.host->waiting, transfer);
}

SNTransfer *sn_connections_next(SNTurn *turn) {
    while (turn->ready && turn->counted < turn->allowed) {
        SNHost *host = turn->ready;
        turn->ready = host->next_ready;
        if (!turn->ready) turn->last_ready = NULL;
        host->is_ready = false;
        SNTransfer *transfer = host->waiting.first;
        if (!transfer || host->active >= limit(turn, host)) continue;
        sn_connections_forget(turn, transfer);
        host->active++;
        if (host->idle) host->idle--;
        // Streams of one connection are many requests but one connection; libcurl enforces the limit for those.
        transfer->exchange.is_counted = !host->multiplexes;
        turn->counted += transfer->exchange.is_counted;
        begin_to_connect(turn, host);
        make_ready(turn, host);
        expect_growth(turn, host);
        return transfer;
    }
    return NULL;
}

void sn_connections_finish(SNTurn *turn, SNTransfer *transfer, bool multiplexes) {
    const SNExchange *exchange = &transfer->exchange;
    SNHost *host = exchange->host;
    host->active--;
    host->quiet_since = turn->now;
    if (!host->waiting.first) host->extra = 0;
    turn->counted -= exchange->is_counted;
    // Only a response tells whether the host multiplexes, and leaves a connection that may be kept.
    bool has_responded = exchange->status != 0;
    if (has_responded) host->has_responded = true;
    if (has_responded) host->multiplexes = multiplexes;
    if (has_responded) host->sends_much = exchange->received > SN_SMALL_BUFFER;
    if (has_responded) host->idle++;
    // Without a request, the connection may be closed; but a host that has just responded is reachable.
    if (!host->active && !(host->waiting.first && has_responded)) host->is_connected = false;
    make_ready(turn, host);
}

void sn_connections_postpone(SNTurn *turn, SNTransfer *transfer) {
    SNHost *host = transfer->exchange.host;
    host->active--;
    turn->counted -= transfer->exchange.is_counted;
    sn_list_prepend(&host->waiting, transfer);
    atomic_fetch_add_explicit(&turn->engine->waiting, 1, memory_order_relaxed);
    // No request is connecting, which is not the host's fault.
    if (!host->active) end_connecting(turn, host);
    make_ready(turn, host);
}

void sn_connections_connected(SNTurn *turn, SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    if (exchange->host->is_connected) return;
    exchange->host->is_connected = true;
    exchange->host->quiet_since = turn->now;
    end_connecting(turn, exchange->host);
    make_ready(turn, exchange->host);
    expect_growth(turn, exchange->host);
}

bool sn_connections_is_warm(SNTurn *turn, const SNTransfer *transfer) {
    SNHost *host = find(turn, transfer);
    return host && !host->waiting.first && (host->idle || (host->multiplexes && host->is_connected));
}

void sn_connections_grow(SNTurn *turn) {
    if (turn->now < turn->growth_due) return;
    turn->growth_due = INT64_MAX;
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        for (SNHost *host = turn->hosts[i]; host; host = host->next) {
            if (!may_grow(turn, host)) continue;
            if (turn->now >= growth_due(host)) {
                long now = limit(turn, host);
                host->extra += now;
                host->quiet_since = turn->now;
                make_ready(turn, host);
            }
            expect_growth(turn, host);
        }
    }
}

void sn_connections_free(SNTurn *turn) {
    for (size_t i = 0; i < SN_HOST_BUCKETS; i++) {
        while (turn->hosts[i]) {
            SNHost *host = turn->hosts[i];
            turn->hosts[i] = host->next;
            free(host);
        }
    }
}

#endif
