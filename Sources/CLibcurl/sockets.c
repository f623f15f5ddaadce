#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static bool reserve(SNEngine *engine, int socket) {
    size_t needed = (size_t)socket + 1;
    if (needed <= engine->socket_capacity) return true;
    size_t capacity = sn_larger(engine->socket_capacity, needed, sizeof *engine->sockets);
    SNSocket *sockets = realloc(engine->sockets, capacity * sizeof *sockets);
    if (!sockets) return false;
    memset(sockets + engine->socket_capacity, 0, (capacity - engine->socket_capacity) * sizeof *sockets);
    engine->sockets = sockets;
    engine->socket_capacity = capacity;
    return true;
}

static void tell_kernel(SNEngine *engine, int socket, uint8_t interest) {
    SNSocket *entry = &engine->sockets[socket];
    struct epoll_event event = {.data.fd = socket};
    if (interest & CURL_POLL_IN) event.events |= EPOLLIN;
    if (interest & CURL_POLL_OUT) event.events |= EPOLLOUT;
    int operation = !interest ? EPOLL_CTL_DEL : entry->registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    entry->registered = interest;
    if (epoll_ctl(engine->poll, operation, socket, &event) == 0 || !interest) return;
    // Where the kernel has no memory for it, the transfer ends at its timeout.
    if (errno == ENOENT) epoll_ctl(engine->poll, EPOLL_CTL_ADD, socket, &event);
    else if (errno == EEXIST) epoll_ctl(engine->poll, EPOLL_CTL_MOD, socket, &event);
}

// A transfer is named by one socket at most, so that none is named after its end.
static void name(SNEngine *engine, int socket, SNTransfer *transfer) {
    if (transfer) sn_sockets_leave(engine, transfer);
    engine->sockets[socket].transfer = transfer;
    if (!transfer) return;
    engine->sockets[socket].last = transfer;
    transfer->socket = socket;
}

static SNSocket *entry_of(SNEngine *engine, int socket) {
    return socket < 0 || (size_t)socket >= engine->socket_capacity ? NULL : &engine->sockets[socket];
}

// The socket that names the transfer, if any.
static SNSocket *socket_of(SNEngine *engine, const SNTransfer *transfer) {
    SNSocket *entry = entry_of(engine, transfer->socket);
    return entry && entry->transfer == transfer ? entry : NULL;
}

void sn_sockets_leave(SNEngine *engine, SNTransfer *transfer) {
    SNSocket *entry = socket_of(engine, transfer);
    if (entry) entry->transfer = NULL;
    transfer->socket = -1;
}

// Only a socket that this engine closes may stay registered: of others it would not learn that they are closed.
static int watch(CURL *easy, int socket, int wanted, void *context, void *unused) {
    (void)unused;
    SNEngine *engine = context;
    // An error would end all transfers.
    if (!reserve(engine, socket)) return 0;
    SNSocket *entry = &engine->sockets[socket];
    entry->wanted = wanted & CURL_POLL_REMOVE ? 0 : (uint8_t)wanted;
    if (entry->wanted) entry->is_idle = false;
    SNTransfer *transfer = NULL;
    if (entry->wanted) engine->curl->easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    name(engine, socket, transfer);
    if (transfer) transfer->has_socket = true;
    // Between requests, interest in a kept connection lasts: it spares two calls of the kernel for each request, and
    // tells what comes unasked.
    bool is_enough = !(entry->wanted & ~entry->registered) && !(entry->registered & ~entry->wanted & CURL_POLL_OUT);
    if (entry->registered != entry->wanted && !(entry->is_ours && is_enough)) {
        tell_kernel(engine, socket, entry->wanted);
    }
    return 0;
}

static int schedule(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    SNEngine *engine = context;
    if (milliseconds > 0) engine->curl_due = sn_clocks_now() + (int64_t)milliseconds * 1000000;
    else engine->curl_due = milliseconds < 0 ? INT64_MAX : 0;
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
    engine->curl->multi_setopt(engine->multi, CURLMOPT_SOCKETFUNCTION, watch);
    engine->curl->multi_setopt(engine->multi, CURLMOPT_SOCKETDATA, engine);
    engine->curl->multi_setopt(engine->multi, CURLMOPT_TIMERFUNCTION, schedule);
    engine->curl->multi_setopt(engine->multi, CURLMOPT_TIMERDATA, engine);
    return true;
}

void sn_sockets_close(SNEngine *engine) {
    const int files[] = {engine->poll, engine->bell, engine->alarm};
    // Zero where none was opened.
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] > 0) close(files[i]);
    }
    free(engine->sockets);
}

bool sn_sockets_add(SNEngine *engine, int socket) {
    if (!reserve(engine, socket)) return false;
    // A socket that never connected is closed without a word to this engine.
    if (engine->sockets[socket].is_ours) sn_files_count_closed(engine);
    engine->sockets[socket] = (SNSocket){.is_ours = true};
    return true;
}

// Closing it would remove it from the kernel's list only if no forked process has it, too.
void sn_sockets_forget(SNEngine *engine, int socket) {
    SNSocket *entry = entry_of(engine, socket);
    if (!entry) return;
    if (entry->registered) tell_kernel(engine, socket, 0);
    *entry = (SNSocket){0};
}

void sn_sockets_ring(SNEngine *engine) {
    uint64_t one = 1;
    // A write fails only if the counter is full, that is, rung already.
    if (write(engine->bell, &one, sizeof one) < 0) return;
}

// An alarm that rings too early is set again; usually it is early enough, and costs no call.
void sn_sockets_arm(SNEngine *engine, int64_t due) {
    if (due >= engine->armed) return;
    engine->armed = due;
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)(due / 1000000000), .tv_nsec = (long)(due % 1000000000)}};
    // Zero would stop it.
    if (due <= 0) time.it_value.tv_nsec = 1;
    timerfd_settime(engine->alarm, TFD_TIMER_ABSTIME, &time, NULL);
}

int sn_sockets_wait(SNEngine *engine, struct epoll_event *events) {
    int count = epoll_wait(engine->poll, events, SN_EVENTS, -1);
    return count < 0 ? 0 : count;
}

void sn_sockets_rest(SNEngine *engine, const SNTransfer *transfer) {
    SNSocket *entry = entry_of(engine, transfer->socket);
    // A paused transfer that came after this one has no interest in it either.
    if (entry && entry->last == transfer) entry->is_idle = entry->is_ours && !entry->wanted && !entry->transfer;
}

// What comes unasked is no response to the next request (RFC 9112 §9.2). Older versions of libcurl take it for one, and
// all of them close a connection that has ended.
static void refuse_unasked(int socket) {
    char bytes[4096];
    // Another thread may have read what the event was for.
    if (recv(socket, bytes, 1, MSG_PEEK | MSG_DONTWAIT) < 0) return;
    shutdown(socket, SHUT_RDWR);
    // With bytes to read, it would pass for a live one.
    for (int left = 64; left && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0;) left--;
}

static void take(SNEngine *engine, int socket, uint32_t events) {
    SNSocket *entry = entry_of(engine, socket);
    if (!entry) return;
    SNTransfer *transfer = entry->transfer;
    bool is_paused = false;
    if (transfer && !transfer->host->multiplexes) {
        is_paused = transfer->is_held || sn_transfer_is_receive_paused(transfer);
    }
    // libcurl 8.5.0 would read on a paused stream.
    if (!entry->wanted || (is_paused && !(events & EPOLLOUT))) {
        if (entry->is_idle) refuse_unasked(socket);
        if (entry->registered) tell_kernel(engine, socket, 0);
        return;
    }
    int ready = 0, running = 0;
    if (events & (EPOLLIN | EPOLLHUP)) ready |= CURL_CSELECT_IN;
    if (events & EPOLLOUT) ready |= CURL_CSELECT_OUT;
    if (events & EPOLLERR) ready |= CURL_CSELECT_ERR;
    engine->curl->multi_socket_action(engine->multi, socket, ready, &running);
}

void sn_sockets_take(SNEngine *engine, const struct epoll_event *events, int count) {
    for (int i = 0; i < count; i++) {
        int file = events[i].data.fd;
        if (file == engine->alarm) engine->armed = INT64_MAX;
        else if (file != engine->bell) take(engine, file, events[i].events);
    }
}

// Takes up again what `take` left.
void sn_sockets_resume(SNEngine *engine, SNTransfer *transfer) {
    SNSocket *entry = socket_of(engine, transfer);
    if (entry && entry->wanted & ~entry->registered) tell_kernel(engine, transfer->socket, entry->wanted);
}

void sn_sockets_run_timers(SNEngine *engine) {
    if (engine->curl_due > engine->now) return;
    int running = 0;
    engine->curl_due = INT64_MAX;
    engine->curl->multi_socket_action(engine->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

#endif
