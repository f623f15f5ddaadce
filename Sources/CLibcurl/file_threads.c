#ifdef __linux__

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Opening and reading a file blocks for as long as its file system likes, so that threads of their own do it. There are
// as many as there are files that block, up to a limit; one without work ends soon.

enum { PIECE_BYTES = 262144, MOST_THREADS = 64, IDLE_SECONDS = 1 };

struct SNFileJob {
    SNFileJob *next;
    SNTransfer *transfer;
    uint32_t generation;
    bool opens;
};

void sn_file_threads_init(SNEngine *engine) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&engine->file_threads.lock, NULL);
    pthread_cond_init(&engine->file_threads.bell, &attributes);
    pthread_condattr_destroy(&attributes);
}

void sn_file_threads_destroy(SNEngine *engine) {
    pthread_mutex_destroy(&engine->file_threads.lock);
    pthread_cond_destroy(&engine->file_threads.bell);
}

void sn_file_threads_end(SNEngine *engine) {
    pthread_mutex_lock(&engine->file_threads.lock);
    engine->file_threads.is_over = true;
    pthread_cond_broadcast(&engine->file_threads.bell);
    pthread_mutex_unlock(&engine->file_threads.lock);
}

// MARK: The work

static int open_file(const char *path, int64_t *size, int *error) {
    struct stat info;
    // Without O_NONBLOCK a pipe would wait for a writer.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_known = file >= 0 && fstat(file, &info) == 0;
    *error = !is_known ? errno : S_ISREG(info.st_mode) ? 0 : EINVAL;
    *size = is_known ? info.st_size : 0;
    return file;
}

static void perform_open(SNTransfer *transfer) {
    SNMailbox *mailbox = &transfer->mailbox;
    int64_t size;
    int error;
    int file = open_file(transfer->request.text.bytes + transfer->request.body.in_text, &size, &error);
    pthread_mutex_lock(&transfer->lock);
    // One that an earlier start of the transfer has left to a thread that still reads it.
    int other = mailbox->file;
    mailbox->file = file;
    mailbox->file_size = size;
    mailbox->source_error = error;
    pthread_mutex_unlock(&transfer->lock);
    if (other >= 0) close(other);
}

// The next piece of a file; below zero, an error.
static ssize_t read_piece(int file, int64_t offset, int64_t size, SNBuffer *buffer) {
    size_t count = size - offset > PIECE_BYTES ? PIECE_BYTES : size > offset ? (size_t)(size - offset) : 0;
    ssize_t result = -1;
    errno = ENOMEM;
    if (!sn_buffer_reserve(buffer, count)) return result;
    do result = pread(file, buffer->bytes, count, offset);
    while (result < 0 && errno == EINTR);
    return result;
}

static void perform_read(SNTransfer *transfer, uint32_t generation, SNBuffer *buffer) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    int file = mailbox->source_error ? -1 : mailbox->file;
    int64_t offset = mailbox->file_offset, size = mailbox->file_size;
    pthread_mutex_unlock(&transfer->lock);
    if (file < 0) return;
    ssize_t count = read_piece(file, offset, size, buffer);
    int error = count < 0 ? errno : 0;
    pthread_mutex_lock(&transfer->lock);
    if (generation == mailbox->generation) {
        mailbox->source_error = error;
        mailbox->file_offset = offset + (count > 0 ? count : 0);
    }
    pthread_mutex_unlock(&transfer->lock);
    sn_transfer_supply_buffer(transfer, generation, buffer, count);
}

// Closes the file if the transfer has ended meanwhile.
static void leave(SNTransfer *transfer) {
    SNMailbox *mailbox = &transfer->mailbox;
    pthread_mutex_lock(&transfer->lock);
    mailbox->file_jobs--;
    bool is_last = !mailbox->file_jobs;
    int file = is_last && mailbox->has_left_file ? mailbox->file : -1;
    if (file >= 0) mailbox->file = -1;
    bool was_leaving = is_last && mailbox->is_leaving;
    if (was_leaving) mailbox->is_leaving = false;
    pthread_mutex_unlock(&transfer->lock);
    if (file >= 0) {
        close(file);
        atomic_fetch_add(&transfer->engine->closed, 1);
    }
    if (was_leaving) atomic_fetch_sub(&transfer->engine->leaving, 1);
}

static void perform(SNFileJob *job, SNBuffer *buffer) {
    SNTransfer *transfer = job->transfer;
    if (job->opens) perform_open(transfer);
    perform_read(transfer, job->generation, buffer);
    leave(transfer);
    if (job->opens) sn_engine_command(transfer->engine, transfer, SN_COMMAND_OPENED);
    sn_transfer_release(transfer);
    free(job);
}

// MARK: The threads

// Called with the lock; null when the thread is to end.
static SNFileJob *wait_for_job(SNFileThreads *threads) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += IDLE_SECONDS;
    threads->idle++;
    int error = 0;
    while (!threads->first && !threads->is_over && !error) {
        error = pthread_cond_timedwait(&threads->bell, &threads->lock, &end);
    }
    threads->idle--;
    SNFileJob *job = threads->first;
    if (!job) return NULL;
    threads->first = job->next;
    if (!threads->first) threads->last = NULL;
    threads->jobs--;
    return job;
}

static void *serve(void *context) {
    SNEngine *engine = context;
    SNFileThreads *threads = &engine->file_threads;
    SNBuffer buffer = {0};
    pthread_mutex_lock(&threads->lock);
    for (SNFileJob *job; (job = wait_for_job(threads));) {
        pthread_mutex_unlock(&threads->lock);
        perform(job, &buffer);
        pthread_mutex_lock(&threads->lock);
    }
    threads->threads--;
    pthread_mutex_unlock(&threads->lock);
    free(buffer.bytes);
    sn_engine_drop(engine);
    return NULL;
}

// Without any thread, nothing is left to do, and false is returned.
static bool append(SNEngine *engine, SNFileJob *job) {
    SNFileThreads *threads = &engine->file_threads;
    pthread_mutex_lock(&threads->lock);
    bool is_wanting = threads->jobs + 1 > threads->idle && threads->threads < MOST_THREADS;
    if (is_wanting && sn_threads_start_one(engine, serve)) threads->threads++;
    bool has_thread = threads->threads > 0;
    if (has_thread) {
        if (threads->last) threads->last->next = job;
        else threads->first = job;
        threads->last = job;
        threads->jobs++;
        pthread_cond_signal(&threads->bell);
    }
    pthread_mutex_unlock(&threads->lock);
    return has_thread;
}

static bool push(SNTransfer *transfer, bool opens) {
    SNFileJob *job = malloc(sizeof *job);
    if (!job) return false;
    pthread_mutex_lock(&transfer->lock);
    transfer->mailbox.file_jobs++;
    *job = (SNFileJob){.transfer = transfer, .generation = transfer->mailbox.generation, .opens = opens};
    pthread_mutex_unlock(&transfer->lock);
    sn_transfer_retain(transfer);
    if (append(transfer->engine, job)) return true;
    free(job);
    leave(transfer);
    sn_transfer_release(transfer);
    return false;
}

bool sn_file_threads_open(SNTransfer *transfer) {
    sn_send_restart(transfer, 0);
    pthread_mutex_lock(&transfer->lock);
    transfer->mailbox.source_error = 0;
    transfer->mailbox.has_left_file = false;
    pthread_mutex_unlock(&transfer->lock);
    return push(transfer, true);
}

void sn_file_threads_read(SNTransfer *transfer) {
    if (!push(transfer, false)) sn_transfer_supply(transfer, sn_transfer_generation(transfer), NULL, -1);
}

#endif
