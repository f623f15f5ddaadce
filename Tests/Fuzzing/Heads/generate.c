#define _GNU_SOURCE
#include "heads.h"

static uint64_t state;

// SplitMix64.
static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static size_t below(size_t limit) { return (size_t)(next() % limit); }
static bool one_in(size_t count) { return below(count) == 0; }

static void put(Head *head, const char *bytes, size_t count) {
    if (head->count + count > sizeof head->bytes) return;
    memcpy(head->bytes + head->count, bytes, count);
    head->count += count;
}

static void put_text(Head *head, const char *text) { put(head, text, strlen(text)); }

#define PICK(list) list[below(sizeof list / sizeof *list)]

static void end_line(Head *head) {
    static const char *const ends[] = {"\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r\r\n"};
    put_text(head, one_in(4) ? PICK(ends) : "\r\n");
}

// Makes a line longer than the pieces in which libcurl passes content on, and puts a mark near the seam.
static void put_length(Head *head, size_t start) {
    static const char *const marks[] = {":", " ", "\t", ": ", " :", "\r", " a: b"};
    size_t pieces = 1 + below(3), target = start + pieces * 16384 + below(5) - 2;
    static char filler[1 << 16];
    memset(filler, 'a', sizeof filler);
    if (target > head->count) put(head, filler, target - head->count);
    put_text(head, PICK(marks));
    put(head, filler, below(40));
}

static void put_status_line(Head *head, bool is_interim, bool is_long) {
    static const char *const finals[] = {
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.0 200 a:b", "http/1.1 200 a:b", "HtTP/1.1 200 OK",
        "HTTP/x 200 OK", "HTTP/2 200", "HTTP/1.1  200 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 200OK", "HTTP/1.1\t200 OK",
        "HTTP 200 OK", " HTTP/1.1 200 OK", "HTTP/1.1 404 Not: Found", "HTTP/1.1 204 None", "HTTP/3 200", "HTTP/x 204 a",
        "HTTP/1.1 500", "HTTP/1.1 +20 OK", "HTTP/1.1 1000 OK", "HTTP/2 1000 OK", "http/1.1 404 a:b", "HTTP/",
    };
    static const char *const interims[] = {
        "HTTP/1.1 100 Continue", "HTTP/1.1 103 Early: Hints", "HTTP/1.1 100", "http/1.1 100 a:b", "HTTP/2 100",
        "HTTP/1.1 1000 OK", "HTTP/1.1 101 Switching",
    };
    size_t start = head->count;
    if (is_interim) put_text(head, one_in(3) ? PICK(interims) : "HTTP/1.1 103 Early Hints");
    else put_text(head, one_in(2) ? PICK(finals) : "HTTP/1.1 200 OK");
    if (is_long) put_length(head, start);
    end_line(head);
}

static void put_line(Head *head, bool is_long) {
    static const char *const folds[] = {
        " X-Fold: y", "\tX-Fold: y", " ", "\t", " no colon", "  a:", " :", " HTTP/1.1 200",
    };
    static const char *const fields[] = {
        "A: b", "A: b", "A:", "A:b", ": b", "A : b", "A\t: b", "no colon", "HTTP/1.1 200 x: y", "HTTP/1.1 200 OK", "\rX: y",
        "a\rb: c", "A: b\rc", "http/1.1: a", "A B: c", ":", "Connection: close", "Content-Length : 2",
        "X: \"\r\"",
    };
    size_t start = head->count;
    put_text(head, one_in(5) ? PICK(folds) : PICK(fields));
    if (one_in(60)) put(head, "\0", 1);
    if (is_long) put_length(head, start);
    end_line(head);
}

static void put_lines(Head *head, bool is_long) {
    static const size_t counts[] = {0, 1, 1, 2, 3, 5};
    for (size_t left = PICK(counts); left; left--) put_line(head, is_long && one_in(2));
}

// Changes a byte before the content.
static void mutate(Head *head) {
    static const char bytes[] = " \t\r\n:\0aHT/";
    size_t place = below(head->count < 200 ? head->count : 200);
    size_t rest = head->count - place - 1;
    switch (below(3)) {
    case 0: head->bytes[place] = bytes[below(sizeof bytes - 1)]; break;
    case 1:
        memmove(head->bytes + place, head->bytes + place + 1, rest);
        head->count--;
        break;
    default:
        if (head->count == sizeof head->bytes) break;
        memmove(head->bytes + place + 1, head->bytes + place, rest + 1);
        head->bytes[place] = bytes[below(sizeof bytes - 1)];
        head->count++;
    }
}

void generate(Head *head, uint64_t seed, uint64_t number) {
    state = seed ^ (number * 0xD1342543DE82EF95u);
    head->count = 0;
    bool is_long = one_in(64);
    head->piece = is_long && !one_in(32) ? 1 + below(2000) : 1;
    for (size_t left = one_in(3) ? 1 + below(2) : 0; left; left--) {
        put_status_line(head, true, is_long && one_in(3));
        put_lines(head, is_long && one_in(3));
        end_line(head);
    }
    put_status_line(head, false, is_long && one_in(2));
    bool is_chunked = one_in(4), is_first = one_in(3);
    const char *frame = is_chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 2\r\n";
    if (is_first) put_text(head, frame);
    put_lines(head, is_long);
    if (!is_first) put_text(head, frame);
    put_text(head, "\r\n");
    if (one_in(3)) mutate(head);
    put_text(head, is_chunked ? "2\r\nok\r\n0\r\n" : "ok");
    if (is_chunked) put_lines(head, is_long && one_in(2));
    if (is_chunked) put_text(head, "\r\n");
}
