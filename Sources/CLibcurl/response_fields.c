#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

// Which fields of a response are refused, and what the others say of its content.

// For each of these, some versions of libcurl measure all of the value that came before.
enum { MOST_FOLDS = 1000 };

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool sn_is_token(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char byte = bytes[i];
        bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
        if (!is_letter && !is_digit(byte) && (byte == 0 || !strchr("!#$%&'*+-.^_`|~", byte))) return false;
    }
    return count > 0;
}

// libcurl takes much else for a status line, and reads another status from it.
int sn_fields_status(const char *line, size_t count) {
    if (count < 10 || memcmp(line, "HTTP/", 5) != 0 || !is_digit(line[5])) return 0;
    size_t place = 6;
    if (line[place] == '.' && is_digit(line[place + 1])) place += 2;
    if (line[place++] != ' ' || count < place + 3) return 0;
    bool is_longer = count > place + 3 && line[place + 3] != ' ';
    int status = 0;
    for (size_t i = place; i < place + 3; i++) {
        if (!is_digit(line[i])) return 0;
        status = status * 10 + (line[i] - '0');
    }
    bool has_stray_byte = memchr(line, '\r', count) || memchr(line, 0, count);
    return is_longer || status < 100 || has_stray_byte ? 0 : status;
}

size_t sn_fields_trim(const char *line, size_t count) {
    if (count && line[count - 1] == '\n') count--;
    if (count && line[count - 1] == '\r') count--;
    return count;
}

// Of these, libcurl reads the first line alone: it would end the content elsewhere, or pass sizes of chunks for content.
static bool frames_content(SNText name) {
    return sn_text_is(name, "Transfer-Encoding") || sn_text_is(name, "Content-Length");
}

// A folded line (RFC 9112 §5.2) continues the previous value, which ends where the text does.
static SNFailure continue_field(SNFields *fields, const char *line, size_t count) {
    // Such a message may be refused (RFC 9112 §2.2).
    if (fields->count == 0) return SN_FAILURE_FOLD;
    if (++fields->folds > MOST_FOLDS) return SN_FAILURE_HEADER_LIMIT;
    if (frames_content(sn_fields_name(fields, fields->count - 1))) return SN_FAILURE_FIELD;
    SNField *last = &fields->items[fields->count - 1];
    while (count && is_blank(*line)) line++, count--;
    while (count && is_blank(line[count - 1])) count--;
    if (!count) return SN_FAILURE_NONE;
    size_t blanks = last->value_length ? 1 : 0;
    last->value_length += (uint32_t)(blanks + count);
    bool is_kept = sn_buffer_append(&fields->text, " ", blanks) && sn_buffer_append(&fields->text, line, count);
    return is_kept ? SN_FAILURE_NONE : SN_FAILURE_MEMORY;
}

static bool make_room(SNFields *fields) {
    if (fields->count < fields->capacity) return true;
    size_t capacity = sn_larger(fields->capacity, fields->count + 1, sizeof *fields->items);
    SNField *items = realloc(fields->items, capacity * sizeof *items);
    if (!items) return false;
    fields->items = items;
    fields->capacity = capacity;
    return true;
}

SNFailure sn_fields_add(SNFields *fields, const char *line, size_t count) {
    // Others may end the line there (RFC 9112 §2.2, RFC 9110 §5.5).
    if (memchr(line, '\r', count) || memchr(line, 0, count)) return SN_FAILURE_FIELD;
    if (is_blank(*line)) return continue_field(fields, line, count);
    const char *colon = memchr(line, ':', count);
    // With a blank before the colon, libcurl knows none of the fields that frame the content (RFC 9112 §5.1).
    if (!colon || !sn_is_token(line, (size_t)(colon - line))) return SN_FAILURE_FIELD;
    size_t name = (size_t)(colon - line), start = name + 1, end = count;
    while (start < end && is_blank(line[start])) start++;
    while (end > start && is_blank(line[end - 1])) end--;
    if (!make_room(fields)) return SN_FAILURE_MEMORY;
    SNField field = {
        .name = (uint32_t)fields->text.count,
        .name_length = (uint32_t)name,
        .value = (uint32_t)(fields->text.count + name),
        .value_length = (uint32_t)(end - start),
    };
    fields->items[fields->count++] = field;
    bool is_kept =
        sn_buffer_append(&fields->text, line, name) && sn_buffer_append(&fields->text, line + start, end - start);
    return is_kept ? SN_FAILURE_NONE : SN_FAILURE_MEMORY;
}

SNText sn_fields_name(const SNFields *fields, size_t index) {
    return (SNText){fields->text.bytes + fields->items[index].name, fields->items[index].name_length};
}

SNText sn_fields_value(const SNFields *fields, size_t index) {
    return (SNText){fields->text.bytes + fields->items[index].value, fields->items[index].value_length};
}

bool sn_text_next(SNText *list, SNText *member) {
    if (!list->count) return false;
    const char *comma = memchr(list->bytes, ',', list->count);
    *member = (SNText){list->bytes, comma ? (size_t)(comma - list->bytes) : list->count};
    size_t taken = member->count + (comma != NULL);
    *list = (SNText){list->bytes + taken, list->count - taken};
    while (member->count && is_blank(*member->bytes)) member->bytes++, member->count--;
    while (member->count && is_blank(member->bytes[member->count - 1])) member->count--;
    return true;
}

// More than this is freed between two responses.
enum { KEPT_FIELDS = 1024 };

void sn_fields_clear(SNFields *fields) {
    fields->count = fields->folds = 0;
    sn_buffer_trim(&fields->text);
    if (fields->capacity <= KEPT_FIELDS) return;
    free(fields->items);
    fields->items = NULL;
    fields->capacity = 0;
}

void sn_fields_free(SNFields *fields) {
    free(fields->text.bytes);
    free(fields->items);
}

SNFieldList sn_fields_list(const SNFields *fields) {
    return (SNFieldList){(const uint8_t *)fields->text.bytes, fields->items, fields->count};
}

SNFieldList sn_transfer_headers(SNTransfer *transfer) { return sn_fields_list(&transfer->exchange.headers); }
SNFieldList sn_transfer_trailers(SNTransfer *transfer) { return sn_fields_list(&transfer->exchange.trailers); }

#endif
