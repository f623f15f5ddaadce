#define _GNU_SOURCE
#include "heads.h"
#include <dlfcn.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CURLOPT_TIMEOUT_MS = 155, CURLOPT_ABSTRACT_UNIX_SOCKET = 10264 };

_Atomic size_t piece;

// Stands for the C library's, so that libcurl sees a head in pieces whatever the kernel has gathered.
ssize_t recv(int socket, void *bytes, size_t count, int flags) {
    size_t most = piece;
    return syscall(SYS_recvfrom, socket, bytes, most && most < count ? most : count, flags, NULL, NULL);
}

static void find_server(CURL *easy) {
    char name[64];
    snprintf(name, sizeof name, "%s-%d", server_name, (int)getpid());
    sn_library()->easy_setopt(easy, CURLOPT_ABSTRACT_UNIX_SOCKET, name);
}

// MARK: Plain use of libcurl

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

// As the engine sets a handle up, but for the guard.
static CURL *make_handle(void) {
    const SNLibrary *curl = sn_library();
    CURL *easy = curl->easy_init();
    find_server(easy);
    curl->easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl->easy_setopt(easy, CURLOPT_TIMEOUT_MS, 20000L);
    curl->easy_setopt(easy, CURLOPT_PROXY, "");
    curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
    curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, ignore);
    return easy;
}

Outcome request_unguarded(void) {
    const SNLibrary *curl = sn_library();
    static CURL *easy;
    static int (*perform)(CURL *);
    if (!easy) easy = make_handle();
    if (!perform) *(void **)&perform = dlsym(dlopen("libcurl.so.4", RTLD_LAZY), "curl_easy_perform");
    Outcome outcome = {0};
    curl->easy_setopt(easy, CURLOPT_URL, "http://heads/sound");
    if (perform(easy) != CURLE_OK) abort();
    curl->easy_setopt(easy, CURLOPT_URL, "http://heads/head");
    outcome.code = perform(easy);
    long status = 0;
    curl->easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    outcome.status = (int)status;
    return outcome;
}

// MARK: The engine

static void resume(void *continuation) { sem_post(continuation); }
static void disregard(void *object) { (void)object; }
static void refuse(void *job, void *context) { (void)job, (void)context, abort(); }

static SNEngine *make_engine(void) {
    SNEngineOptions options = {
        .connections_per_host = 1, .connections_per_prompt_host = 1, .connections_in_total = 4,
        .max_header_bytes = 1 << 20, .proxy = "", .resume = resume, .pull = disregard, .rewind = disregard,
        .release_source = disregard, .release_keeper = disregard, .run = refuse, .call_help = disregard,
    };
    return sn_engine_create(&options);
}

// The engine releases a transfer after it has reported the end.
static void wait_for_pool(SNEngine *engine) {
    for (size_t count = 0; !count; sched_yield()) {
        pthread_mutex_lock(&engine->lock);
        count = engine->pool_count;
        pthread_mutex_unlock(&engine->lock);
    }
}

// Returns the handle that it used in `handle`.
static Outcome send_and_wait(SNEngine *engine, const char *url, CURL **handle) {
    SNTransfer *transfer = sn_transfer_create(engine);
    *handle = transfer->handle.easy;
    find_server(transfer->handle.easy);
    sn_transfer_set_url(transfer, url, strlen(url));
    sn_transfer_set_method(transfer, "GET", 3);
    sn_transfer_set_timeouts(transfer, 20000000000, INT64_MAX, 20000);
    sn_transfer_receive_in_memory(transfer, 1 << 20);
    sem_t event;
    sem_init(&event, 0, 0);
    if (!sn_transfer_submit(transfer)) abort();
    for (uint32_t events = 0; !(events & SN_EVENT_DONE); events = sn_transfer_take_events(transfer)) {
        if (sn_transfer_wait(transfer, &event)) sem_wait(&event);
    }
    const SNResult *result = sn_transfer_result(transfer);
    Outcome outcome = {.code = result->code, .failure = (int)result->failure, .status = result->status};
    sn_transfer_release(transfer);
    wait_for_pool(engine);
    sem_destroy(&event);
    return outcome;
}

Outcome request_guarded(void) {
    static SNEngine *engine;
    if (!engine) engine = make_engine();
    CURL *first, *second;
    Outcome sound = send_and_wait(engine, "http://heads/sound", &first);
    if (sound.code || sound.failure || sound.status != 200) abort();
    Outcome outcome = send_and_wait(engine, "http://heads/head", &second);
    // The pool has one handle: without its second use, nothing would be tested.
    if (second != first) abort();
    return outcome;
}
