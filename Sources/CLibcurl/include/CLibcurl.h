/// The event loop of `CurlTransport`: libcurl's multi interface on one thread, found at run time.
///
/// Swift fills a transfer, submits it, and waits for events; all of libcurl is called from here.
#ifndef SN_CLIBCURL_H
#define SN_CLIBCURL_H

#ifdef __linux__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct SNEngine SNEngine;
typedef struct SNTransfer SNTransfer;

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
    const char *_Nullable no_proxy;
    const char *_Nullable proxy_credentials;
    /// Called on the loop thread; must be cheap.
    void (*resume)(void *continuation);
    void (*pull)(void *source);
    void (*rewind)(void *source);
    void (*drop)(void *owner);
} SNEngineOptions;

enum {
    SN_EVENT_DONE = 1,
    SN_EVENT_HEAD = 2,
    SN_EVENT_CONTENT = 4,
    SN_EVENT_PROGRESS = 8,
    SN_EVENT_CANCELLED = 16,
    SN_EVENT_RESENT = 32
};

/// What ended a transfer before libcurl's own codes have a say.
typedef enum {
    SN_FAILURE_NONE,
    SN_FAILURE_HEADER_LIMIT,
    SN_FAILURE_HEADER_CUT,
    SN_FAILURE_TOO_LARGE,
    SN_FAILURE_FILE,
    SN_FAILURE_SOURCE,
    SN_FAILURE_SHORTAGE,
    SN_FAILURE_ATTEMPT,
    SN_FAILURE_IDLE,
    /// The content is in a coding that this libcurl refuses unless it is told beforehand to leave all as they are.
    SN_FAILURE_CODING,
    SN_FAILURE_MEMORY,
    SN_FAILURE_REPEAT
} SNFailure;

typedef struct {
    SNFailure failure;
    int code;
    int system_error;
    int status;
    int http_version;
    bool is_reused;
    /// Some of the request was sent, and nothing of a response came. Unknown before libcurl 7.80.
    bool is_unanswered;
    int64_t name_lookup, connect, secure_connect, first_byte, total;
    int64_t sent, received;
    char address[64];
    char detail[256];
} SNResult;

/// Parts of the block of header fields, as offsets into `sn_transfer_head`.
typedef struct {
    uint32_t name, name_length, value, value_length;
    bool is_ascii;
} SNField;

typedef struct {
    int64_t sent, to_send, received, to_receive;
} SNProgress;

/// Null where libcurl is missing or older than 7.68.
const char *_Nullable sn_library_version(void);

/// False for versions, such as 0x075801, in which using a handle again is not safe.
bool sn_library_keeps_handles(uint32_t version);

SNEngine *_Nullable sn_engine_create(const SNEngineOptions *options);
/// Lets what runs finish, then ends the thread and frees everything. Returns at once.
void sn_engine_release(SNEngine *engine);
/// How many transfers wait for a connection.
long sn_engine_waiting(SNEngine *engine);

SNTransfer *_Nullable sn_transfer_create(SNEngine *engine);
SNTransfer *sn_transfer_retain(SNTransfer *transfer);
void sn_transfer_release(SNTransfer *transfer);

/// False for what is no http or https address, has no host, or has characters that must be encoded.
bool sn_transfer_set_url(SNTransfer *transfer, const char *url, size_t length);
/// False for what is no token, here and for names of header fields; values may not hold a line break or a NUL.
bool sn_transfer_set_method(SNTransfer *transfer, const char *method, size_t length);
bool sn_transfer_add_header(
    SNTransfer *transfer, const char *name, size_t name_length, const char *value, size_t value_length);
void sn_transfer_set_timeouts(SNTransfer *transfer, int64_t attempt_ns, int64_t idle_ns, long connect_ms);
void sn_transfer_report_progress(SNTransfer *transfer);
/// Leaves content as it is, whatever its coding, and asks for none.
void sn_transfer_keep_encoded(SNTransfer *transfer);
/// Lets libcurl send again what was sent already, when a kept connection breaks before any response.
void sn_transfer_allow_repeats(SNTransfer *transfer);

bool sn_transfer_send_copy(SNTransfer *transfer, const void *_Nullable bytes, size_t count);
/// `owner` keeps the bytes; it is given to `drop` when they are no longer needed.
void sn_transfer_send_borrowed(SNTransfer *transfer, const void *bytes, size_t count, void *owner);
bool sn_transfer_send_file(SNTransfer *transfer, const char *path);
/// `source` is asked through `pull` and `rewind`, answers with `sn_transfer_supply`, and is given to `drop`.
void sn_transfer_send_stream(SNTransfer *transfer, int64_t length, void *source);

void sn_transfer_receive_in_memory(SNTransfer *transfer, int64_t limit);
bool sn_transfer_receive_in_file(SNTransfer *transfer, const char *path, bool appends_partial);
void sn_transfer_receive_in_stream(SNTransfer *transfer, size_t high_water);

/// Hands the transfer to the loop. False if memory ran out.
bool sn_transfer_submit(SNTransfer *transfer);
/// Keeps `continuation` to be resumed at the next event; false, and nothing kept, if there is an event already.
bool sn_transfer_wait(SNTransfer *transfer, void *continuation);
uint32_t sn_transfer_take_events(SNTransfer *transfer);
void sn_transfer_cancel(SNTransfer *transfer);

/// Gives upload content: `count` below zero for an error, zero for the end. Ignored if `generation` has passed.
void sn_transfer_supply(SNTransfer *transfer, uint32_t generation, const void *_Nullable bytes, long count);
uint32_t sn_transfer_generation(SNTransfer *transfer);

const SNResult *sn_transfer_result(SNTransfer *transfer);
const uint8_t *_Nullable sn_transfer_head(SNTransfer *transfer);
const SNField *_Nullable sn_transfer_fields(SNTransfer *transfer, size_t *count);
int sn_transfer_status(SNTransfer *transfer);
SNProgress sn_transfer_progress(SNTransfer *transfer);
/// How often libcurl has sent the request again.
int sn_transfer_resends(SNTransfer *transfer);

size_t sn_transfer_body_count(SNTransfer *transfer);
/// The content in memory; stays the transfer's.
const void *_Nullable sn_transfer_body(SNTransfer *transfer);
/// The content in memory, to be freed by the caller; the transfer has none afterwards.
void *_Nullable sn_transfer_take_body(SNTransfer *transfer);
/// What a stream has received since the last call, to be freed by the caller; lets the server go on.
void *_Nullable sn_transfer_take_chunk(SNTransfer *transfer, size_t *count);

#pragma clang assume_nonnull end

#endif
#endif
