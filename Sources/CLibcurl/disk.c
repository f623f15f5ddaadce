#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Opening and reading a file blocks for as long as its file system likes, so that threads of their own do it. There are
// as many as there are files that block, up to a limit; one without work ends soon.

enum { PIECE_BYTES = 262144, MOST_DISK_THREADS = 64, IDLE_SECONDS = 1 };

struct SNFileJob {
    SNFileJob *next;
    SNTransfer *transfer;
    uint32_t generation;
    bool opens;
};

void sn_disk_init(SNEngine *engine) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&engine->disk.lock, NULL);
    pthread_cond_init(&engine->disk.bell, &attributes);
    pthread_condattr_destroy(&attributes);
}

void sn_disk_destroy(SNEngine *engine) {
    pthread_mutex_destroy(&engine->disk.lock);
    pthread_cond_destroy(&engine->disk.bell);
}

void sn_disk_end(SNEngine *engine) {
    pthread_mutex_lock(&engine->disk.lock);
    engine->disk.is_over = true;
    pthread_cond_broadcast(&engine->disk.bell);
    pthread_mutex_unlock(&engine->disk.lock);
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
    int64_t size;
    int error;
    int file = open_file(transfer->text.bytes + transfer->upload_in_text, &size, &error);
    pthread_mutex_lock(&transfer->lock);
    // One that an earlier start of the transfer has left to a thread that still reads it.
    int other = transfer->upload_file;
    transfer->upload_file = file;
    transfer->file_size = size;
    transfer->source_error = error;
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
    pthread_mutex_lock(&transfer->lock);
    int file = transfer->source_error ? -1 : transfer->upload_file;
    int64_t offset = transfer->file_offset, size = transfer->file_size;
    pthread_mutex_unlock(&transfer->lock);
    if (file < 0) return;
    ssize_t count = read_piece(file, offset, size, buffer);
    int error = count < 0 ? errno : 0;
    pthread_mutex_lock(&transfer->lock);
    if (generation == transfer->generation) {
        transfer->source_error = error;
        transfer->file_offset = offset + (count > 0 ? count : 0);
    }
    pthread_mutex_unlock(&transfer->lock);
    sn_transfer_supply_buffer(transfer, generation, buffer, count);
}

// Closes the file if the transfer has ended meanwhile.
static void leave(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    transfer->file_jobs--;
    int file = transfer->has_left_file && !transfer->file_jobs ? transfer->upload_file : -1;
    if (file >= 0) transfer->upload_file = -1;
    pthread_mutex_unlock(&transfer->lock);
    if (file < 0) return;
    close(file);
    atomic_fetch_add_explicit(&transfer->engine->closed, 1, memory_order_relaxed);
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
static SNFileJob *wait_for_job(SNDisk *disk) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += IDLE_SECONDS;
    disk->idle++;
    int error = 0;
    while (!disk->first && !disk->is_over && !error) error = pthread_cond_timedwait(&disk->bell, &disk->lock, &end);
    disk->idle--;
    SNFileJob *job = disk->first;
    if (!job) return NULL;
    disk->first = job->next;
    if (!disk->first) disk->last = NULL;
    disk->jobs--;
    return job;
}

static void *serve(void *context) {
    SNEngine *engine = context;
    SNDisk *disk = &engine->disk;
    SNBuffer buffer = {0};
    pthread_mutex_lock(&disk->lock);
    for (SNFileJob *job; (job = wait_for_job(disk));) {
        pthread_mutex_unlock(&disk->lock);
        perform(job, &buffer);
        pthread_mutex_lock(&disk->lock);
    }
    disk->threads--;
    pthread_mutex_unlock(&disk->lock);
    free(buffer.bytes);
    sn_engine_drop(engine);
    return NULL;
}

// Without any thread, nothing is left to do, and false is returned.
static bool append(SNEngine *engine, SNFileJob *job) {
    SNDisk *disk = &engine->disk;
    pthread_mutex_lock(&disk->lock);
    bool is_wanting = disk->jobs + 1 > disk->idle && disk->threads < MOST_DISK_THREADS;
    if (is_wanting && sn_crew_start_thread(engine, serve)) disk->threads++;
    bool has_thread = disk->threads > 0;
    if (has_thread) {
        if (disk->last) disk->last->next = job;
        else disk->first = job;
        disk->last = job;
        disk->jobs++;
        pthread_cond_signal(&disk->bell);
    }
    pthread_mutex_unlock(&disk->lock);
    return has_thread;
}

static bool push(SNTransfer *transfer, bool opens) {
    SNFileJob *job = malloc(sizeof *job);
    if (!job) return false;
    pthread_mutex_lock(&transfer->lock);
    transfer->file_jobs++;
    *job = (SNFileJob){.transfer = transfer, .generation = transfer->generation, .opens = opens};
    pthread_mutex_unlock(&transfer->lock);
    sn_transfer_retain(transfer);
    if (append(transfer->engine, job)) return true;
    free(job);
    leave(transfer);
    sn_transfer_release(transfer);
    return false;
}

bool sn_disk_open(SNTransfer *transfer) {
    sn_send_restart(transfer, 0);
    pthread_mutex_lock(&transfer->lock);
    transfer->source_error = 0;
    transfer->has_left_file = false;
    pthread_mutex_unlock(&transfer->lock);
    return push(transfer, true);
}

void sn_disk_read(SNTransfer *transfer) {
    if (!push(transfer, false)) sn_transfer_supply(transfer, sn_transfer_generation(transfer), NULL, -1);
}

#endif
