// A transfer: one request, and what comes of it. Its parts have an owner each.
#ifndef SN_TRANSFER_H
#define SN_TRANSFER_H

#include "buffers.h"
#include "codings.h"
#include "decoders.h"
#include "workarounds.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct SNHost SNHost;
typedef struct SNTurn SNTurn;

typedef enum { SN_BODY_NONE, SN_BODY_COPY, SN_BODY_BORROWED, SN_BODY_FILE, SN_BODY_STREAM } SNBodyKind;

// The content that is sent.
typedef struct {
    SNBodyKind kind;
    // In bytes; below zero if it is not known.
    int64_t count;
    union {
        // Where in the text of the request the copy, or the path of the file, begins.
        size_t in_text;
        struct {
            const char *bytes;
            void *keeper;
        } borrowed;
        void *source;
    };
} SNBody;

typedef enum { SN_SINK_MEMORY, SN_SINK_STREAM } SNSinkKind;

// What is sent, and how. The thread that has made the transfer fills it before the submission; afterwards it never
// changes.
typedef struct {
    // The URL, the method, the lines of the fields, and content of which there is a copy.
    SNBuffer text;
    size_t url_length, host_start, host_length, method;
    bool is_secure, is_head, is_options, has_expect, has_type, has_encoding, has_close;
    struct {
        size_t *offsets;
        size_t count, capacity;
        struct curl_slist *nodes;
        size_t node_capacity;
    } lines;
    // Where it goes in place of the host's addresses: the path of a socket, or the lines for the addresses, as offsets in
    // the text, or 0.
    struct {
        size_t socket, lines[2];
        struct curl_slist nodes[2];
    } destination;
    SNBody body;
    bool has_trailers;
    SNSinkKind sink;
    int64_t limit;
    size_t high_water;
    bool reports_progress, follows_redirects, is_repeatable, offers_certificate, is_direct;
    int64_t attempt_ns, idle_ns;
    long connect_ms;
} SNRequest;

// The parts of a URL for libcurl, of which a further request to the same origin changes some, see request_urls.c. They
// are null before the second request to that origin.
typedef struct {
    CURLU *whole;
    // The scheme, host and port as they were written.
    char *origin;
    // Whether the handle has them.
    bool is_given;
} SNURLParts;

// libcurl's handle, and the options that it has from the last request. It is made and destroyed whole.
typedef struct {
    CURL *easy;
    SNURLParts url;
    bool is_for_plain_get, reports_progress, listens, has_target, has_trailers, has_close, offers_certificate;
    bool is_direct, has_socket, has_addresses;
    // Below zero if it is not known.
    int is_secure;
    long connect_ms, buffer;
    char error[256];
} SNHandle;

// While it is opening, a thread opens the file that it sends. Libcurl has it while it is active.
typedef enum { SN_STATE_NEW, SN_STATE_WAITING, SN_STATE_OPENING, SN_STATE_ACTIVE, SN_STATE_DONE } SNState;

// What became of a connection of HTTP/2 when one of its streams ended: unknown while others use it.
typedef enum { SN_END_UNKNOWN, SN_END_KEPT, SN_END_ANNOUNCED, SN_END_CLOSED } SNStreamEnd;

// The request on the wire, and what has come of its response. It belongs to the thread that submits the transfer, then
// to the turn, and once the transfer is done to the thread that waits for it. From the first event for the head or
// content on, that thread may also read the head, `route`, `codings` and `deadline`, which change no more.
typedef struct {
    SNState state;
    SNHost *host;
    // Whether it is one of the connections in total, and whether it was cancelled before its submission.
    bool is_counted, is_refused;

    // Its limits of time: its place in the heap of timers plus one, or zero; when the first limit ends; when each does;
    // and how long the attempt may take from when its clock starts.
    size_t timer;
    int64_t due, deadline, connect_due, attempt_left;
    // When anything moved.
    int64_t moved;

    // The content that is sent: how much there is, how much libcurl has taken, and whether it may be sent once more.
    int64_t to_send, uploaded;
    bool may_repeat;
    int tries;
    // How many of the tries were lost that the server may have processed.
    int losses;

    // The lines of this block of the head that have arrived whole, and whether a further one has begun.
    unsigned head_lines;
    bool is_in_line, is_head_complete;
    int status;
    size_t header_bytes;
    SNFields headers, trailers;
    SNCodingList codings;
    // Where the content goes, how much has arrived, and what has arrived that is neither encoded nor for a stream.
    SNSinkKind route;
    int64_t received;
    SNBuffer content;
    // Whether the response is a redirect to be followed: its content is of no use.
    bool is_followed;
    // Whether all of a response that announced its length is there, though not all content may have been sent.
    bool is_whole;

    // How much was read, and how much of that and of the content when the transfer was last held; and how much since
    // the clock was read, see fairness.c. Held transfers are a list of `previous` and `next`. Raw bytes are what libcurl
    // reads, in place of the content that comes of it: chunks may be all frame.
    int64_t read, counted_read, counted_content, unclocked;
    bool counts_raw_bytes, is_held, is_barren;

    // Why no more files can be opened, how many sockets were open the last time, and how many files had been closed when
    // it began.
    int shortage;
    long open_at_last_shortage, closed_before_start;

    // Whether libcurl may have more of its stream than it has passed on, whether nothing came when it was last asked, and
    // how much has come in which turn, see streams.c.
    bool is_unread, is_quiet;
    SNTransfer *previous_unread, *next_unread;
    uint64_t turn;
    size_t turn_bytes;

    // The socket that libcurl last named for it, whether it has named one since this attempt began, whether one was
    // opened, and one over which TLS has not begun, see tls_records.c.
    int socket;
    bool has_socket, has_opened, is_socket_plain;
    // The connection of this try, the stream of HTTP/2 on it, if known, whether no request came before it there, and
    // whether libcurl is heard about them, see resends.c.
    uint64_t connection;
    uint32_t stream;
    bool is_first, hears_words;
    // What libcurl said of the connection when this ended, and whether the response announced its length, see
    // stream_ends.c.
    SNStreamEnd end;
    bool has_length;
    // Whether nothing came of what was read for so long that its connection was given up, see tls_records.c.
    bool was_cut;
    // Whether libcurl may be reading a proxy's answer to CONNECT, and how much of it, see proxies.c.
    bool is_tunnelling;
    long tunnel_bytes;
    // Whether it has ended for all but libcurl, see name_lookups.c.
    bool is_lingering;

    SNFailure failure;
    int system_error;
    SNResult result;
} SNExchange;

// What was decoded since decoding last rested, and for how long, see decoding_slices.c.
typedef struct {
    int64_t start, ns;
    size_t input, output;
    // Whether the time is the processor's.
    bool is_exact;
} SNSlice;

// Decodes the content. It belongs to the thread that takes the content, see response_content.c.
typedef struct {
    SNDecoders *decoders;
    SNBuffer encoded, decoded;
    // How much of the encoded content the decoders have.
    size_t decoded_count;
    // How much they have had in all.
    uint64_t supplied;
    SNSlice slice;
    // Whether it decodes for much of the time.
    bool takes_long;
    // Since when all that was decoded decodes to nothing, or 0.
    int64_t barren_since;
    SNFailure failure;
} SNReader;

enum { SN_COMMAND_CANCEL = 1, SN_COMMAND_UNPAUSE = 2, SN_COMMAND_OPENED = 4 };

// What other threads want of the turn. It is under the engine's lock; a turn takes it all.
typedef struct {
    uint32_t given;
    bool is_listed;
    SNTransfer *next;
    // The turn's copy.
    uint32_t taken;
    SNTransfer *next_taken;
} SNCommands;

// What the turn and other threads leave for each other, under the lock of the transfer.
typedef struct {
    uint32_t events;
    void *waiter;
    bool is_submitted, is_cancelled, is_receive_paused, is_send_paused;
    // Whether the caller holds the transfer back.
    bool is_suspended;
    // What has arrived of content that is encoded, or for a stream.
    SNBuffer arrived;
    SNInterim *interim, *last_interim;
    SNProgress progress;
    int resends;

    // The next piece of the content that is sent, and how much of it libcurl has.
    SNBuffer supply;
    size_t supplied;
    // Lines, each with a NUL.
    SNBuffer trailer_lines;
    // Counts how often the content was begun: pieces of an earlier beginning are of no use.
    uint32_t generation;
    bool is_pulling, is_source_at_end, is_source_broken;
    // Why a file could not be opened or read.
    int source_error;
    int file;
    // Where the next piece of the file begins.
    int64_t file_offset, file_size;
    int file_jobs;
    bool has_left_file, is_leaving;
} SNMailbox;

struct SNTransfer {
    SNEngine *engine;
    atomic_int references;
    // Its neighbours in a list: of submitted, pooled, waiting, or held ones.
    SNTransfer *previous, *next;
    SNRequest request;
    SNHandle handle;
    SNExchange exchange;
    SNReader reader;
    SNCommands commands;
    pthread_mutex_t lock;
    SNMailbox mailbox;
};

typedef struct {
    SNTransfer *first, *last;
} SNTransferList;

static inline void sn_list_append(SNTransferList *list, SNTransfer *transfer) {
    transfer->previous = list->last;
    transfer->next = NULL;
    if (list->last) list->last->next = transfer;
    else list->first = transfer;
    list->last = transfer;
}

static inline void sn_list_prepend(SNTransferList *list, SNTransfer *transfer) {
    transfer->previous = NULL;
    transfer->next = list->first;
    if (list->first) list->first->previous = transfer;
    else list->last = transfer;
    list->first = transfer;
}

static inline void sn_list_remove(SNTransferList *list, SNTransfer *transfer) {
    if (transfer->previous) transfer->previous->next = transfer->next;
    else list->first = transfer->next;
    if (transfer->next) transfer->next->previous = transfer->previous;
    else list->last = transfer->previous;
    transfer->previous = transfer->next = NULL;
}

// transfer.c: how it is made, kept and told of.
void sn_transfer_raise(SNTransfer *transfer, uint32_t events);
// Returns whether the progress is new, and raises its event if the request wants it.
bool sn_transfer_set_progress(SNTransfer *transfer, SNProgress progress);
void sn_transfer_free(SNTransfer *transfer);
bool sn_transfer_is_receive_paused(SNTransfer *transfer);

// request_head.c: the URL, the method and the fields.
// The URL's path, query and fragment, or nothing.
const char *sn_request_target(const SNRequest *request);
// Adds what content changes of the fields, before the content.
bool sn_request_add_content_lines(SNRequest *request);
bool sn_request_end_head(SNRequest *request, const SNLibrary *curl);

// easy_handle.c: libcurl's handle, from its first use to its last.
bool sn_handle_set_up(SNTransfer *transfer);
void sn_handle_refresh(SNTransfer *transfer);
// Whether its connection takes several requests at a time.
bool sn_handle_is_multiplexed(const SNTransfer *transfer);
// Gives the handle up: the transfer gets a new one when it is used again.
void sn_handle_drop(SNTransfer *transfer);

// certificates.c: which certificates are trusted, and which one the client has.
bool sn_certificates_set_up(SNTransfer *transfer);
// Has the client certificate for this request's server only: the handle may have served another.
bool sn_certificates_offer(SNTransfer *transfer);

// destinations.c: where connections go, if not to the addresses that the host's name has.
bool sn_destinations_set_up(SNTransfer *transfer);
bool sn_destinations_set(SNTransfer *transfer);

// request_options.c: the options that differ between requests.
// Begins the exchange. If that fails, what the handle has is not known, and it must not be used.
bool sn_handle_prepare(SNTransfer *transfer);
// Has libcurl report what it reads and says, for transfers where that matters.
void sn_handle_listen(SNTransfer *transfer);
// Whether progress matters of itself.
bool sn_handle_has_to_report(const SNTransfer *transfer);
// Chooses the memory that libcurl receives into.
void sn_handle_set_buffer(SNTransfer *transfer, bool is_small);
// Has libcurl report progress, or not.
void sn_handle_report(SNTransfer *transfer, bool reports);

// request_urls.c
// Gives the handle the URL; false if memory ran out.
bool sn_urls_set(SNTransfer *transfer);
// Sends another target than the URL's path and query.
bool sn_urls_set_target(SNTransfer *transfer);
void sn_urls_free(const SNLibrary *curl, SNURLParts *parts);

// tls_records.c: servers that send records of TLS or frames of HTTP/2 without content, or requests for handshakes,
// without end.
bool sn_tls_records_set_up(SNTransfer *transfer);
// Begins a call of libcurl, goes on with one in which something has come of what was read, and ends it.
void sn_tls_records_begin(SNTurn *turn);
void sn_tls_records_go_on(void);
void sn_tls_records_end(void);
// The turn of this thread's call of libcurl; null outside of one.
SNTurn *sn_tls_records_turn(void);
// Whether TLS has ended in this call of libcurl.
bool sn_tls_records_have_ended(void);
// Whether a connection was given up since this was last asked, because nothing came of what was read.
bool sn_tls_records_take_cut(SNTurn *turn);

// interim_responses.c
// Takes the header fields that the transfer has read.
bool sn_interim_keep(SNTransfer *transfer);

// response_content.c: what the thread that waits for a transfer does with its content.
void sn_reader_clear(SNReader *reader);

// decoding_slices.c: decoding that takes long leaves time to other work.
int64_t sn_slices_now(const SNReader *reader);
void sn_slices_count(SNReader *reader, int64_t ns);

// file_shortage.c: closes the file that is sent; a thread that still reads it does so afterwards.
void sn_files_close(SNTransfer *transfer);

// file_threads.c: threads that open and read files, which may block.
// Opens the file that a transfer sends, and reads its first piece; `SN_COMMAND_OPENED` follows. False without a thread.
bool sn_file_threads_open(SNTransfer *transfer);
// Reads the next piece.
void sn_file_threads_read(SNTransfer *transfer);

// send.c: the content that is sent.
// Like `sn_transfer_supply`, but gives the buffer to the transfer, and another one back.
void sn_transfer_supply_buffer(SNTransfer *transfer, uint32_t generation, SNBuffer *buffer, long count);
int64_t sn_send_content(const SNExchange *exchange, int64_t sent);
bool sn_send_has_begun(const SNTransfer *transfer);
void sn_send_restart(SNTransfer *transfer, int64_t offset);

// resends.c: counts that the request is sent once more, and reports it.
void sn_resends_note(SNTransfer *transfer);

// receive.c: ends the response: faults in the content of a redirect that is followed don't count.
void sn_receive_finish(SNTransfer *transfer);

// libcurl's callbacks, all of them in a turn: send.c, resends.c, receive.c.
size_t sn_send_read(char *bytes, size_t size, size_t count, void *transfer);
int sn_send_seek(void *transfer, int64_t offset, int origin);
int sn_send_trailers(struct curl_slist **lines, void *transfer);
int sn_resends_may_send(void *transfer, char *remote, char *local, int remote_port, int local_port);
size_t sn_receive_header(char *bytes, size_t size, size_t count, void *transfer);
size_t sn_receive_content(char *bytes, size_t size, size_t count, void *transfer);
int sn_receive_progress(void *transfer, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent);

#endif
