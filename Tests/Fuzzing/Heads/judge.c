#define _GNU_SOURCE
#include "heads.h"
#include <ctype.h>

typedef struct {
    const char *bytes;
    size_t count;
    bool has_stray_byte;
} Line;

// Takes the next line, without its end; false if there is none.
static bool take(const char **rest, const char *end, Line *line) {
    const char *feed = memchr(*rest, '\n', (size_t)(end - *rest));
    if (!feed) return false;
    size_t count = (size_t)(feed - *rest);
    if (count && (*rest)[count - 1] == '\r') count--;
    *line = (Line){*rest, count, memchr(*rest, '\r', count) || memchr(*rest, 0, count)};
    *rest = feed + 1;
    return true;
}

static bool is_fold(Line line) { return line.count && (*line.bytes == ' ' || *line.bytes == '\t'); }

// Returns 0 for anything else.
static int status(Line line) {
    char text[16] = {0};
    memcpy(text, line.bytes, line.count < 15 ? line.count : 15);
    if (strncmp(text, "HTTP/", 5) != 0 || !isdigit(text[5])) return 0;
    bool is_short = text[6] == ' ', is_long = text[6] == '.' && isdigit(text[7]) && text[8] == ' ';
    if (!is_short && !is_long) return 0;
    const char *digits = text + (is_short ? 7 : 9);
    for (int i = 0; i < 3; i++) {
        if (!isdigit(digits[i])) return 0;
    }
    if (digits[3] && digits[3] != ' ') return 0;
    int code = (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
    return code >= 100 ? code : 0;
}

static bool is_field(Line line) {
    const char *colon = memchr(line.bytes, ':', line.count);
    if (!colon || colon == line.bytes) return false;
    for (const char *byte = line.bytes; byte < colon; byte++) {
        if (!isalnum((unsigned char)*byte) && !strchr("!#$%&'*+-.^_`|~", *byte)) return false;
    }
    return true;
}

static bool is_text(Line line, const char *text) {
    return line.count == strlen(text) && strncasecmp(line.bytes, text, line.count) == 0;
}

static bool names(Line line, const char *name) {
    return line.count > strlen(name) && strncasecmp(line.bytes, name, strlen(name)) == 0;
}

typedef struct {
    bool is_sound, has_early_fold, is_chunked, is_at_end;
} Block;

// Reads fields up to an empty line.
static Block read_fields(const char **rest, const char *end) {
    Block block = {.is_sound = true};
    Line line, last = {0};
    bool is_first = true;
    while (take(rest, end, &line)) {
        if (!line.count) {
            block.is_at_end = true;
            return block;
        }
        block.is_sound &= !line.has_stray_byte;
        if (is_fold(line)) {
            block.has_early_fold |= is_first;
            // What that means to the frame differs between recipients.
            block.is_sound &= !is_first && !names(last, "Content-Length") && !names(last, "Transfer-Encoding");
        } else {
            block.is_sound &= is_field(line);
            // Mutations make other lengths.
            if (names(line, "Content-Length")) block.is_sound &= is_text(line, "Content-Length: 2");
            // And other codings, which were not requested.
            bool is_coded = names(line, "Transfer-Encoding:");
            if (is_coded) block.is_sound &= is_text(line, "Transfer-Encoding: chunked");
            block.is_chunked |= is_coded;
            last = line;
        }
        is_first = false;
    }
    return block;
}

static Block read_all(const Head *head) {
    const char *rest = head->bytes, *end = rest + head->count;
    Block all = {.is_sound = true};
    Line line;
    for (int code = 100; code >= 100 && code < 200;) {
        bool is_there = take(&rest, end, &line);
        code = is_there ? status(line) : 0;
        Block block = is_there ? read_fields(&rest, end) : (Block){0};
        all.is_sound &= code && code != 101 && !line.has_stray_byte && block.is_sound && block.is_at_end;
        all.has_early_fold |= block.has_early_fold;
        all.is_chunked = block.is_chunked;
    }
    // The last chunk, and the trailer behind it.
    if (!all.is_chunked) return all;
    const char *last = memmem(rest, (size_t)(end - rest), "\r\n0\r\n", 5);
    all.is_sound &= last != NULL;
    if (!last) return all;
    rest = last + 5;
    Block trailer = read_fields(&rest, end);
    all.is_sound &= trailer.is_sound;
    all.has_early_fold |= trailer.has_early_fold;
    return all;
}

bool is_sound(const Head *head) { return read_all(head).is_sound; }
bool begins_with_fold(const Head *head) { return read_all(head).has_early_fold; }
