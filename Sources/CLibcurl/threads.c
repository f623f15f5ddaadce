#ifdef __linux__

#define _GNU_SOURCE
#include "turn.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The engine's threads take turns as poller: it waits for events, and then runs the jobs that they made ready, so that
// a response needs no other thread. Jobs are user code and may block. A watcher replaces the poller when a job takes
// too long; the former poller becomes the watcher when the job has ended.

// How often the watcher looks, and how many times in vain before it sleeps.
#define WATCH_NS 500000L
enum { WATCHES = 10, MOST_THREADS = 64 };
// The jobs between two turns: tasks that yield would otherwise keep the sockets waiting forever.
enum { JOBS_AT_ONCE = 64 };

static __thread SNEngine *this_engine;
static __thread uint64_t shift;
static __thread bool runs_alone;

bool sn_threads_has_this(const SNEngine *engine) { return this_engine == engine; }
bool sn_thread_runs_alone(void) { return runs_alone; }

static bool append(SNJobs *jobs, void *job) {
    if (jobs->first + jobs->count == jobs->capacity) {
        if (jobs->first > jobs->capacity / 2) {
            memmove(jobs->items, jobs->items + jobs->first, jobs->count * sizeof *jobs->items);
            jobs->first = 0;
        } else {
            size_t capacity = sn_larger(jobs->capacity, jobs->capacity + 1, sizeof *jobs->items);
            void **items = realloc(jobs->items, capacity * sizeof *items);
            if (!items) return false;
            jobs->items = items;
            jobs->capacity = capacity;
        }
    }
    jobs->items[jobs->first + jobs->count++] = job;
    return true;
}

static void *next(SNJobs *jobs) {
    void *job = jobs->items[jobs->first++];
    if (!--jobs->count) jobs->first = 0;
    return job;
}

bool sn_engine_push(SNEngine *engine, void *job) {
    if (this_engine != engine || sn_engine_is_forked(engine)) return false;
    pthread_mutex_lock(&engine->lock);
    // A poller that was replaced will not run it.
    bool is_kept = engine->shift == shift && !engine->has_ended && append(&engine->jobs, job);
    pthread_mutex_unlock(&engine->lock);
    return is_kept;
}

static void run(SNEngine *engine, void *job) { engine->options.run(job, engine->options.context); }

// MARK: Helpers

// Called with the lock, which it gives up meanwhile.
static void call_helper(SNEngine *engine) {
    engine->helpers++;
    pthread_mutex_unlock(&engine->lock);
    sn_engine_retain(engine);
    engine->options.call_help(engine);
    pthread_mutex_lock(&engine->lock);
}

// All but one of several jobs run elsewhere, so that all cores decode.
static void share_jobs(SNEngine *engine) {
    static atomic_long cores;
    if (!cores) cores = sysconf(_SC_NPROCESSORS_ONLN);
    while ((long)engine->jobs.count > 1 + engine->helpers && engine->helpers < cores - 1) call_helper(engine);
}

void sn_engine_help(SNEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    while (engine->jobs.count) {
        void *job = next(&engine->jobs);
        pthread_mutex_unlock(&engine->lock);
        run(engine, job);
        pthread_mutex_lock(&engine->lock);
    }
    engine->helpers--;
    pthread_mutex_unlock(&engine->lock);
    sn_engine_drop(engine);
}

// MARK: The poller

// These threads handle no signals, above all no SIGPIPE from a TLS library's write. Signals that a thread causes itself
// would end the process without a handler's report, and a profiler asks each thread.
static void mask_signals(sigset_t *previous) {
    const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) sigdelset(&all, open[i]);
    pthread_sigmask(SIG_SETMASK, &all, previous);
}

bool sn_threads_start_one(SNEngine *engine, void *(*body)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t previous;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    mask_signals(&previous);
    sn_engine_retain(engine);
    bool has_started = pthread_create(&thread, &attributes, body, engine) == 0;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    pthread_attr_destroy(&attributes);
    if (has_started) pthread_setname_np(thread, "sn-curl");
    else sn_engine_drop(engine);
    return has_started;
}

static void *watch(void *engine);

// Makes sure that a watcher looks; called with the lock. Without one, a job that blocks would stop the engine.
static bool is_watched(SNEngine *engine) {
    if (!engine->has_watcher) {
        if (engine->threads >= MOST_THREADS || !sn_threads_start_one(engine, watch)) return false;
        engine->threads++;
        engine->has_watcher = engine->is_watching = true;
    }
    if (!engine->is_watching) {
        engine->is_watching = true;
        pthread_cond_signal(&engine->watch);
    }
    return true;
}

// Runs what the turn has made ready; false when this thread was replaced meanwhile. `remain` tells whether some jobs are
// left for after the next turn.
static bool run_jobs(SNEngine *engine, bool is_alone, bool *remain) {
    *remain = false;
    pthread_mutex_lock(&engine->lock);
    if (engine->jobs.count && !is_watched(engine)) {
        call_helper(engine);
        pthread_mutex_unlock(&engine->lock);
        return true;
    }
    for (int count = 0; engine->shift == shift && engine->jobs.count; count++) {
        if (count == JOBS_AT_ONCE) {
            *remain = true;
            break;
        }
        share_jobs(engine);
        if (!engine->jobs.count) break;
        void *job = next(&engine->jobs);
        engine->runs++;
        engine->is_running = true;
        runs_alone = is_alone && !engine->jobs.count && !engine->helpers;
        pthread_mutex_unlock(&engine->lock);
        run(engine, job);
        runs_alone = false;
        pthread_mutex_lock(&engine->lock);
        if (engine->shift == shift) engine->is_running = false;
    }
    bool is_poller = engine->shift == shift;
    pthread_mutex_unlock(&engine->lock);
    return is_poller;
}

static void end(SNEngine *engine) {
    sn_engine_refuse_commands(engine);
    sn_file_threads_end(engine);
    sn_turn_close(engine);
    pthread_mutex_lock(&engine->lock);
    pthread_cond_signal(&engine->watch);
    pthread_mutex_unlock(&engine->lock);
}

// Polls until the end, or until another thread does; true at the end.
static bool poll_events(SNEngine *engine) {
    struct epoll_event events[SN_EVENTS];
    for (int count = 0;;) {
        SNTurn *turn = sn_turn_begin(engine);
        bool goes_on = sn_turn_run(turn, events, count);
        bool is_alone = turn->running < SN_FEW;
        sn_turn_end(turn);
        bool remain;
        if (!run_jobs(engine, is_alone, &remain)) return false;
        if (!goes_on && !remain) {
            end(engine);
            return true;
        }
        pthread_mutex_lock(&engine->lock);
        bool waits = !engine->submitted && !engine->commanded && !remain;
        engine->is_polling = waits;
        pthread_mutex_unlock(&engine->lock);
        count = waits || remain ? sn_sockets_wait(engine, events, waits) : 0;
    }
}

// MARK: The watcher

static void pause_watching(SNEngine *engine) {
    struct timespec time = {.tv_nsec = WATCH_NS};
    pthread_mutex_unlock(&engine->lock);
    nanosleep(&time, NULL);
    pthread_mutex_lock(&engine->lock);
}

// Waits until the poller has been running one job for too long, and takes its place; false at the end.
static bool take_over(SNEngine *engine) {
    pthread_mutex_lock(&engine->lock);
    while (!engine->has_ended) {
        for (int left = WATCHES; left && !engine->has_ended; left--) {
            uint64_t runs = engine->runs;
            bool was_running = engine->is_running;
            pause_watching(engine);
            if (engine->runs != runs) left = WATCHES;
            else if (was_running && engine->is_running) {
                shift = ++engine->shift;
                engine->is_running = engine->has_watcher = false;
                pthread_mutex_unlock(&engine->lock);
                return true;
            }
        }
        engine->is_watching = false;
        while (!engine->is_watching && !engine->has_ended) pthread_cond_wait(&engine->watch, &engine->lock);
    }
    pthread_mutex_unlock(&engine->lock);
    return false;
}

// MARK: Threads

// Watches and polls in turn, until there is another watcher.
static void serve(SNEngine *engine, bool polls) {
    this_engine = engine;
    while (polls || take_over(engine)) {
        polls = false;
        if (poll_events(engine)) break;
        pthread_mutex_lock(&engine->lock);
        bool is_needed = !engine->has_watcher && !engine->has_ended;
        if (is_needed) engine->has_watcher = engine->is_watching = true;
        pthread_mutex_unlock(&engine->lock);
        if (!is_needed) break;
    }
    this_engine = NULL;
    pthread_mutex_lock(&engine->lock);
    engine->threads--;
    pthread_mutex_unlock(&engine->lock);
    sn_engine_drop(engine);
}

static void *poll_first(void *engine) {
    serve(engine, true);
    return NULL;
}

static void *watch(void *engine) {
    serve(engine, false);
    return NULL;
}

bool sn_threads_start(SNEngine *engine) {
    engine->threads = 1;
    return sn_threads_start_one(engine, poll_first);
}

#endif
