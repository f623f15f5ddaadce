// A turn: what one thread at a time does with libcurl. A function that needs the turn takes it as an argument, which
// only a thread that has it gives; libcurl's callbacks find it by `sn_turn_of`.
#ifndef SN_TURN_H
#define SN_TURN_H

#include "engine.h"

// A host, and the requests that wait for a connection to it.
struct SNHost {
    SNHost *next, *next_ready;
    SNTransferList waiting;
    long active;
    // How many kept connections there may be.
    long idle;
    // Connections beyond the limit of a prompt host, and the time since which none of its requests has ended.
    long extra;
    int64_t quiet_since;
    // While its first request connects, the time of the waiting requests counts.
    bool is_connecting;
    bool is_secure, is_connected, has_responded, multiplexes, is_ready;
    // Whether the content of its last response was larger than a small buffer.
    bool sends_much;
    uint64_t hash;
    size_t key_length;
    char key[];
};

// What a server said when it closed a connection of HTTP/2: later streams were not processed.
typedef struct {
    uint64_t connection;
    uint32_t last_stream;
    // Whether it broke the rules for frames, see stream_ends.c.
    bool is_broken;
} SNDeparture;

// What libcurl wants of a socket, and what the kernel was told.
typedef struct {
    uint8_t wanted, registered;
    // Opened for libcurl by this engine, which therefore sees it close.
    bool is_ours;
    // Kept between requests, in a protocol in which the server must not speak first.
    bool is_idle;
    // Kept between requests of HTTP/2, where the server may speak at any time.
    bool is_resting;
    // See resends.c.
    uint64_t connection;
    SNTransfer *transfer;
    // The last transfer above, to be compared only: it may have ended.
    const SNTransfer *last;
} SNSocket;

// After this time without a response, a host is slow, and not just busy.
#define SN_PROMPT_NS ((int64_t)20000000)
// Nothing reports when files are closed elsewhere in the process.
#define SN_SHORTAGE_NS ((int64_t)100000000)
// A server that has responded, and has read nothing of the content for so long, will not read the rest.
#define SN_UNREAD_NS ((int64_t)5000000000)
// What a redirect has as content is waited for so long, to use its connection again.
#define SN_REDIRECT_NS ((int64_t)1000000000)
// So much of it, too.
#define SN_REDIRECT_BYTES ((int64_t)64 << 10)
// With more requests in flight, libcurl gets small buffers, which take more calls of the kernel for large content. An
// empty large one takes two pages while it waits, and leaves a hole in the heap of each thread that has had a turn.
enum { SN_CROWD = 32, SN_SMALL_BUFFER = 1 << 10 };
// With few requests in flight, the time that a thread takes to wake counts; with more, that all cores work.
enum { SN_FEW = 4 };
enum { SN_HOST_BUCKETS = 256, SN_STREAMS_PER_HOST = 100, SN_DEPARTURES = 64, SN_EVENTS = 64 };

struct SNTurn {
    SNEngine *engine;
    const SNLibrary *curl;
    CURLM *multi;
    int64_t now;
    // How many transfers have not ended, and how many have for all but libcurl.
    size_t running;
    long lingering;

    SNSocket *sockets;
    size_t socket_capacity;
    // When libcurl wants to be called, and when the alarm is set to ring; INT64_MAX for never.
    int64_t curl_due, armed;

    SNHost *hosts[SN_HOST_BUCKETS];
    size_t host_count;
    // When a host with waiting requests may get more connections; INT64_MAX if there is none.
    int64_t growth_due;
    SNHost *ready, *last_ready;
    long counted;

    // Open sockets, the most there may be, and when to try more of them again; INT64_MAX for never.
    long open, allowed;
    int64_t relax_due;

    // Transfers that have read for too long, see fairness.c: when the one that reads has to stop, and when one without
    // content may read again.
    SNTransferList held;
    int64_t slice_end, barren_due;

    // Counts the turns; and the streams of which libcurl may have more, see streams.c.
    uint64_t number;
    SNTransfer *unread;
    // See tls_records.c.
    bool has_cut;

    SNTransfer **timers;
    size_t timer_count, timer_capacity;

    SNDeparture departures[SN_DEPARTURES];
    size_t next_departure;
};

// turn.c: what is done in a turn.
// Waits until no other thread has a turn.
SNTurn *sn_turn_begin(SNEngine *engine);
// Returns null if another thread has a turn.
SNTurn *sn_turn_begin_at_once(SNEngine *engine);
void sn_turn_end(SNTurn *turn);
// Returns false when nothing is left to do.
bool sn_turn_run(SNTurn *turn, const struct epoll_event *events, int count);
// For libcurl's callbacks: libcurl is called in a turn only.
static inline SNTurn *sn_turn_of(const SNTransfer *transfer) { return transfer->engine->turn; }

// lifecycle.c: how a transfer starts, goes on, and ends.
void sn_lifecycle_start(SNTurn *turn, SNTransfer *transfer);
// Does what other threads want.
void sn_lifecycle_obey(SNTurn *turn, SNTransfer *transfer, uint32_t commands);
// Passes on what libcurl has kept of the content, and lets it go on; false if that ended the transfer.
bool sn_lifecycle_unpause(SNTurn *turn, SNTransfer *transfer);
// Ends what libcurl has ended.
void sn_lifecycle_finish(SNTurn *turn, SNTransfer *transfer, SNCode code);
// Ends what libcurl never had.
void sn_lifecycle_refuse(SNTurn *turn, SNTransfer *transfer, SNFailure failure, SNCode code);
// Ends all whose time is over, and returns whether there were any.
bool sn_lifecycle_expire(SNTurn *turn);

// measurements.c: what is measured of a transfer at its end.
void sn_measurements_take(SNTurn *turn, SNTransfer *transfer);

// failures.c: why a transfer has failed.
void sn_failures_describe(SNTurn *turn, SNTransfer *transfer);

// connections.c: limits per host and in total, in the order of arrival.
bool sn_connections_enqueue(SNTurn *turn, SNTransfer *transfer);
SNTransfer *sn_connections_next(SNTurn *turn);
void sn_connections_forget(SNTurn *turn, SNTransfer *transfer);
void sn_connections_finish(SNTurn *turn, SNTransfer *transfer, bool multiplexes);
void sn_connections_connected(SNTurn *turn, SNTransfer *transfer);
// Puts a transfer that could not connect for lack of a file back into its place in the queue.
void sn_connections_postpone(SNTurn *turn, SNTransfer *transfer);
// Whether a request could be sent on a kept connection.
bool sn_connections_is_warm(SNTurn *turn, const SNTransfer *transfer);
void sn_connections_grow(SNTurn *turn);
void sn_connections_free(SNTurn *turn);

// timers.c: a heap of transfers by the time at which they must end.
bool sn_timers_reserve(SNTurn *turn);
void sn_timers_add(SNTurn *turn, SNTransfer *transfer);
void sn_timers_remove(SNTurn *turn, SNTransfer *transfer);
void sn_timers_move(SNTurn *turn, SNTransfer *transfer);

// time_limits.c: since when a transfer's limits count, and which of them ends first.
void sn_time_limits_start(SNTurn *turn, SNTransfer *transfer);
void sn_time_limits_stop(SNTurn *turn, SNTransfer *transfer);
void sn_time_limits_begin(SNTurn *turn, SNTransfer *transfer);
void sn_time_limits_move(SNTurn *turn, SNTransfer *transfer);
// Leaves the transfer no more time than this.
void sn_time_limits_hurry(SNTurn *turn, SNTransfer *transfer, int64_t span);

// name_lookups.c: requests whose end must not wait for a name lookup.
bool sn_lookups_is_running(SNTurn *turn, SNTransfer *transfer);
void sn_lookups_keep(SNTurn *turn, SNTransfer *transfer);
void sn_lookups_end(SNTurn *turn, SNTransfer *transfer);

// fairness.c: no transfer reads for so long that others wait.
void sn_fairness_begin(SNTurn *turn);
void sn_fairness_count_raw_bytes(SNTurn *turn, SNTransfer *transfer);
void sn_fairness_add_content(SNTurn *turn, SNTransfer *transfer, size_t bytes);
// Counts what libcurl has read of a transfer whose raw bytes are counted.
void sn_fairness_add_raw_bytes(SNTurn *turn, SNTransfer *transfer, size_t bytes);
void sn_fairness_add_call(SNTurn *turn, SNTransfer *transfer);
int64_t sn_fairness_due(const SNTurn *turn);
SNTransfer *sn_fairness_next(SNTurn *turn);
void sn_fairness_end(SNTurn *turn, const SNTransfer *transfer);
void sn_fairness_forget(SNTurn *turn, SNTransfer *transfer);

// key_log.c: decides, for a connection that begins, who gets its keys.
void sn_key_log_begin(const SNEngine *engine, void *ssl_context);

// file_shortage.c: what to do when the process may open no more files.
int sn_files_open_socket(void *transfer, int purpose, struct curl_sockaddr *address);
int sn_files_close_socket(void *turn, int socket);
void sn_files_count_closed(SNTurn *turn);
SNFailure sn_files_take_opened(SNTurn *turn, SNTransfer *transfer);
bool sn_files_postpone(SNTurn *turn, SNTransfer *transfer);
void sn_files_relax(SNTurn *turn);
void sn_files_allow(SNTurn *turn, long connections);

// proxies.c: which proxy a request goes through, and proxies that answer CONNECT without end.
// The proxy that libcurl uses for http or https URLs; null for none.
const char *sn_proxies_url(const SNEngine *engine, bool is_secure);
bool sn_proxies_set_up(SNTransfer *transfer);
// Connects to a host that is an exception itself, which libcurl's own list could not always say.
bool sn_proxies_bypass(SNTransfer *transfer);
// A proxy of plain HTTP needs the whole URL as the target.
bool sn_proxies_need_whole_url(const SNTransfer *transfer);
void sn_proxies_begin_tunnel(SNTransfer *transfer);
void sn_proxies_end_tunnel(SNTransfer *transfer);
// Counts a byte; false if there are too many.
bool sn_proxies_count_tunnel_byte(SNTransfer *transfer);

// resends.c: whether a request may be sent again, and whether it is known that a server did not process it.
void sn_resends_hear(SNTurn *turn, SNTransfer *transfer, const char *bytes, size_t count);
bool sn_resends_is_known(SNTurn *turn, const SNTransfer *transfer);
// Keeps in mind that the connection closes for a known reason, and tells whether it does.
void sn_resends_note_end(SNTurn *turn, const SNTransfer *transfer);
bool sn_resends_have_end(SNTurn *turn, const SNTransfer *transfer);
void sn_resends_note_break(SNTurn *turn, const SNTransfer *transfer);
bool sn_resends_have_break(SNTurn *turn, const SNTransfer *transfer);
// Whether libcurl may send it again though its method doesn't allow that.
bool sn_resends_are_allowed(SNTurn *turn, const SNTransfer *transfer);

// stream_ends.c: whether a stream of HTTP/2 has ended for its server.
// Whether libcurl has to be heard.
bool sn_stream_ends_need_words(const SNTransfer *transfer);
void sn_stream_ends_hear(SNTurn *turn, SNTransfer *transfer, const char *bytes, size_t count);
// Whether a success is none; libcurl has given the transfer back.
bool sn_stream_ends_is_cut(SNTurn *turn, SNTransfer *transfer);
// Whether the connection of a transfer without a response has broken the rules for frames.
bool sn_stream_ends_is_broken(const SNTransfer *transfer);

// streams.c: streams of HTTP/2 of which libcurl has more than it passes on.
// How much memory libcurl needs to receive into, or 0 if that doesn't matter.
long sn_streams_buffer(const SNTransfer *transfer);
void sn_streams_count(SNTurn *turn, SNTransfer *transfer, size_t bytes);
void sn_streams_add(SNTurn *turn, SNTransfer *transfer);
void sn_streams_forget(SNTurn *turn, SNTransfer *transfer);
int64_t sn_streams_due(const SNTurn *turn);
// Has libcurl read on, at the next call for its timers; false if there is nothing to read.
bool sn_streams_read(SNTurn *turn);
// Forgets the streams of which nothing came then.
void sn_streams_end_reading(SNTurn *turn);

// sockets.c: what libcurl waits for, told to the kernel.
void sn_sockets_set_up(SNTurn *turn);
bool sn_sockets_add(SNTurn *turn, int socket);
void sn_sockets_forget(SNTurn *turn, int socket);
void sn_sockets_resume(SNTurn *turn, SNTransfer *transfer);
// Whether the transfer's connection has told its socket.
bool sn_sockets_has(SNTurn *turn, const SNTransfer *transfer);
void sn_sockets_leave(SNTurn *turn, SNTransfer *transfer);
// Says that a transfer's connection waits for the next request, if it was kept.
void sn_sockets_rest(SNTurn *turn, const SNTransfer *transfer, bool multiplexes);
// Keeps in mind which connection the transfer's socket has.
void sn_sockets_identify(SNTurn *turn, const SNTransfer *transfer);
// Has libcurl read a connection, until it ends no more transfers; false if the connection is closed.
bool sn_sockets_look(SNTurn *turn, uint64_t connection);
void sn_sockets_arm(SNTurn *turn, int64_t due);
void sn_sockets_take(SNTurn *turn, const struct epoll_event *events, int count);
void sn_sockets_run_timers(SNTurn *turn);

#endif
