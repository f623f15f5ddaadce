#ifdef __linux__

#include "options.h"
#include "turn.h"
#include <string.h>

// Where connections go, if not to the addresses that the host's name has: to a unix domain socket, or to addresses that
// are given. The name remains what the server and its certificate are asked for.

static bool add_text(SNTransfer *transfer, size_t *offset, const char *text) {
    *offset = transfer->request.text.count;
    // The proxy would connect to the host itself.
    transfer->request.is_direct = true;
    return sn_buffer_append(&transfer->request.text, text, strlen(text) + 1);
}

bool sn_transfer_use_socket(SNTransfer *transfer, const char *path) {
    return add_text(transfer, &transfer->request.destination.socket, path);
}

bool sn_transfer_use_addresses(SNTransfer *transfer, const char *line) {
    size_t *lines = transfer->request.destination.lines;
    return add_text(transfer, lines[0] ? &lines[1] : &lines[0], line);
}

bool sn_destinations_set_up(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    // A handle that is reset keeps the list of a request that never began.
    const char *interface = transfer->engine->options.interface;
    return IS_SET(CURLOPT_RESOLVE, NULL) && (!interface || IS_SET(CURLOPT_INTERFACE, interface));
}

// libcurl reads the list when the request begins, and keeps the addresses.
static struct curl_slist *address_list(SNRequest *request) {
    struct curl_slist *nodes = request->destination.nodes;
    const size_t *lines = request->destination.lines;
    if (!lines[0]) return NULL;
    for (size_t i = 0; i < 2; i++) nodes[i] = (struct curl_slist){.data = request->text.bytes + lines[i]};
    if (lines[1]) nodes[0].next = &nodes[1];
    return nodes;
}

bool sn_destinations_set(SNTransfer *transfer) {
    const SNLibrary *curl = transfer->engine->curl;
    SNRequest *request = &transfer->request;
    SNHandle *handle = &transfer->handle;
    bool has_socket = request->destination.socket, has_addresses = request->destination.lines[0];
    bool changes_socket = has_socket || handle->has_socket, changes_addresses = has_addresses || handle->has_addresses;
    handle->has_socket = has_socket;
    handle->has_addresses = has_addresses;
    const char *path = has_socket ? request->text.bytes + request->destination.socket : NULL;
    return (!changes_socket || IS_SET(CURLOPT_UNIX_SOCKET_PATH, path))
        && (!changes_addresses || IS_SET(CURLOPT_RESOLVE, address_list(request)));
}

#endif
