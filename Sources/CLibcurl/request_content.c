#ifdef __linux__

#define _FILE_OFFSET_BITS 64
#include "engine.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

// The content of a request, as the client gives it.

bool sn_transfer_send_copy(SNTransfer *transfer, const void *bytes, size_t count) {
    SNRequest *request = &transfer->request;
    if (!sn_request_add_content_lines(request)) return false;
    request->body = (SNBody){.kind = SN_BODY_COPY, .count = (int64_t)count, .in_text = request->text.count};
    return sn_buffer_append(&request->text, bytes, count);
}

bool sn_transfer_send_borrowed(SNTransfer *transfer, const void *bytes, size_t count, void *keeper) {
    transfer->request.body = (SNBody){.kind = SN_BODY_BORROWED, .count = (int64_t)count, .borrowed = {bytes, keeper}};
    return sn_request_add_content_lines(&transfer->request);
}

bool sn_transfer_send_file(SNTransfer *transfer, const char *path) {
    SNRequest *request = &transfer->request;
    struct stat info;
    // It is opened when the request starts: waiting requests hold no files.
    if (stat(path, &info) != 0) return false;
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    if (!sn_request_add_content_lines(request)) return false;
    request->body = (SNBody){.kind = SN_BODY_FILE, .count = info.st_size, .in_text = request->text.count};
    return sn_buffer_append(&request->text, path, strlen(path) + 1);
}

bool sn_transfer_send_stream(SNTransfer *transfer, int64_t length, void *source) {
    transfer->request.body = (SNBody){.kind = SN_BODY_STREAM, .count = length, .source = source};
    return sn_request_add_content_lines(&transfer->request);
}

void sn_transfer_send_trailers(SNTransfer *transfer) { transfer->request.has_trailers = true; }

bool sn_transfer_add_trailer(SNTransfer *transfer, uint32_t generation, const char *line) {
    pthread_mutex_lock(&transfer->lock);
    bool is_kept = generation != transfer->mailbox.generation
        || sn_buffer_append(&transfer->mailbox.trailer_lines, line, strlen(line) + 1);
    pthread_mutex_unlock(&transfer->lock);
    return is_kept;
}

void *sn_transfer_source(SNTransfer *transfer) {
    const SNBody *body = &transfer->request.body;
    return body->kind == SN_BODY_STREAM ? body->source : NULL;
}

#endif
