// What the files of this fuzzer share.
#ifndef HEADS_H
#define HEADS_H

#include "engine.h"

// generate.c: the bytes of a response, the same for each pair of a seed and a number.
enum { MOST_BYTES = 1 << 18 };

typedef struct {
    char bytes[MOST_BYTES];
    size_t count;
    // How many bytes libcurl reads at a time when the head is split: one, but for most of the long heads.
    size_t piece;
} Head;

void generate(Head *head, uint64_t seed, uint64_t number);

// judge.c: a second opinion, which shares no code with the engine.
// Whether the lines of the head, and of its trailer, are what RFC 9112 allows; folded fields are.
bool is_sound(const Head *head);
// Whether the first line behind some status line, or of the trailer, continues another one.
bool begins_with_fold(const Head *head);

// server.c: answers in this process, over a local socket.
extern const char server_name[];
void start_server(const Head *head);

// clients.c: each requests a sound response first, and then the head, with one handle.
typedef struct {
    int code, failure, status;
} Outcome;

// How many bytes `recv` returns at most; 0 for any number.
extern _Atomic size_t piece;
Outcome request_unguarded(void);
Outcome request_guarded(void);

#endif
