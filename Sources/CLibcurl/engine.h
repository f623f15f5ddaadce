// What the C files of the engine share.
#ifndef SN_ENGINE_H
#define SN_ENGINE_H

#include "CLibcurl.h"
#include "codings.h"
#include "library.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>

typedef struct SNHost SNHost;

typedef struct {
    char *bytes;
    size_t count, capacity;
} SNBuffer;

// Returns a capacity for at least so many items of this size, if possible twice the current one; 0 if memory can't hold
// them.
static inline size_t sn_larger(size_t capacity, size_t needed, size_t size) {
    size_t most = PTRDIFF_MAX / size, least = 1024 / size;
    if (needed > most) return 0;
    size_t doubled = capacity > most / 2 ? most : capacity * 2;
    if (doubled < least) doubled = least;
    return doubled < needed ? needed : doubled;
}

bool sn_buffer_append(SNBuffer *buffer, const void *bytes, size_t count);
bool sn_buffer_reserve(SNBuffer *buffer, size_t capacity);
// Empties it, and frees much memory.
void sn_buffer_trim(SNBuffer *buffer);

// Header or trailer fields: names and values stand one after another in the text.
typedef struct {
    SNBuffer text;
    SNField *items;
    size_t count, capacity;
    // How many lines continue others.
    size_t folds;
} SNFields;

// Adds a line without its line break, or says why it is none of a field.
SNFailure sn_fields_add(SNFields *fields, const char *line, size_t count);
// Returns the status of "HTTP/1.1 200 OK", "HTTP/2 200", "HTTP/1.1 200" and the like; 0 if it is no such line.
int sn_fields_status(const char *line, size_t count);
// Returns the length without the line break.
size_t sn_fields_trim(const char *line, size_t count);
void sn_fields_clear(SNFields *fields);
void sn_fields_free(SNFields *fields);
bool sn_fields_keep_interim(SNTransfer *transfer);

// Bytes that are a part of others.
typedef struct {
    const char *bytes;
    size_t count;
} SNText;

SNText sn_fields_name(const SNFields *fields, size_t index);
SNText sn_fields_value(const SNFields *fields, size_t index);
// Compares without regard to case; inline, so that the length of a literal is no work.
static inline bool sn_text_is(SNText text, const char *other) {
    return text.count == strlen(other) && strncasecmp(text.bytes, other, text.count) == 0;
}
// Takes the next member of a list (RFC 9110 §5.6.1), without blanks around it, which may be empty; false at the end.
bool sn_text_next(SNText *list, SNText *member);

struct SNInterim {
    SNInterim *next;
    int status;
    SNFields headers;
};

// What a transfer has decoded since it last rested, and for how long, see rests.c.
typedef struct {
    int64_t start, ns;
    size_t input, output;
    // Whether the time is the processor's.
    bool is_exact;
} SNSlice;

typedef enum { SN_BODY_NONE, SN_BODY_BYTES, SN_BODY_FILE, SN_BODY_STREAM } SNBodyKind;
typedef enum { SN_SINK_MEMORY, SN_SINK_STREAM } SNSinkKind;
// While it is opening, a thread opens the file that it sends. Libcurl has it while it is active.
typedef enum { SN_STATE_NEW, SN_STATE_WAITING, SN_STATE_OPENING, SN_STATE_ACTIVE, SN_STATE_DONE } SNState;
enum { SN_COMMAND_CANCEL = 1, SN_COMMAND_UNPAUSE = 2, SN_COMMAND_OPENED = 4 };

struct SNTransfer {
    CURL *easy;
    SNEngine *engine;
    atomic_int references;

    // Filled before submission, on the caller's thread.
    SNBuffer text;
    size_t url_length;
    bool is_secure, is_head, has_expect, has_type, has_encoding, has_close;
    size_t host_start, host_length;
    size_t method;
    struct {
        size_t *offsets;
        size_t count, capacity;
        struct curl_slist *nodes;
        size_t node_capacity;
    } lines;
    SNBodyKind body;
    const char *upload;
    size_t upload_in_text;
    int64_t upload_count, upload_offset;
    void *owner;
    SNSinkKind sink, route;
    int64_t limit;
    bool reports_progress, follows_redirects, is_repeatable, has_trailers, offers_certificate;
    size_t high_water;
    int64_t attempt_ns, idle_ns;
    long connect_ms;

    // The options that the handle has.
    bool was_plain_get, reported_progress;
    int last_is_secure;
    bool hears_refusals, last_listens;
    bool last_has_target, last_has_trailers, last_has_close, last_offers_certificate;
    long last_connect_ms, last_buffer;

    // Used during turns only, until the transfer is done.
    SNState state;
    SNHost *host;
    bool is_counted, is_refused;
    struct SNTransfer *previous, *next;
    size_t timer;
    int64_t due, deadline, connect_due, moved;
    int status;
    // The lines of this block of the head that have arrived whole, and whether a further one has begun.
    unsigned head_lines;
    bool is_in_line;
    bool is_head_complete;
    // Whether the response is a redirect to be followed: its content is of no use.
    bool is_followed;
    // Whether all of a response that announced its length is there, though not all content may have been sent.
    bool is_whole;
    int tries;
    size_t header_bytes;
    int64_t received;
    SNFields headers, trailers;
    SNCodingList codings;
    // What has arrived; once it is a part of a stream or encoded, under the lock.
    SNBuffer content;
    // How much was read, and how much of that and of the content when the transfer was last held; and how much since
    // the clock was read. Held transfers are a list of `previous` and `next`.
    int64_t read, counted_read, counted_content, unclocked;
    bool is_watched, is_held, is_barren;
    // Why no more files can be opened, how many sockets there were the last time, and how many files had been closed
    // when it began.
    int shortage;
    long sockets, closed;
    SNFailure failure;
    int system_error;
    // The socket that libcurl last named for it, and whether it has named one since this attempt began.
    int socket;
    bool has_socket;
    // The connection of this try, the stream of HTTP/2 on it, if known, and whether no request came before it there.
    uint64_t connection;
    uint32_t stream;
    bool is_first;
    // Whether libcurl may be reading a proxy's answer to CONNECT, and how much of it, see tunnels.c.
    bool is_tunnelling;
    long tunnel_bytes;
    // Whether it has opened a socket over which TLS has not begun, see records.c.
    bool is_socket_plain;
    // Whether it has opened a socket, and whether it has ended for all but libcurl, see lookups.c.
    bool has_opened, is_lingering;
    SNResult result;
    char error[256];

    // Used by the thread that takes the content, see `content.c`.
    SNDecoders *decoders;
    SNBuffer encoded, decoded;
    // How much of the encoded content the decoders have.
    size_t decoded_count;
    SNSlice slice;
    SNFailure content_failure;
    // Whether it decodes for much of the time.
    bool takes_long;
    // Since when all that was decoded decodes to nothing, or 0.
    int64_t barren_since;

    // Under the engine's lock.
    uint32_t commands;
    bool is_commanded;
    struct SNTransfer *next_command;

    // The turn's copy of the above.
    uint32_t taken;
    struct SNTransfer *next_taken;

    // Under this lock.
    pthread_mutex_t lock;
    uint32_t events;
    void *waiter;
    bool is_cancelled, is_submitted;
    bool is_receive_paused, is_send_paused;
    SNProgress progress;
    int resends;
    SNInterim *interim, *last_interim;
    SNBuffer supply;
    size_t supplied;
    // Lines, each with a NUL.
    SNBuffer trailer_lines;
    uint32_t generation;
    bool is_pulling, is_source_at_end, is_source_broken;
    // Why a file could not be opened or read.
    int source_error;
    int upload_file;
    // Where the next piece of the file begins.
    int64_t file_offset, file_size;
    int file_jobs;
    bool has_left_file, is_leaving;
};

struct SNHost {
    SNHost *next, *next_ready;
    SNTransfer *first, *last;
    long active;
    // How many kept connections there may be.
    long idle;
    // Connections beyond the limit of a prompt host, and the time since which none of its requests has ended.
    long extra;
    int64_t quiet_since;
    // While its first request connects, the time of the waiting requests counts.
    bool is_connecting;
    bool is_secure, is_connected, multiplexes, is_ready;
    uint64_t hash;
    size_t key_length;
    char key[];
};

// What a server said when it closed a connection of HTTP/2: later streams were not processed.
typedef struct {
    uint64_t connection;
    uint32_t last_stream;
} SNDeparture;
enum { SN_DEPARTURES = 64 };

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
// Up to this size, content is sent in one piece.
enum { SN_UNSEEN_BYTES = 64 << 10 };
// How long a transfer may read or decode while others wait.
#define SN_SLICE_NS ((int64_t)2000000)
// A transfer is barren that reads so many times as much as comes of it; after each slice of one, the others get so many
// slices.
enum { SN_BARREN_RATIO = 16, SN_BARREN_PAUSES = 9 };
// With few requests in flight, the time that a thread takes to wake counts; with more, that all cores work.
enum { SN_FEW = 4 };
// So much encoded content for memory may wait to be decoded.
enum { SN_ENCODED_BYTES = 1 << 20 };
enum { SN_HOST_BUCKETS = 256, SN_POOL_LIMIT = 128, SN_STREAMS_PER_HOST = 100 };

// What libcurl wants of a socket, and what the kernel was told.
typedef struct {
    uint8_t wanted, registered;
    // Opened for libcurl by this engine, which therefore sees it close.
    bool is_ours;
    // Kept between requests, in a protocol in which the server must not speak first.
    bool is_idle;
    SNTransfer *transfer;
    // The last transfer above, to be compared only: it may have ended.
    const SNTransfer *last;
} SNSocket;

// A queue in the order of arrival.
typedef struct {
    void **items;
    size_t first, count, capacity;
} SNJobs;

typedef struct SNFileJob SNFileJob;

// Threads for files, and what they have to do.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t bell;
    SNFileJob *first, *last;
    long jobs, idle, threads;
    bool is_over;
} SNDisk;

// One thread at a time has a turn with libcurl: the crew's poller, which waits for events, or a thread that submits a
// request. Neither waits for user code in its turn; that runs afterwards, as jobs.
struct SNEngine {
    const SNLibrary *curl;
    SNEngineOptions options;
    atomic_int references;
    CURLM *multi;
    // The poller sleeps on the first; the second wakes it at once, the third at a time.
    int poll, bell, alarm;

    pthread_mutex_t lock;
    SNTransfer *submitted, *last_submitted;
    SNTransfer *commanded, *last_commanded;
    bool is_polling, is_stopping, has_ended;
    // Whether any connection may have been over TLS, to a server or to a proxy.
    bool has_secure;
    SNTransfer *pool;
    size_t pool_count;
    // Jobs of tasks that the poller runs when its turn is over, and how many threads help it.
    SNJobs jobs;
    long helpers;
    // When the last of the transfers that decode to nothing may go on.
    int64_t barren_rest;
    // Counts the pollers, and the jobs that they have begun. A poller that runs one job for too long is replaced.
    uint64_t shift, runs;
    bool is_running, has_watcher, is_watching;
    long threads;
    pthread_cond_t watch;
    SNDisk disk;
    int forks;

    pthread_mutex_t turn;
    // The rest belongs to the thread that has the turn.
    int64_t now;
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
    // How many sockets and files the engine has closed.
    atomic_long closed;
    // How many transfers have left their file to a thread that will close it.
    atomic_long leaving;
    // Transfers that have read for too long, see shares.c: when the one that reads has to stop, and when one without
    // content may read again.
    SNTransfer *held, *last_held;
    int64_t slice_end, barren_due;
    size_t running;
    long lingering;
    atomic_long waiting;
    SNTransfer **timers;
    size_t timer_count, timer_capacity;
    SNDeparture departures[SN_DEPARTURES];
    size_t next_departure;
};

// engine.c
void sn_engine_submit(SNEngine *engine, SNTransfer *transfer);
void sn_engine_command(SNEngine *engine, SNTransfer *transfer, uint32_t command);
// Rejects all further commands, and drops those that no turn has seen.
void sn_engine_refuse_commands(SNEngine *engine);

// hosts.c: limits per host and in total, in the order of arrival.
bool sn_hosts_enqueue(SNEngine *engine, SNTransfer *transfer);
SNTransfer *sn_hosts_next(SNEngine *engine);
void sn_hosts_forget(SNEngine *engine, SNTransfer *transfer);
void sn_hosts_finish(SNEngine *engine, SNTransfer *transfer, bool multiplexes);
void sn_hosts_connected(SNEngine *engine, SNTransfer *transfer);
// Puts a transfer that could not connect for lack of a file back into its place in the queue.
void sn_hosts_postpone(SNEngine *engine, SNTransfer *transfer);
// Whether a request could be sent on a kept connection.
bool sn_hosts_is_warm(SNEngine *engine, const SNTransfer *transfer);
void sn_hosts_grow(SNEngine *engine);
void sn_hosts_free(SNEngine *engine);

// timers.c: a heap of transfers by the time at which they must end.
bool sn_timers_reserve(SNEngine *engine);
void sn_timers_add(SNEngine *engine, SNTransfer *transfer);
void sn_timers_remove(SNEngine *engine, SNTransfer *transfer);
void sn_timers_move(SNEngine *engine, SNTransfer *transfer);

// clocks.c: since when a transfer's limits count, and which of them ends first.
int64_t sn_clocks_now(void);
void sn_clocks_start(SNEngine *engine, SNTransfer *transfer);
void sn_clocks_stop(SNEngine *engine, SNTransfer *transfer);
void sn_clocks_begin(SNEngine *engine, SNTransfer *transfer);
void sn_clocks_move(SNEngine *engine, SNTransfer *transfer);
// Leaves the transfer no more time than this.
void sn_clocks_hurry(SNEngine *engine, SNTransfer *transfer, int64_t span);

// lookups.c: requests whose end must not wait for a name lookup.
long sn_lookups_connect_ms(const SNEngine *engine, long connect_ms);
bool sn_lookups_is_running(SNTransfer *transfer);
void sn_lookups_keep(SNEngine *engine, SNTransfer *transfer);
void sn_lookups_end(SNEngine *engine, SNTransfer *transfer);

// shares.c: no transfer reads for so long that others wait.
void sn_shares_begin(SNEngine *engine);
void sn_shares_watch(SNTransfer *transfer);
void sn_shares_unwatch(SNTransfer *transfer);
void sn_shares_count(SNTransfer *transfer, size_t bytes);
// Counts what was read of a watched transfer.
void sn_shares_see(SNTransfer *transfer, size_t bytes);
void sn_shares_see_call(SNTransfer *transfer);
int64_t sn_shares_due(const SNEngine *engine);
SNTransfer *sn_shares_next(SNEngine *engine);
void sn_shares_end(SNEngine *engine, const SNTransfer *transfer);
void sn_shares_forget(SNEngine *engine, SNTransfer *transfer);

// files.c: what to do when the process may open no more files.
int sn_files_open_socket(void *transfer, int purpose, struct curl_sockaddr *address);
int sn_files_close_socket(void *engine, int socket);
void sn_files_count_closed(SNEngine *engine);
SNFailure sn_files_take_opened(SNTransfer *transfer);
bool sn_files_postpone(SNEngine *engine, SNTransfer *transfer);
void sn_files_relax(SNEngine *engine);
void sn_files_allow(SNEngine *engine, long connections);
void sn_files_close(SNTransfer *transfer);

// disk.c: threads that open and read files, which may block.
void sn_disk_init(SNEngine *engine);
void sn_disk_destroy(SNEngine *engine);
// Lets its threads end.
void sn_disk_end(SNEngine *engine);
// Opens the file that a transfer sends, and reads its first piece; `SN_COMMAND_OPENED` follows. False without a thread.
bool sn_disk_open(SNTransfer *transfer);
// Reads the next piece.
void sn_disk_read(SNTransfer *transfer);

// handle.c: the options of a handle.
bool sn_handle_prepare(SNTransfer *transfer);
bool sn_handle_set_up(SNTransfer *transfer);
void sn_handle_refresh(SNTransfer *transfer);
// Gives the handle up: the transfer gets a new one when it is used again.
void sn_handle_drop(SNTransfer *transfer);
// Has libcurl report what it reads and says, for transfers where that matters.
void sn_handle_listen(SNTransfer *transfer);

// receive.c, send.c: libcurl's callbacks.
size_t sn_receive_header(char *bytes, size_t size, size_t count, void *transfer);
size_t sn_receive_content(char *bytes, size_t size, size_t count, void *transfer);
int sn_receive_progress(void *transfer, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent);
// Ends the response: faults in the content of a redirect that is followed don't count.
void sn_receive_finish(SNTransfer *transfer);
size_t sn_send_read(char *bytes, size_t size, size_t count, void *transfer);
int sn_send_seek(void *transfer, int64_t offset, int origin);
void sn_send_restart(SNTransfer *transfer, int64_t offset);
int sn_send_trailers(struct curl_slist **lines, void *context);
int64_t sn_send_content(SNTransfer *transfer, int64_t sent);
bool sn_send_has_begun(SNTransfer *transfer);
int sn_send_begins(void *transfer, char *remote, char *local, int remote_port, int local_port);

// tunnels.c: proxies that answer CONNECT without end.
void sn_tunnels_begin(SNTransfer *transfer);
void sn_tunnels_end(SNTransfer *transfer);
// Counts a byte; false if there are too many.
bool sn_tunnels_count(SNTransfer *transfer);

// records.c: servers that send records of TLS without content, or requests for handshakes, without end.
void sn_records_set_up(SNTransfer *transfer);

// refusals.c: whether it is known that a server did not process a request.
void sn_refusals_begin(SNTransfer *transfer, const char *remote, const char *local, int remote_port, int local_port);
void sn_refusals_hear(SNTransfer *transfer, const char *bytes, size_t count);
bool sn_refusals_is_known(SNTransfer *transfer);
// Whether libcurl may send it again though its method doesn't allow that.
bool sn_refusals_allow_resend(SNTransfer *transfer);

// request.c
bool sn_transfer_end_head(SNTransfer *transfer);

// rests.c: decoding that takes long leaves time to other work.
int64_t sn_rests_now(const SNTransfer *transfer);
void sn_rests_count(SNTransfer *transfer, int64_t ns);

// content.c
void sn_content_clear(SNTransfer *transfer);

// transfer.c
void sn_transfer_raise(SNTransfer *transfer, uint32_t events);
void sn_transfer_free(SNTransfer *transfer);
// Like `sn_transfer_supply`, but gives the buffer to the transfer, and another one back.
void sn_transfer_supply_buffer(SNTransfer *transfer, uint32_t generation, SNBuffer *buffer, long count);
bool sn_transfer_is_receive_paused(SNTransfer *transfer);

// sockets.c: what libcurl waits for, told to the kernel.
bool sn_sockets_open(SNEngine *engine);
void sn_sockets_close(SNEngine *engine);
bool sn_sockets_add(SNEngine *engine, int socket);
void sn_sockets_forget(SNEngine *engine, int socket);
void sn_sockets_resume(SNEngine *engine, SNTransfer *transfer);
void sn_sockets_leave(SNEngine *engine, SNTransfer *transfer);
// Says that a transfer's connection waits for the next request, if it was kept.
void sn_sockets_rest(SNEngine *engine, const SNTransfer *transfer);
void sn_sockets_ring(SNEngine *engine);
void sn_sockets_arm(SNEngine *engine, int64_t due);
// Waits for events, and takes them in a turn.
int sn_sockets_wait(SNEngine *engine, struct epoll_event *events);
void sn_sockets_take(SNEngine *engine, const struct epoll_event *events, int count);
void sn_sockets_run_timers(SNEngine *engine);
enum { SN_EVENTS = 64 };

// turns.c: what is done in a turn; false when nothing is left to do.
bool sn_turn(SNEngine *engine, const struct epoll_event *events, int count);

// crew.c: the threads that wait for events, and run jobs.
bool sn_crew_start(SNEngine *engine);
bool sn_crew_has_thread(const SNEngine *engine);
// Starts a thread that keeps the engine.
bool sn_crew_start_thread(SNEngine *engine, void *(*body)(void *));

#endif
