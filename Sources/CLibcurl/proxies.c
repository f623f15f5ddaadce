#ifdef __linux__

#include "options.h"
#include "turn.h"
#include <stdlib.h>

// Which proxy a request goes through, and what that changes of it.

// libcurl does not read HTTP_PROXY, which a client could set in a CGI program.
const char *sn_proxies_url(const SNEngine *engine, bool is_secure) {
    static const char *const plain[] = {"http_proxy", "all_proxy", "ALL_PROXY", NULL};
    static const char *const secure[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL};
    const char *proxy = engine->options.proxy;
    if (proxy) return *proxy ? proxy : NULL;
    for (const char *const *name = is_secure ? secure : plain; *name; name++) {
        proxy = getenv(*name);
        if (proxy && *proxy) return proxy;
    }
    return NULL;
}

bool sn_proxies_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    const SNEngineOptions *options = &transfer->engine->options;
    if (!options->proxy) return true;
    // The environment's exceptions are those of its own proxies.
    return IS_SET(CURLOPT_PROXY, options->proxy) && IS_SET(CURLOPT_NOPROXY, "")
        && (!options->proxy_credentials || IS_SET(CURLOPT_PROXYUSERPWD, options->proxy_credentials));
}

bool sn_proxies_bypass(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    bool is_direct = transfer->request.is_direct;
    if (transfer->handle.is_direct == is_direct) return true;
    transfer->handle.is_direct = is_direct;
    int code = SET(CURLOPT_NOPROXY, is_direct ? "*" : transfer->engine->options.proxy ? "" : NULL);
    // Unknown to a libcurl without proxies.
    return code == CURLE_OK || code == CURLE_UNKNOWN_OPTION || code == CURLE_NOT_BUILT_IN;
}

bool sn_proxies_need_whole_url(const SNTransfer *transfer) {
    const SNRequest *request = &transfer->request;
    return !request->is_secure && !request->is_direct && sn_proxies_url(transfer->engine, false);
}

// What a proxy answers to CONNECT, libcurl reads byte by byte for as long as there are any, and nothing else is done
// meanwhile. After each byte it reports progress, where an answer without end can be ended.

// Error pages of proxies have some kilobytes.
enum { MOST_TUNNEL_BYTES = 64 << 10 };

void sn_proxies_begin_tunnel(SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    exchange->tunnel_bytes = 0;
    const SNRequest *request = &transfer->request;
    bool has_tunnel = request->is_secure && !request->is_direct && sn_proxies_url(transfer->engine, true);
    if (exchange->is_tunnelling || !has_tunnel) return;
    exchange->is_tunnelling = true;
    sn_handle_report(transfer, true);
}

void sn_proxies_end_tunnel(SNTransfer *transfer) {
    if (!transfer->exchange.is_tunnelling) return;
    transfer->exchange.is_tunnelling = false;
    sn_handle_report(transfer, sn_handle_has_to_report(transfer));
}

bool sn_proxies_count_tunnel_byte(SNTransfer *transfer) {
    return !transfer->exchange.is_tunnelling || ++transfer->exchange.tunnel_bytes <= MOST_TUNNEL_BYTES;
}

#endif
