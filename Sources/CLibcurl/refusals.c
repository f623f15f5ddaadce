#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdio.h>

// Whether it is known that a server did not process a request of HTTP/2, which may then be sent again whatever its
// method (RFC 9113 §8.7). libcurl resends what was refused as it resends what a broken connection lost, and has no code
// for either; what it writes for people to read tells them apart. Where it writes something else, nothing is known.

// libcurl gives no name to a connection; its addresses and ports are one.
static uint64_t hash(uint64_t value, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) value = (value ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    return value;
}

static SNDeparture *departure_of(SNEngine *engine, uint64_t connection) {
    for (size_t i = 0; i < SN_DEPARTURES; i++) {
        if (engine->departures[i].connection == connection) return &engine->departures[i];
    }
    return NULL;
}

void sn_refusals_begin(SNTransfer *transfer, const char *remote, const char *local, int remote_port, int local_port) {
    // HTTP/2 is used over TLS only.
    if (!transfer->is_secure) return;
    SNEngine *engine = transfer->engine;
    long connects = 0;
    uint64_t connection = hash(0xcbf29ce484222325, remote, strlen(remote));
    connection = hash(connection, local, strlen(local));
    connection = hash(connection, &remote_port, sizeof remote_port);
    transfer->connection = hash(connection, &local_port, sizeof local_port);
    transfer->stream = 0;
    engine->curl->easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &connects);
    transfer->is_first = connects > 0 && !transfer->tries;
    SNDeparture *earlier = connects > 0 ? departure_of(engine, transfer->connection) : NULL;
    // A connection before this one had the same ports.
    if (earlier) earlier->connection = 0;
}

static void note_departure(SNTransfer *transfer, uint32_t last_stream) {
    SNEngine *engine = transfer->engine;
    SNDeparture *departure = departure_of(engine, transfer->connection);
    if (!departure) departure = &engine->departures[engine->next_departure++ % SN_DEPARTURES];
    *departure = (SNDeparture){transfer->connection, last_stream};
}

void sn_refusals_hear(SNTransfer *transfer, const char *bytes, size_t count) {
    char line[128];
    unsigned int stream = 0;
    if (!transfer->connection) return;
    size_t length = count < sizeof line ? count : sizeof line - 1;
    memcpy(line, bytes, length);
    line[length] = 0;
    // From 7.88 on, which misspells a word.
    bool is_start = sscanf(line, "Using Stream ID: %u", &stream) == 1
        || sscanf(line, "[HTTP/2] [%u] OPENED stream", &stream) == 1;
    if (is_start) {
        transfer->stream = stream;
    } else if (sscanf(line, "%*s GOAWAY, error=%*d, last_stream=%u", &stream) == 1) {
        note_departure(transfer, stream);
    }
}

bool sn_refusals_is_known(SNTransfer *transfer) {
    if (transfer->header_bytes || !transfer->connection) return false;
    const SNDeparture *departure = departure_of(transfer->engine, transfer->connection);
    return departure && transfer->stream > departure->last_stream;
}

// On a connection that it was the first to use, libcurl resends only what was refused. Other faults leave a text.
bool sn_refusals_allow_resend(SNTransfer *transfer) {
    if (sn_refusals_is_known(transfer)) return true;
    return transfer->is_first && transfer->tries == 1 && !transfer->header_bytes && !transfer->error[0];
}

#endif
