#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "turn.h"
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
    const char *proxy = sn_proxies_url(engine, false);
    return proxy && strncasecmp(proxy, "https:", 6) == 0;
}

// Before any byte of TLS: its writes may raise SIGPIPE in every later turn, see `take_turn`.
static void note_secure(const SNTransfer *transfer) {
    SNEngine *engine = transfer->engine;
    if (!transfer->request.is_secure && !has_secure_proxy(engine)) return;
    pthread_mutex_lock(&engine->lock);
    engine->has_secure = true;
    pthread_mutex_unlock(&engine->lock);
}

// libcurl does not report why it has no socket.
int sn_files_open_socket(void *context, int purpose, struct curl_sockaddr *address) {
    (void)purpose;
    SNTransfer *transfer = context;
    SNExchange *exchange = &transfer->exchange;
    SNTurn *turn = sn_turn_of(transfer);
    if (exchange->is_lingering) return -1;
    note_secure(transfer);
    sn_proxies_begin_tunnel(transfer);
    exchange->has_opened = exchange->is_socket_plain = true;
    int file = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (file < 0) {
        if (is_shortage(errno)) exchange->shortage = errno;
        return file;
    }
    turn->open++;
    if (sn_sockets_add(turn, file)) return file;
    sn_files_close_socket(turn, file);
    return -1;
}

void sn_files_count_closed(SNTurn *turn) {
    turn->open--;
    atomic_fetch_add_explicit(&turn->engine->closed, 1, memory_order_relaxed);
}

int sn_files_close_socket(void *context, int file) {
    SNTurn *turn = context;
    sn_sockets_forget(turn, file);
    sn_files_count_closed(turn);
    return close(file);
}

static SNFailure fail(SNTransfer *transfer, int error) {
    if (is_shortage(error)) transfer->exchange.shortage = error;
    transfer->exchange.system_error = error;
    return is_shortage(error) ? SN_FAILURE_SHORTAGE : SN_FAILURE_SOURCE;
}

// Takes over what a thread for files has found out about the file that a transfer sends.
SNFailure sn_files_take_opened(SNTurn *turn, SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    int error = transfer->mailbox.source_error;
    int64_t size = transfer->mailbox.file_size;
    pthread_mutex_unlock(&transfer->lock);
    if (error) return fail(transfer, error);
    // It may be another file than the one that `stat` saw.
    transfer->exchange.to_send = size;
    turn->curl->easy_setopt(transfer->handle.easy, CURLOPT_INFILESIZE_LARGE, transfer->exchange.to_send);
    return SN_FAILURE_NONE;
}

// A thread that still uses the file closes it afterwards.
void sn_files_close(SNTransfer *transfer) {
    SNMailbox *mailbox = &transfer->mailbox;
    if (transfer->request.body.kind != SN_BODY_FILE) return;
    pthread_mutex_lock(&transfer->lock);
    int file = mailbox->file_jobs ? -1 : mailbox->file;
    if (file >= 0) mailbox->file = -1;
    mailbox->has_left_file = true;
    bool begins_leaving = mailbox->file_jobs && !mailbox->is_leaving;
    if (begins_leaving) {
        mailbox->is_leaving = true;
        atomic_fetch_add(&transfer->engine->leaving, 1);
    }
    pthread_mutex_unlock(&transfer->lock);
    if (file < 0) return;
    close(file);
    atomic_fetch_add(&transfer->engine->closed, 1);
}

// libcurl closes an idle connection when it needs another one and has as many as it may have.
void sn_files_allow(SNTurn *turn, long connections) {
    long most = turn->engine->options.connections_in_total;
    turn->allowed = connections < most ? connections : most;
    turn->relax_due = turn->allowed < most ? turn->now + SN_SHORTAGE_NS : INT64_MAX;
    // Zero would mean no limit.
    long limit = turn->allowed > 1 ? turn->allowed : 1;
    turn->curl->multi_setopt(turn->multi, CURLMOPT_MAXCONNECTS, limit);
    turn->curl->multi_setopt(turn->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limit);
}

void sn_files_relax(SNTurn *turn) {
    if (turn->now < turn->relax_due) return;
    long least = turn->allowed > turn->counted ? turn->allowed : turn->counted;
    sn_files_allow(turn, least + least / 8 + 1);
}

// Lets a transfer that lacks a file wait, if something has changed or will: another transfer is to end, a file was or is
// about to be closed, or fewer sockets are open than at its last shortage. So it can't wait for ever.
bool sn_files_postpone(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    bool is_active = exchange->state == SN_STATE_ACTIVE;
    if (!exchange->shortage || (is_active && exchange->result.code != CURLE_COULDNT_CONNECT)) return false;
    // It began on a kept connection before it needed another one.
    if (exchange->result.is_unanswered && is_active && !exchange->may_repeat) return false;
    // As when others that lacked a file, too, have just closed theirs, or a thread is about to.
    bool will_be_closed = atomic_load(&turn->engine->leaving) > 0;
    bool was_closed = will_be_closed || turn->engine->closed != exchange->closed_before_start;
    sn_files_close(transfer);
    long others = (long)turn->running - atomic_load_explicit(&turn->engine->waiting, memory_order_relaxed) - 1;
    // Closing one may help, unless it did not the last time.
    long open_before = exchange->open_at_last_shortage;
    bool may_close = is_active && turn->open && (!open_before || turn->open < open_before);
    if (!others && !may_close && !was_closed) {
        exchange->failure = SN_FAILURE_SHORTAGE;
        exchange->system_error = exchange->shortage;
        return false;
    }
    exchange->state = SN_STATE_WAITING;
    exchange->open_at_last_shortage = may_close ? turn->open : 0;
    exchange->shortage = exchange->system_error = 0;
    if (is_active && exchange->result.is_unanswered) sn_resends_note(transfer);
    transfer->handle.error[0] = 0;
    sn_connections_postpone(turn, transfer);
    // Leaves a few files to the rest of this process.
    long allowed = may_close ? turn->open - turn->open / 8 : turn->counted;
    sn_files_allow(turn, allowed < turn->allowed ? allowed : turn->allowed);
    return true;
}

#endif
