#ifdef __linux__

#include "engine.h"

// Before 7.87, taking a request from libcurl, which its connect timeout does, too, waits for the end of the request's
// name lookup, and everything else waits with it. Such a request lingers: its caller is told of its end, and libcurl
// keeps it until the lookup has ended. It never connects.

static bool may_block(const SNEngine *engine) { return engine->curl->version < 0x075700; }

// So that this engine ends a lookup that takes too long before libcurl does.
enum { SLACK_MS = 1000, LONG_MS = 86400000 };

long sn_lookups_connect_ms(const SNEngine *engine, long connect_ms) {
    return may_block(engine) && connect_ms < LONG_MS ? connect_ms + SLACK_MS : connect_ms;
}

bool sn_lookups_is_running(SNTransfer *transfer) {
    const SNEngine *engine = transfer->engine;
    bool is_early = transfer->state == SN_STATE_ACTIVE && !transfer->has_opened && !transfer->host->multiplexes;
    if (!may_block(engine) || !is_early) return false;
    int64_t end = 0;
    engine->curl->easy_getinfo(transfer->easy, CURLINFO_NAMELOOKUP_TIME_T, &end);
    return end == 0;
}

void sn_lookups_keep(SNEngine *engine, SNTransfer *transfer) {
    transfer->is_lingering = true;
    engine->lingering++;
    sn_transfer_retain(transfer);
    // It must find no kept connection either.
    engine->curl->easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L);
    transfer->last_connect_ms = LONG_MS;
    engine->curl->easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, transfer->last_connect_ms);
}

void sn_lookups_end(SNEngine *engine, SNTransfer *transfer) {
    engine->curl->multi_remove_handle(engine->multi, transfer->easy);
    engine->curl->easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 0L);
    transfer->is_lingering = false;
    engine->lingering--;
    sn_transfer_release(transfer);
}

#endif
