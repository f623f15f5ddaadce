#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <stdlib.h>

// Interim responses (RFC 9110 §15.2), which wait until the client takes them.

// Gives back what was reserved for more: there may be thousands of lists, of one field each.
static void fit(SNFields *fields) {
    char *text = fields->text.count ? realloc(fields->text.bytes, fields->text.count) : NULL;
    if (text) fields->text = (SNBuffer){text, fields->text.count, fields->text.count};
    SNField *items = fields->count ? realloc(fields->items, fields->count * sizeof *items) : NULL;
    if (!items) return;
    fields->items = items;
    fields->capacity = fields->count;
}

bool sn_interim_keep(SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    SNMailbox *mailbox = &transfer->mailbox;
    SNInterim *interim = calloc(1, sizeof *interim);
    if (!interim) return false;
    interim->status = exchange->status;
    interim->headers = exchange->headers;
    exchange->headers = (SNFields){0};
    fit(&interim->headers);
    pthread_mutex_lock(&transfer->lock);
    if (mailbox->interim) mailbox->last_interim->next = interim;
    else mailbox->interim = interim;
    mailbox->last_interim = interim;
    pthread_mutex_unlock(&transfer->lock);
    return true;
}

SNInterim *sn_transfer_take_interim(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    SNInterim *interim = transfer->mailbox.interim;
    if (interim) transfer->mailbox.interim = interim->next;
    pthread_mutex_unlock(&transfer->lock);
    return interim;
}

void sn_interim_free(SNInterim *interim) {
    sn_fields_free(&interim->headers);
    free(interim);
}

SNFieldList sn_interim_headers(SNInterim *interim) { return sn_fields_list(&interim->headers); }
int sn_interim_status(SNInterim *interim) { return interim->status; }

#endif
