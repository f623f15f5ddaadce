#ifdef __linux__

#include "turn.h"
#include <stdlib.h>

// What a proxy answers to CONNECT, libcurl reads byte by byte for as long as there are any, and nothing else is done
// meanwhile. After each byte it reports progress, where an answer without end can be ended.

// Error pages of proxies have some kilobytes.
enum { MOST_TUNNEL_BYTES = 64 << 10 };

void sn_tunnels_begin(SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    exchange->tunnel_bytes = 0;
    const SNRequest *request = &transfer->request;
    bool has_tunnel = request->is_secure && !request->is_direct && sn_engine_proxy(transfer->engine, true);
    if (exchange->is_tunnelling || !has_tunnel) return;
    exchange->is_tunnelling = true;
    sn_handle_report(transfer, true);
}

void sn_tunnels_end(SNTransfer *transfer) {
    if (!transfer->exchange.is_tunnelling) return;
    transfer->exchange.is_tunnelling = false;
    sn_handle_report(transfer, sn_handle_has_to_report(transfer));
}

bool sn_tunnels_count(SNTransfer *transfer) {
    return !transfer->exchange.is_tunnelling || ++transfer->exchange.tunnel_bytes <= MOST_TUNNEL_BYTES;
}

#endif
