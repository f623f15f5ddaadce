#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// Here, since Swift has another type for the resource's name in each C library.
long sn_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return 0;
    return limit.rlim_cur > LONG_MAX ? LONG_MAX : (long)limit.rlim_cur;
}

static bool is_shortage(int error) { return error == EMFILE || error == ENFILE; }

// Whether libcurl reaches the proxy of an http URL over TLS.
static bool has_secure_proxy(const SNEngine *engine) {
    static const char *const names[] = {"http_proxy", "all_proxy", "ALL_PROXY"};
    const char *proxy = engine->options.proxy;
    for (size_t i = 0; i < sizeof names / sizeof *names && !proxy; i++) proxy = getenv(names[i]);
    return proxy && strncasecmp(proxy, "https:", 6) == 0;
}

// Before any byte of TLS: its writes may raise SIGPIPE in every later turn, see `take_turn`.
static void note_secure(SNTransfer *transfer) {
    SNEngine *engine = transfer->engine;
    if (!transfer->is_secure && !has_secure_proxy(engine)) return;
    pthread_mutex_lock(&engine->lock);
    engine->has_secure = true;
    pthread_mutex_unlock(&engine->lock);
}

// libcurl does not report why it has no socket.
int sn_files_open_socket(void *context, int purpose, struct curl_sockaddr *address) {
    (void)purpose;
    SNTransfer *transfer = context;
    if (transfer->is_lingering) return -1;
    note_secure(transfer);
    sn_tunnels_begin(transfer);
    transfer->has_opened = transfer->is_socket_plain = true;
    int file = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (file < 0) {
        if (is_shortage(errno)) transfer->shortage = errno;
        return file;
    }
    transfer->engine->open++;
    if (sn_sockets_add(transfer->engine, file)) return file;
    sn_files_close_socket(transfer->engine, file);
    return -1;
}

void sn_files_count_closed(SNEngine *engine) {
    engine->open--;
    atomic_fetch_add_explicit(&engine->closed, 1, memory_order_relaxed);
}

int sn_files_close_socket(void *context, int file) {
    SNEngine *engine = context;
    sn_sockets_forget(engine, file);
    sn_files_count_closed(engine);
    return close(file);
}

static SNFailure fail(SNTransfer *transfer, int error) {
    if (is_shortage(error)) transfer->shortage = error;
    transfer->system_error = error;
    return is_shortage(error) ? SN_FAILURE_SHORTAGE : SN_FAILURE_SOURCE;
}

// Takes over what a thread for files has found out about the file that a transfer sends.
SNFailure sn_files_take_opened(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    int error = transfer->source_error;
    int64_t size = transfer->file_size;
    pthread_mutex_unlock(&transfer->lock);
    if (error) return fail(transfer, error);
    // It may be another file than the one that `stat` saw.
    transfer->upload_count = size;
    transfer->engine->curl->easy_setopt(transfer->easy, CURLOPT_INFILESIZE_LARGE, transfer->upload_count);
    return SN_FAILURE_NONE;
}

// A thread that still uses the file closes it afterwards.
void sn_files_close(SNTransfer *transfer) {
    if (transfer->body != SN_BODY_FILE) return;
    pthread_mutex_lock(&transfer->lock);
    int file = transfer->file_jobs ? -1 : transfer->upload_file;
    if (file >= 0) transfer->upload_file = -1;
    transfer->has_left_file = true;
    bool begins_leaving = transfer->file_jobs && !transfer->is_leaving;
    if (begins_leaving) {
        transfer->is_leaving = true;
        atomic_fetch_add(&transfer->engine->leaving, 1);
    }
    pthread_mutex_unlock(&transfer->lock);
    if (file < 0) return;
    close(file);
    atomic_fetch_add(&transfer->engine->closed, 1);
}

// libcurl closes an idle connection when it needs another one and has as many as it may have.
void sn_files_allow(SNEngine *engine, long connections) {
    long most = engine->options.connections_in_total;
    engine->allowed = connections < most ? connections : most;
    engine->relax_due = engine->allowed < most ? engine->now + SN_SHORTAGE_NS : INT64_MAX;
    // Zero would mean no limit.
    long limit = engine->allowed > 1 ? engine->allowed : 1;
    engine->curl->multi_setopt(engine->multi, CURLMOPT_MAXCONNECTS, limit);
    engine->curl->multi_setopt(engine->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limit);
}

void sn_files_relax(SNEngine *engine) {
    if (engine->now < engine->relax_due) return;
    long least = engine->allowed > engine->counted ? engine->allowed : engine->counted;
    sn_files_allow(engine, least + least / 8 + 1);
}

// Lets a transfer that lacks a file wait until an idle connection is closed or another transfer has ended; false if
// there is neither, nothing was closed since it began, and no thread is about to close a file.
bool sn_files_postpone(SNEngine *engine, SNTransfer *transfer) {
    bool is_active = transfer->state == SN_STATE_ACTIVE;
    if (!transfer->shortage || (is_active && transfer->result.code != CURLE_COULDNT_CONNECT)) return false;
    // It began on a kept connection before it needed another one.
    if (transfer->result.is_unanswered && is_active && !transfer->is_repeatable) return false;
    // As when others that lacked a file, too, have just closed theirs, or a thread is about to.
    bool will_be_closed = atomic_load(&engine->leaving) > 0;
    bool was_closed = will_be_closed || engine->closed != transfer->closed;
    sn_files_close(transfer);
    long others = (long)engine->running - atomic_load_explicit(&engine->waiting, memory_order_relaxed) - 1;
    // Closing one may help, unless it did not the last time.
    bool may_close = is_active && engine->open && (!transfer->sockets || engine->open < transfer->sockets);
    if (!others && !may_close && !was_closed) {
        transfer->failure = SN_FAILURE_SHORTAGE;
        transfer->system_error = transfer->shortage;
        return false;
    }
    transfer->state = SN_STATE_WAITING;
    transfer->sockets = may_close ? engine->open : 0;
    transfer->shortage = transfer->system_error = 0;
    transfer->error[0] = 0;
    sn_hosts_postpone(engine, transfer);
    // Leaves a few files to the rest of this process.
    long allowed = may_close ? engine->open - engine->open / 8 : engine->counted;
    sn_files_allow(engine, allowed < engine->allowed ? allowed : engine->allowed);
    return true;
}

#endif
