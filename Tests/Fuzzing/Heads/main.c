// Compares the engine's guard of a response's head with what libcurl does without it, see README.md.
#define _GNU_SOURCE
#include "heads.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum { UNGUARDED, GUARDED } Stage;

// What outlives a child, which AddressSanitizer ends.
typedef struct {
    uint64_t number, whole, bytewise, touched, refused, sound;
    bool is_split, was_touched, is_finding;
    Stage stage;
    Outcome unguarded;
} Shared;

static Shared *shared;
static Head head;
static uint64_t seed = 1, limit = 200000;
static double seconds = 1e9;

// Symbols would take longer than all else.
const char *__asan_default_options(void) { return "detect_leaks=0:symbolize=0"; }

// Called before a report is written, which nobody needs of the unguarded handle.
void __asan_on_error(void) {
    if (shared->stage == UNGUARDED) _exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void report(const char *words, Outcome guarded) {
    printf(
        "finding: %s: --seed %llu --only %llu %s; unguarded %d, status %d; guarded %d, failure %d, status %d\n", words,
        (unsigned long long)seed, (unsigned long long)shared->number, shared->is_split ? "split" : "whole",
        shared->unguarded.code, shared->unguarded.status, guarded.code, guarded.failure, guarded.status);
    fflush(stdout);
    shared->is_finding = true;
}

static void compare(Outcome guarded) {
    bool was_refused = guarded.failure || guarded.code;
    bool is_fine = !shared->was_touched && shared->unguarded.code == CURLE_OK && is_sound(&head);
    if (shared->was_touched && !was_refused) report("libcurl touches freed memory, and the guard lets it", guarded);
    if (guarded.failure == SN_FAILURE_FOLD && !shared->was_touched && !begins_with_fold(&head)) {
        report("refused as folded, and it is not", guarded);
    }
    if (is_fine && was_refused) report("a sound head is refused", guarded);
    if (!was_refused && guarded.status != shared->unguarded.status) report("another status", guarded);
    if (!shared->is_split) shared->whole++;
    else if (head.piece == 1) shared->bytewise++;
    shared->touched += shared->was_touched;
    shared->refused += guarded.failure == SN_FAILURE_FOLD;
    shared->sound += is_fine;
}

static void run_child(double end) {
    start_server(&head);
    for (; shared->number < limit && !shared->is_finding && now() < end; shared->number++) {
        generate(&head, seed, shared->number);
        for (;; shared->is_split = true) {
            piece = shared->is_split ? head.piece : 0;
            if (shared->stage == UNGUARDED) {
                shared->was_touched = false;
                shared->unguarded = request_unguarded();
                shared->stage = GUARDED;
            }
            compare(request_guarded());
            shared->stage = UNGUARDED;
            if (shared->is_split) break;
        }
        shared->is_split = false;
    }
    _exit(0);
}

static void read_arguments(int count, char **arguments) {
    for (int i = 1; i + 1 < count; i += 2) {
        const char *value = arguments[i + 1];
        if (strcmp(arguments[i], "--seed") == 0) seed = strtoull(value, NULL, 10);
        if (strcmp(arguments[i], "--count") == 0) limit = strtoull(value, NULL, 10);
        if (strcmp(arguments[i], "--seconds") == 0) seconds = strtod(value, NULL);
        if (strcmp(arguments[i], "--only") == 0) {
            shared->number = strtoull(value, NULL, 10);
            limit = shared->number + 1;
        }
    }
}

// The last of it.
static void print_file(int file) {
    char bytes[4096];
    off_t end = lseek(file, 0, SEEK_END);
    lseek(file, end > (off_t)sizeof bytes ? end - (off_t)sizeof bytes : 0, SEEK_SET);
    ssize_t count = read(file, bytes, sizeof bytes);
    if (count > 0) fwrite(bytes, 1, (size_t)count, stdout);
}

int main(int count, char **arguments) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !sn_library()) return 2;
    read_arguments(count, arguments);
    double end = now() + seconds;
    int reports = memfd_create("reports", 0);
    while (shared->number < limit && !shared->is_finding && now() < end) {
        int status = 0;
        if (ftruncate(reports, 0) != 0) return 2;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            lseek(reports, 0, SEEK_SET);
            dup2(reports, STDERR_FILENO);
            run_child(end);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0) return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        if (shared->stage == GUARDED) {
            report("the guarded handle ends the process", (Outcome){0});
            print_file(reports);
        }
        shared->was_touched = true;
        shared->unguarded = (Outcome){.code = -1};
        shared->stage = GUARDED;
    }
    printf(
        "libcurl %s: compared %llu heads whole and %llu byte by byte; freed memory touched without the guard %llu "
        "times, refused as folded %llu, sound %llu\n",
        sn_library_version(), (unsigned long long)shared->whole, (unsigned long long)shared->bytewise,
        (unsigned long long)shared->touched, (unsigned long long)shared->refused, (unsigned long long)shared->sound);
    return shared->is_finding;
}
