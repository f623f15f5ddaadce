/// The engine of `CurlTransport`: libcurl's multi interface, loaded at run time.
///
/// Swift fills a transfer, submits it, and waits for events; libcurl is called only from here.
#ifndef SN_CLIBCURL_H
#define SN_CLIBCURL_H

#ifdef __linux__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct SNEngine SNEngine;
typedef struct SNTransfer SNTransfer;
/// An interim response (RFC 9110 §15.2), such as 103.
typedef struct SNInterim SNInterim;

typedef struct {
    long connections_per_host;
    long connections_per_prompt_host;
    long connections_in_total;
    long max_header_bytes;
    const char *_Nullable ca_file;
    const char *_Nullable certificate;
    const char *_Nullable key;
    const char *_Nullable key_password;
    const char *_Nullable pinned_keys;
    const char *_Nullable proxy;
    const char *_Nullable proxy_credentials;
    /// The network interface or the local address of connections, as libcurl has it: "if!name" or "host!address".
    const char *_Nullable interface;
    /// The file to which the keys of TLS connections are appended.
    const char *_Nullable key_log;
    /// Called during a turn; must be cheap, and run no user code.
    void (*resume)(void *continuation);
    void (*pull)(void *source);
    void (*rewind)(void *source);
    void (*release_source)(void *source);
    void (*release_keeper)(void *keeper);
    /// Runs a job that `sn_engine_push` took, on a thread of the engine or of a helper. It may take long.
    void (*run)(void *job, void *_Nullable context);
    /// Calls `sn_engine_help` on another thread, once.
    void (*call_help)(void *engine);
    void *_Nullable context;
} SNEngineOptions;

enum {
    SN_EVENT_DONE = 1,
    SN_EVENT_HEAD = 2,
    SN_EVENT_CONTENT = 4,
    SN_EVENT_PROGRESS = 8,
    SN_EVENT_CANCELLED = 16,
    SN_EVENT_RESENT = 32,
    SN_EVENT_INTERIM = 64
};

/// Why libcurl says that a transfer has failed: those of its codes that are told apart here.
///
/// The numbers never change within libcurl.so.4.
typedef enum {
    CURLE_OK = 0,
    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_URL_MALFORMAT = 3,
    CURLE_NOT_BUILT_IN = 4,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_WEIRD_SERVER_REPLY = 8,
    /// Something is wrong in the framing of HTTP/2, or the server announces that it closes the connection.
    CURLE_HTTP2 = 16,
    /// The content is shorter than its length.
    CURLE_PARTIAL_FILE = 18,
    CURLE_WRITE_ERROR = 23,
    CURLE_READ_ERROR = 26,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_BAD_FUNCTION_ARGUMENT = 43,
    CURLE_INTERFACE_FAILED = 45,
    CURLE_TOO_MANY_REDIRECTS = 47,
    CURLE_UNKNOWN_OPTION = 48,
    CURLE_GOT_NOTHING = 52,
    CURLE_SSL_ENGINE_NOTFOUND = 53,
    CURLE_SSL_ENGINE_SETFAILED = 54,
    CURLE_SEND_ERROR = 55,
    CURLE_RECV_ERROR = 56,
    CURLE_SSL_CERTPROBLEM = 58,
    CURLE_SSL_CIPHER = 59,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61,
    CURLE_USE_SSL_FAILED = 64,
    /// The content could not be sent a second time.
    CURLE_SEND_FAIL_REWIND = 65,
    CURLE_SSL_ENGINE_INITFAILED = 66,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_SHUTDOWN_FAILED = 80,
    CURLE_SSL_CRL_BADFILE = 82,
    CURLE_SSL_ISSUER_ERROR = 83,
    CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CURLE_SSL_INVALIDCERTSTATUS = 91,
    CURLE_HTTP2_STREAM = 92,
    CURLE_PROXY = 97,
    CURLE_SSL_CLIENTCERT = 98,
    /// The fields of the response are too large.
    CURLE_TOO_LARGE = 100
} SNCode;

/// Failures that don't come from libcurl.
typedef enum {
    SN_FAILURE_NONE,
    SN_FAILURE_HEADER_LIMIT,
    SN_FAILURE_HEADER_CUT,
    /// The first line after the status line continues another.
    SN_FAILURE_FOLD,
    /// The first line is no status line.
    SN_FAILURE_STATUS_LINE,
    /// A header or trailer field has no name, a blank behind its name, or a stray CR or NUL.
    SN_FAILURE_FIELD,
    /// The fields give the content several lengths, or one that is no number.
    SN_FAILURE_LENGTH,
    SN_FAILURE_TOO_LARGE,
    SN_FAILURE_SOURCE,
    SN_FAILURE_SHORTAGE,
    SN_FAILURE_ATTEMPT,
    SN_FAILURE_IDLE,
    /// The content has a transfer coding that was not requested.
    SN_FAILURE_TRANSFER_CODING,
    /// The content has more than five codings, or decoding it would take too much memory.
    SN_FAILURE_CODINGS,
    /// The content is not valid in one of its codings.
    SN_FAILURE_CODING,
    SN_FAILURE_MEMORY,
    SN_FAILURE_REPEAT,
    /// What a proxy answers to CONNECT is longer than anything that is of use.
    SN_FAILURE_TUNNEL,
    /// The stream of HTTP/2 ended before the content did.
    SN_FAILURE_STREAM_CUT,
    /// The response breaks the rules for frames of HTTP/2.
    SN_FAILURE_FRAMES,
    /// The server sends frames without content for too long.
    SN_FAILURE_FLOOD
} SNFailure;

typedef struct {
    SNFailure failure;
    SNCode code;
    int system_error;
    int status;
    int http_version;
    bool is_reused;
    /// Whether libcurl has sent it again though the server may have processed it.
    bool is_resent;
    /// Whether part of the request was sent, and no response began. Unknown before libcurl 7.80.
    bool is_unanswered;
    /// Whether the server is known not to have processed the request.
    bool is_unprocessed;
    int64_t name_lookup, connect, secure_connect, first_byte, total;
    int64_t sent, received;
    char address[64];
    char detail[256];
} SNResult;

/// Parts of a list's text, as offsets.
typedef struct {
    uint32_t name, name_length, value, value_length;
} SNField;

typedef struct {
    const uint8_t *_Nullable text;
    const SNField *_Nullable items;
    size_t count;
} SNFieldList;

typedef struct {
    int64_t sent, to_send, received, to_receive;
} SNProgress;

/// Returns null if libcurl is missing or older than 7.68.
const char *_Nullable sn_library_version(void);
/// Whether libcurl, if it was found, was built without unix domain sockets.
bool sn_library_lacks_sockets(void);

/// Returns why the keys of TLS connections can't be appended to a file, as an error number; 0 if they can. The file is
/// created.
///
/// ENOTSUP says that libcurl uses another TLS library than OpenSSL, or that it is linked statically.
int sn_key_log_check(const char *path);

/// Returns how many files the process may have open; 0 if that is unknown.
long sn_file_limit(void);

/// Returns null without libcurl, or if memory ran out.
SNEngine *_Nullable sn_engine_create(const SNEngineOptions *options);
/// Lets running transfers finish, then ends the threads and frees everything; returns at once.
void sn_engine_release(SNEngine *engine);
/// Keeps the engine's memory.
void sn_engine_retain(SNEngine *engine);
void sn_engine_drop(SNEngine *engine);
/// Whether this process is a child, by `fork`, of the one that created the engine: none of its threads is here.
bool sn_engine_is_forked(const SNEngine *engine);
/// Whether this thread has a turn of some engine, which user code must not delay.
bool sn_thread_has_turn(void);
/// Sets what `run` receives; before the first submission.
void sn_engine_set_context(SNEngine *engine, void *context);
/// Takes a job that the calling thread runs when its turn is over; false on any thread but the poller.
bool sn_engine_push(SNEngine *engine, void *job);
/// Runs jobs until there are none.
void sn_engine_help(SNEngine *engine);
/// Whether this thread runs a job of some engine that has few others, so that it may run handlers as well.
bool sn_thread_runs_alone(void);
/// Returns how many transfers wait for a connection.
long sn_engine_waiting(SNEngine *engine);

/// Returns null if memory ran out, or libcurl refuses an option of the engine.
SNTransfer *_Nullable sn_transfer_create(SNEngine *engine);
SNTransfer *sn_transfer_retain(SNTransfer *transfer);
void sn_transfer_release(SNTransfer *transfer);

/// Returns false if it is not an http or https URL, has no host, or has characters that must be encoded.
bool sn_transfer_set_url(SNTransfer *transfer, const char *url, size_t length);
/// Returns false if it is not a token, as for names of header fields; values must not contain a line break or a NUL.
bool sn_transfer_set_method(SNTransfer *transfer, const char *method, size_t length);
bool sn_transfer_add_header(
    SNTransfer *transfer, const char *name, size_t name_length, const char *value, size_t value_length);
void sn_transfer_set_timeouts(SNTransfer *transfer, int64_t attempt_ns, int64_t idle_ns, long connect_ms);
void sn_transfer_report_progress(SNTransfer *transfer);
/// Offers the engine's client certificate to the server; otherwise there is none.
void sn_transfer_offer_certificate(SNTransfer *transfer);
/// Connects to the server itself, although the engine has a proxy.
void sn_transfer_bypass_proxy(SNTransfer *transfer);
/// Connects to a unix domain socket in place of the host, without a proxy; after the URL. False if memory ran out.
bool sn_transfer_use_socket(SNTransfer *transfer, const char *path);
/// Connects to given addresses of the host, "host:port:address,address", without a proxy; after the URL. There may be two
/// such lines, for two spellings of the host. False if memory ran out.
bool sn_transfer_use_addresses(SNTransfer *transfer, const char *line);
/// Takes a redirect for what its head says, even if its content is broken or too long, or never ends; the content is
/// discarded.
void sn_transfer_follow_redirects(SNTransfer *transfer);
/// Lets libcurl send a request again when a kept connection breaks before any response.
void sn_transfer_allow_repeats(SNTransfer *transfer);

bool sn_transfer_send_copy(SNTransfer *transfer, const void *_Nullable bytes, size_t count);
/// Sends bytes that `keeper` keeps, until `release_keeper` releases it. False if memory ran out.
bool sn_transfer_send_borrowed(SNTransfer *transfer, const void *bytes, size_t count, void *keeper);
bool sn_transfer_send_file(SNTransfer *transfer, const char *path);
/// Requests content from `source` through `pull` and `rewind`; it comes by `sn_transfer_supply`. `release_source`
/// releases it. False if memory ran out.
bool sn_transfer_send_stream(SNTransfer *transfer, int64_t length, void *source);

/// Lets trailer fields follow the content of the stream; before submission.
void sn_transfer_send_trailers(SNTransfer *transfer);
/// Adds a line, such as `Name: value`, before the end of the content is supplied; false if memory ran out.
bool sn_transfer_add_trailer(SNTransfer *transfer, uint32_t generation, const char *line);
/// Returns the source of a stream, which the transfer keeps; null for other content.
void *_Nullable sn_transfer_source(SNTransfer *transfer);

void sn_transfer_receive_in_memory(SNTransfer *transfer, int64_t limit);
void sn_transfer_receive_in_stream(SNTransfer *transfer, size_t high_water);

/// Submits the transfer to the loop; false if memory ran out, or libcurl refuses an option.
bool sn_transfer_submit(SNTransfer *transfer);
/// Keeps `continuation` to resume at the next event; false, without keeping it, if there is an event already.
bool sn_transfer_wait(SNTransfer *transfer, void *continuation);
uint32_t sn_transfer_take_events(SNTransfer *transfer);
void sn_transfer_cancel(SNTransfer *transfer);

/// Holds back what is sent of a file or a stream, or lets it go on. While it is held back, the transfer isn't idle.
void sn_transfer_suspend(SNTransfer *transfer, bool is_suspended);
/// Supplies upload content: a `count` below zero is an error, zero the end. Ignored if `generation` is outdated.
void sn_transfer_supply(SNTransfer *transfer, uint32_t generation, const void *_Nullable bytes, long count);
uint32_t sn_transfer_generation(SNTransfer *transfer);

const SNResult *sn_transfer_result(SNTransfer *transfer);
/// The header fields, from `SN_EVENT_HEAD` on.
SNFieldList sn_transfer_headers(SNTransfer *transfer);
/// The trailer fields, from `SN_EVENT_DONE` on.
SNFieldList sn_transfer_trailers(SNTransfer *transfer);
int sn_transfer_status(SNTransfer *transfer);
/// Returns the newest progress, and takes the event that tells of it.
SNProgress sn_transfer_take_progress(SNTransfer *transfer);
/// Returns how often libcurl has sent the request again since the last call.
int sn_transfer_take_resends(SNTransfer *transfer);
/// Returns the next interim response, which the caller frees; those with 100 and 101 are not kept.
SNInterim *_Nullable sn_transfer_take_interim(SNTransfer *transfer);
int sn_interim_status(SNInterim *interim);
SNFieldList sn_interim_headers(SNInterim *interim);
void sn_interim_free(SNInterim *interim);

size_t sn_transfer_body_count(SNTransfer *transfer);
/// Returns the content in memory, which the transfer keeps.
const void *_Nullable sn_transfer_body(SNTransfer *transfer);
/// Returns the content in memory, which the caller frees; the transfer has none afterwards.
void *_Nullable sn_transfer_take_body(SNTransfer *transfer);
/// Returns a piece of what a stream has received, decoded, which the caller frees; null if there is none now.
///
/// An empty piece is a pause in work that takes long. What was taken lets the server continue.
void *_Nullable sn_transfer_take_chunk(SNTransfer *transfer, size_t *count);
/// Decodes some of the content in memory; false if nothing is left to do now.
bool sn_transfer_decode(SNTransfer *transfer);
/// Whether decoding takes so long that threads of its own have to do it.
bool sn_transfer_takes_long(const SNTransfer *transfer);
/// Whether it has been decoding for so long that other transfers have to go on first.
bool sn_transfer_has_to_rest(const SNTransfer *transfer);
/// Begins the next slice of decoding, and returns in how many nanoseconds: more than 0 if it decodes to nothing.
int64_t sn_transfer_rest(SNTransfer *transfer);
/// Ends the content, at `SN_EVENT_DONE`: the result then says whether all of it could be decoded.
void sn_transfer_end_content(SNTransfer *transfer);

#pragma clang assume_nonnull end

#endif
#endif
