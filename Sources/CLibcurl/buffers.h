// Bytes, texts and header fields in memory.
#ifndef SN_BUFFERS_H
#define SN_BUFFERS_H

#include "CLibcurl.h"
#include <string.h>
#include <strings.h>

typedef struct {
    char *bytes;
    size_t count, capacity;
} SNBuffer;

// Returns a capacity for at least so many items of this size, if possible twice the current one; 0 if memory can't hold
// them.
static inline size_t sn_larger(size_t capacity, size_t needed, size_t size) {
    // As much as the head of a small request takes: each request in flight has several of these.
    size_t most = PTRDIFF_MAX / size, least = 256 / size;
    if (needed > most) return 0;
    size_t doubled = capacity > most / 2 ? most : capacity * 2;
    if (doubled < least) doubled = least;
    return doubled < needed ? needed : doubled;
}

bool sn_buffer_append(SNBuffer *buffer, const void *bytes, size_t count);
bool sn_buffer_reserve(SNBuffer *buffer, size_t capacity);
// Empties it, and frees much memory.
void sn_buffer_trim(SNBuffer *buffer);

// Bytes that are a part of others.
typedef struct {
    const char *bytes;
    size_t count;
} SNText;

// Compares without regard to case; inline, so that the length of a literal is no work.
static inline bool sn_text_is(SNText text, const char *other) {
    return text.count == strlen(other) && strncasecmp(text.bytes, other, text.count) == 0;
}
static inline bool sn_is_same(const char *bytes, size_t count, const char *other) {
    return count == strlen(other) && memcmp(bytes, other, count) == 0;
}
// Whether it is one or more of the characters of a token (RFC 9110 §5.6.2).
bool sn_is_token(const char *bytes, size_t count);
// Takes the next member of a list (RFC 9110 §5.6.1), without blanks around it, which may be empty; false at the end.
bool sn_text_next(SNText *list, SNText *member);

// Header or trailer fields: names and values stand one after another in the text.
typedef struct {
    SNBuffer text;
    SNField *items;
    size_t count, capacity;
    // How many lines continue others.
    size_t folds;
} SNFields;

// Adds a line without its line break, or says why it is none of a field.
SNFailure sn_fields_add(SNFields *fields, const char *line, size_t count);
// Returns the status of "HTTP/1.1 200 OK", "HTTP/2 200", "HTTP/1.1 200" and the like; 0 if it is no such line.
int sn_fields_status(const char *line, size_t count);
// Returns the length without the line break.
size_t sn_fields_trim(const char *line, size_t count);
void sn_fields_clear(SNFields *fields);
// What the client reads of them.
SNFieldList sn_fields_list(const SNFields *fields);
void sn_fields_free(SNFields *fields);
SNText sn_fields_name(const SNFields *fields, size_t index);
SNText sn_fields_value(const SNFields *fields, size_t index);

struct SNInterim {
    SNInterim *next;
    int status;
    SNFields headers;
};

#endif
