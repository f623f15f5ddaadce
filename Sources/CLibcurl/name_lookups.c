#ifdef __linux__

#include "turn.h"

// Before 7.87, taking a request from libcurl, which its connect timeout does, too, waits for the end of the request's
// name lookup, and everything else waits with it. Such a request lingers: its caller is told of its end, and libcurl
// keeps it until the lookup has ended. It never connects.

// So that this engine ends a lookup that takes too long before libcurl does.
enum { SLACK_MS = 1000, LONG_MS = 86400000 };

long sn_lookups_connect_ms(const SNEngine *engine, long connect_ms) {
    return sn_workaround_waits_for_lookups(engine->curl) && connect_ms < LONG_MS ? connect_ms + SLACK_MS : connect_ms;
}

bool sn_lookups_is_running(SNTurn *turn, SNTransfer *transfer) {
    const SNExchange *exchange = &transfer->exchange;
    bool is_early = exchange->state == SN_STATE_ACTIVE && !exchange->has_opened && !exchange->host->multiplexes;
    if (!sn_workaround_waits_for_lookups(turn->curl) || !is_early) return false;
    int64_t end = 0;
    turn->curl->easy_getinfo(transfer->handle.easy, CURLINFO_NAMELOOKUP_TIME_T, &end);
    return end == 0;
}

void sn_lookups_keep(SNTurn *turn, SNTransfer *transfer) {
    SNHandle *handle = &transfer->handle;
    transfer->exchange.is_lingering = true;
    turn->lingering++;
    sn_transfer_retain(transfer);
    // It must find no kept connection either.
    turn->curl->easy_setopt(handle->easy, CURLOPT_FRESH_CONNECT, 1L);
    handle->connect_ms = LONG_MS;
    turn->curl->easy_setopt(handle->easy, CURLOPT_CONNECTTIMEOUT_MS, handle->connect_ms);
}

void sn_lookups_end(SNTurn *turn, SNTransfer *transfer) {
    turn->curl->multi_remove_handle(turn->multi, transfer->handle.easy);
    turn->curl->easy_setopt(transfer->handle.easy, CURLOPT_FRESH_CONNECT, 0L);
    transfer->exchange.is_lingering = false;
    turn->lingering--;
    sn_transfer_release(transfer);
}

#endif
