#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static bool reserve(SNTurn *turn, int socket) {
    size_t needed = (size_t)socket + 1;
    if (needed <= turn->socket_capacity) return true;
    size_t capacity = sn_larger(turn->socket_capacity, needed, sizeof *turn->sockets);
    SNSocket *sockets = realloc(turn->sockets, capacity * sizeof *sockets);
    if (!sockets) return false;
    memset(sockets + turn->socket_capacity, 0, (capacity - turn->socket_capacity) * sizeof *sockets);
    turn->sockets = sockets;
    turn->socket_capacity = capacity;
    return true;
}

// What this engine waits for on a connection between requests of HTTP/2.
enum { WAIT_FOR_END = 8 };

static void tell_kernel(SNTurn *turn, int socket, uint8_t interest) {
    SNSocket *entry = &turn->sockets[socket];
    struct epoll_event event = {.data.fd = socket};
    if (interest & CURL_POLL_IN) event.events |= EPOLLIN;
    if (interest & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (interest & WAIT_FOR_END) event.events |= EPOLLRDHUP;
    int operation = !interest ? EPOLL_CTL_DEL : entry->registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    entry->registered = interest;
    if (epoll_ctl(turn->engine->poll, operation, socket, &event) == 0 || !interest) return;
    // Where the kernel has no memory for it, the transfer ends at its timeout.
    if (errno == ENOENT) epoll_ctl(turn->engine->poll, EPOLL_CTL_ADD, socket, &event);
    else if (errno == EEXIST) epoll_ctl(turn->engine->poll, EPOLL_CTL_MOD, socket, &event);
}

// A transfer is named by one socket at most, so that none is named after its end.
static void name(SNTurn *turn, int socket, SNTransfer *transfer) {
    if (transfer) sn_sockets_leave(turn, transfer);
    turn->sockets[socket].transfer = transfer;
    if (!transfer) return;
    turn->sockets[socket].last = transfer;
    transfer->exchange.socket = socket;
}

static SNSocket *entry_of(SNTurn *turn, int socket) {
    return socket < 0 || (size_t)socket >= turn->socket_capacity ? NULL : &turn->sockets[socket];
}

// The socket that names the transfer, if any.
static SNSocket *socket_of(SNTurn *turn, const SNTransfer *transfer) {
    SNSocket *entry = entry_of(turn, transfer->exchange.socket);
    return entry && entry->transfer == transfer ? entry : NULL;
}

bool sn_sockets_has(SNTurn *turn, const SNTransfer *transfer) { return socket_of(turn, transfer) != NULL; }

void sn_sockets_leave(SNTurn *turn, SNTransfer *transfer) {
    SNSocket *entry = socket_of(turn, transfer);
    if (entry) entry->transfer = NULL;
    transfer->exchange.socket = -1;
}

// Only a socket that this engine closes may stay registered: of others it would not learn that they are closed.
static int note_interest(CURL *easy, int socket, int wanted, void *context, void *unused) {
    (void)unused;
    SNTurn *turn = context;
    // An error would end all transfers.
    if (!reserve(turn, socket)) return 0;
    SNSocket *entry = &turn->sockets[socket];
    entry->wanted = wanted & CURL_POLL_REMOVE ? 0 : (uint8_t)wanted;
    if (entry->wanted) entry->is_idle = entry->is_resting = false;
    SNTransfer *transfer = NULL;
    turn->curl->easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    // The last of several that shared it.
    if (!entry->wanted && transfer && transfer->exchange.socket < 0) transfer->exchange.socket = socket;
    if (!entry->wanted) transfer = NULL;
    // One that lingers has ended: its host may be gone before its lookup is.
    if (transfer && transfer->exchange.is_lingering) transfer = NULL;
    name(turn, socket, transfer);
    if (transfer) transfer->exchange.has_socket = true;
    // Between requests, interest in a kept connection lasts: it spares two calls of the kernel for each request, and
    // tells what comes unasked.
    bool is_enough = !(entry->wanted & ~entry->registered) && !(entry->registered & ~entry->wanted & CURL_POLL_OUT);
    if (entry->registered != entry->wanted && !(entry->is_ours && is_enough)) {
        tell_kernel(turn, socket, entry->wanted);
    }
    return 0;
}

static int schedule(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    SNTurn *turn = context;
    if (milliseconds > 0) turn->curl_due = sn_now() + (int64_t)milliseconds * 1000000;
    else turn->curl_due = milliseconds < 0 ? INT64_MAX : 0;
    return 0;
}

bool sn_sockets_open(SNEngine *engine) {
    engine->poll = epoll_create1(EPOLL_CLOEXEC);
    engine->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    engine->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (engine->poll < 0 || engine->bell < 0 || engine->alarm < 0) return false;
    // Edge-triggered, so that they need not be read.
    struct epoll_event bell = {.events = EPOLLIN | EPOLLET, .data.fd = engine->bell};
    struct epoll_event alarm = {.events = EPOLLIN | EPOLLET, .data.fd = engine->alarm};
    if (epoll_ctl(engine->poll, EPOLL_CTL_ADD, engine->bell, &bell) != 0) return false;
    if (epoll_ctl(engine->poll, EPOLL_CTL_ADD, engine->alarm, &alarm) != 0) return false;
    return true;
}

void sn_sockets_close(SNEngine *engine) {
    const int files[] = {engine->poll, engine->bell, engine->alarm};
    // Zero is a file, too, in a process that has closed its standard input.
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] >= 0) close(files[i]);
    }
}

void sn_sockets_set_up(SNTurn *turn) {
    turn->curl->multi_setopt(turn->multi, CURLMOPT_SOCKETFUNCTION, note_interest);
    turn->curl->multi_setopt(turn->multi, CURLMOPT_SOCKETDATA, turn);
    turn->curl->multi_setopt(turn->multi, CURLMOPT_TIMERFUNCTION, schedule);
    turn->curl->multi_setopt(turn->multi, CURLMOPT_TIMERDATA, turn);
}

bool sn_sockets_add(SNTurn *turn, int socket) {
    if (!reserve(turn, socket)) return false;
    // A socket that never connected is closed without a word to this engine.
    if (turn->sockets[socket].is_ours) sn_files_count_closed(turn);
    turn->sockets[socket] = (SNSocket){.is_ours = true};
    return true;
}

// Closing it would remove it from the kernel's list only if no forked process has it, too.
void sn_sockets_forget(SNTurn *turn, int socket) {
    SNSocket *entry = entry_of(turn, socket);
    if (!entry) return;
    if (entry->registered) tell_kernel(turn, socket, 0);
    *entry = (SNSocket){0};
}

void sn_sockets_ring(SNEngine *engine) {
    uint64_t one = 1;
    // A write fails only if the counter is full, that is, rung already.
    if (write(engine->bell, &one, sizeof one) < 0) return;
}

// An alarm that rings too early is set again; usually it is early enough, and costs no call.
void sn_sockets_arm(SNTurn *turn, int64_t due) {
    if (due >= turn->armed) return;
    turn->armed = due;
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)(due / 1000000000), .tv_nsec = (long)(due % 1000000000)}};
    // Zero would stop it.
    if (due <= 0) time.it_value.tv_nsec = 1;
    timerfd_settime(turn->engine->alarm, TFD_TIMER_ABSTIME, &time, NULL);
}

int sn_sockets_wait(SNEngine *engine, struct epoll_event *events, bool blocks) {
    int count = epoll_wait(engine->poll, events, SN_EVENTS, blocks ? -1 : 0);
    return count < 0 ? 0 : count;
}

// One call of libcurl.
static int act(SNTurn *turn, int socket, int ready) {
    int running = 0;
    sn_tls_records_begin(turn);
    turn->curl->multi_socket_action(turn->multi, socket, ready, &running);
    sn_tls_records_end();
    return running;
}

void sn_sockets_identify(SNTurn *turn, const SNTransfer *transfer) {
    SNSocket *entry = socket_of(turn, transfer);
    if (entry) entry->connection = transfer->exchange.connection;
}

bool sn_sockets_look(SNTurn *turn, uint64_t connection) {
    size_t socket = 0;
    while (socket < turn->socket_capacity && turn->sockets[socket].connection != connection) socket++;
    // Nothing is known of it.
    if (!connection || socket == turn->socket_capacity) return true;
    // A call reads for one of the transfers, which ends if the connection is broken.
    for (int before = INT_MAX, now; (now = act(turn, (int)socket, CURL_CSELECT_IN)) < before;) before = now;
    return turn->sockets[socket].connection == connection;
}

void sn_sockets_rest(SNTurn *turn, const SNTransfer *transfer, bool multiplexes) {
    SNSocket *entry = entry_of(turn, transfer->exchange.socket);
    if (multiplexes) {
        bool is_it = entry && entry->connection && entry->connection == transfer->exchange.connection;
        if (is_it) entry->is_resting = entry->is_ours && !entry->wanted && !transfer->exchange.host->active;
        return;
    }
    // A paused transfer that came after this one has no interest in it either.
    if (entry && entry->last == transfer) entry->is_idle = entry->is_ours && !entry->wanted && !entry->transfer;
}

// Has libcurl find a connection closed.
static void give_up(int socket) {
    char bytes[4096];
    shutdown(socket, SHUT_RDWR);
    // With bytes to read, it would pass for a live one.
    for (int left = 64; left && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0;) left--;
}

// What comes unasked is no response to the next request (RFC 9112 §9.2). Older versions of libcurl take it for one, and
// all of them close a connection that has ended.
static void refuse_unasked(int socket) {
    char byte;
    // Another thread may have read what the event was for.
    if (recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) give_up(socket);
}

// Over HTTP/2, libcurl takes a connection for a live one whose TLS has ended, and loses the next request there.
static void notice_end(SNTurn *turn, int socket) {
    struct pollfd end = {.fd = socket, .events = POLLRDHUP};
    bool has_ended = poll(&end, 1, 0) > 0;
    if (has_ended) give_up(socket);
    // What else comes is for libcurl to read before the next request.
    tell_kernel(turn, socket, has_ended ? 0 : WAIT_FOR_END);
}

static void take(SNTurn *turn, int socket, uint32_t events) {
    SNSocket *entry = entry_of(turn, socket);
    if (!entry) return;
    SNTransfer *transfer = entry->transfer;
    bool is_paused = false;
    if (transfer && !transfer->exchange.host->multiplexes) {
        is_paused = transfer->exchange.is_held || sn_transfer_is_receive_paused(transfer);
    }
    // libcurl 8.5.0 would read on a paused stream.
    if (!entry->wanted || (is_paused && !(events & EPOLLOUT))) {
        if (entry->is_idle) refuse_unasked(socket);
        if (entry->is_resting) notice_end(turn, socket);
        else if (entry->registered) tell_kernel(turn, socket, 0);
        return;
    }
    int ready = 0;
    if (events & (EPOLLIN | EPOLLHUP)) ready |= CURL_CSELECT_IN;
    if (events & EPOLLOUT) ready |= CURL_CSELECT_OUT;
    if (events & EPOLLERR) ready |= CURL_CSELECT_ERR;
    act(turn, socket, ready);
}

void sn_sockets_take(SNTurn *turn, const struct epoll_event *events, int count) {
    for (int i = 0; i < count; i++) {
        int file = events[i].data.fd;
        if (file == turn->engine->alarm) turn->armed = INT64_MAX;
        else if (file != turn->engine->bell) take(turn, file, events[i].events);
    }
}

// Takes up again what `take` left.
void sn_sockets_resume(SNTurn *turn, SNTransfer *transfer) {
    SNSocket *entry = socket_of(turn, transfer);
    if (entry && entry->wanted & ~entry->registered) tell_kernel(turn, transfer->exchange.socket, entry->wanted);
}

void sn_sockets_run_timers(SNTurn *turn) {
    if (turn->curl_due > turn->now) return;
    turn->curl_due = INT64_MAX;
    act(turn, CURL_SOCKET_TIMEOUT, 0);
}

#endif
