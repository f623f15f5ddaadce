// The engine: what belongs to all its transfers, and its threads.
#ifndef SN_ENGINE_H
#define SN_ENGINE_H

#include "transfer.h"
#include <sys/epoll.h>

// How long a transfer may read or decode while others wait.
#define SN_SLICE_NS ((int64_t)2000000)
// A transfer is barren that reads so many times as much as comes of it; after each slice of one, the others get so many
// slices.
enum { SN_BARREN_RATIO = 16, SN_BARREN_PAUSES = 9 };
// So much encoded content for memory may wait to be decoded.
enum { SN_ENCODED_BYTES = 1 << 20 };
// So many transfers without work are kept.
enum { SN_POOL_LIMIT = 128 };

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
} SNFileThreads;

// One thread at a time has a turn with libcurl: the poller, which waits for events, or a thread that submits a request.
// Neither waits for user code in its turn; that runs afterwards, as jobs.
struct SNEngine {
    const SNLibrary *curl;
    SNEngineOptions options;
    atomic_int references;
    int forks;
    // The poller sleeps on the first; the second wakes it at once, the third at a time.
    int poll, bell, alarm;
    // The file for the keys of TLS, or -1.
    int key_log;
    SNFileThreads file_threads;
    // How many sockets and files the engine has closed; how many transfers have left their file to a thread that will
    // close it; how many transfers wait for a connection.
    atomic_long closed, leaving, waiting;

    pthread_mutex_t lock;
    // Under the lock: what the next turn takes.
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

    // For turn.c and turn.h alone: others receive the turn that they have.
    pthread_mutex_t turn_lock;
    SNTurn *turn;
};

// engine.c
void sn_engine_submit(SNEngine *engine, SNTransfer *transfer);
void sn_engine_command(SNEngine *engine, SNTransfer *transfer, uint32_t command);
// Rejects all further commands, and drops those that no turn has seen.
void sn_engine_refuse_commands(SNEngine *engine);

// time_limits.c
int64_t sn_now(void);

// name_lookups.c
long sn_lookups_connect_ms(const SNEngine *engine, long connect_ms);

// turn.c: makes what only a turn may use; false if memory ran out.
bool sn_turn_create(SNEngine *engine);
// Ends what libcurl has.
void sn_turn_close(SNEngine *engine);
void sn_turn_free(SNEngine *engine);

// sockets.c
bool sn_sockets_open(SNEngine *engine);
void sn_sockets_close(SNEngine *engine);
// Wakes the poller.
void sn_sockets_ring(SNEngine *engine);
// Returns events, which are to be taken in a turn, and waits for them if it `blocks`.
int sn_sockets_wait(SNEngine *engine, struct epoll_event *events, bool blocks);

// key_log.c: the keys of TLS connections, for programs that decrypt what was recorded of them.
bool sn_key_log_open(SNEngine *engine);
void sn_key_log_close(SNEngine *engine);

// file_threads.c
void sn_file_threads_init(SNEngine *engine);
void sn_file_threads_destroy(SNEngine *engine);
// Lets its threads end.
void sn_file_threads_end(SNEngine *engine);

// threads.c: the threads that wait for events, and run jobs.
bool sn_threads_start(SNEngine *engine);
bool sn_threads_has_this(const SNEngine *engine);
// Starts a thread that keeps the engine.
bool sn_threads_start_one(SNEngine *engine, void *(*body)(void *));

#endif
