#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

// A folded line (RFC 9112 §5.2) continues the previous value, which ends where the text does.
static bool continue_field(SNFields *fields, const char *line, size_t count) {
    if (fields->count == 0) return true;
    SNField *last = &fields->items[fields->count - 1];
    while (count && is_blank(*line)) line++, count--;
    while (count && is_blank(line[count - 1])) count--;
    last->value_length += count + 1;
    return sn_buffer_append(&fields->text, " ", 1) && sn_buffer_append(&fields->text, line, count);
}

static bool make_room(SNFields *fields) {
    if (fields->count < fields->capacity) return true;
    size_t capacity = fields->capacity ? fields->capacity * 2 : 32;
    SNField *items = realloc(fields->items, capacity * sizeof *items);
    if (!items) return false;
    fields->items = items;
    fields->capacity = capacity;
    return true;
}

bool sn_fields_add(SNFields *fields, const char *line, size_t count) {
    if (is_blank(*line)) return continue_field(fields, line, count);
    const char *colon = memchr(line, ':', count);
    if (!colon) return true;
    size_t name = (size_t)(colon - line), start = name + 1, end = count;
    while (name && is_blank(line[name - 1])) name--;
    while (start < end && is_blank(line[start])) start++;
    while (end > start && is_blank(line[end - 1])) end--;
    if (!make_room(fields)) return false;
    SNField field = {
        .name = (uint32_t)fields->text.count,
        .name_length = (uint32_t)name,
        .value = (uint32_t)(fields->text.count + name),
        .value_length = (uint32_t)(end - start),
    };
    fields->items[fields->count++] = field;
    return sn_buffer_append(&fields->text, line, name) && sn_buffer_append(&fields->text, line + start, end - start);
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

void sn_fields_clear(SNFields *fields) {
    fields->count = 0;
    sn_buffer_trim(&fields->text);
}

void sn_fields_free(SNFields *fields) {
    free(fields->text.bytes);
    free(fields->items);
}

static SNFieldList list(const SNFields *fields) {
    return (SNFieldList){(const uint8_t *)fields->text.bytes, fields->items, fields->count};
}

SNFieldList sn_transfer_headers(SNTransfer *transfer) { return list(&transfer->headers); }
SNFieldList sn_transfer_trailers(SNTransfer *transfer) { return list(&transfer->trailers); }
SNFieldList sn_interim_headers(SNInterim *interim) { return list(&interim->headers); }
int sn_interim_status(SNInterim *interim) { return interim->status; }

// Takes the header fields that the transfer has read.
bool sn_fields_keep_interim(SNTransfer *transfer) {
    SNInterim *interim = calloc(1, sizeof *interim);
    if (!interim) return false;
    interim->status = transfer->status;
    interim->headers = transfer->headers;
    transfer->headers = (SNFields){0};
    pthread_mutex_lock(&transfer->lock);
    if (transfer->interim) transfer->last_interim->next = interim;
    else transfer->interim = interim;
    transfer->last_interim = interim;
    pthread_mutex_unlock(&transfer->lock);
    return true;
}

SNInterim *sn_transfer_take_interim(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    SNInterim *interim = transfer->interim;
    if (interim) transfer->interim = interim->next;
    pthread_mutex_unlock(&transfer->lock);
    return interim;
}

void sn_interim_free(SNInterim *interim) {
    sn_fields_free(&interim->headers);
    free(interim);
}

#endif
