// The decoders of zlib, brotli and zstd, found at run time.
#ifndef SN_DECODERS_H
#define SN_DECODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
} SNInput;

typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} SNOutput;

// zlib's z_stream; the same in each version of libz.so.1.
typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler, reserved;
} SNZStream;

typedef struct SNDecoder SNDecoder;

typedef enum { SN_DECODED, SN_UNDECODABLE, SN_NO_MEMORY } SNDecoding;

// A content coding (RFC 9110 §8.4.1).
typedef struct {
    const char *name, *alias;
    // Whether the content itself says how many megabytes its decoder needs.
    bool has_window;
    bool (*is_available)(void);
    bool (*open)(SNDecoder *decoder);
    // Takes from the input and appends to the output, until one of them has no more.
    SNDecoding (*decode)(SNDecoder *decoder, SNInput *input, SNOutput *output);
    void (*close)(SNDecoder *decoder);
} SNCoding;

struct SNDecoder {
    const SNCoding *coding;
    // zlib's must stay where it was opened.
    SNZStream zlib;
    void *state;
    bool is_open;
    // Whether the content may end here.
    bool is_at_end;
    // Why it can't be decoded, or null; the library keeps the text.
    const char *reason;
    // How many bytes may follow the end.
    int spare;
};

// Returns null if it is unknown, or its library is missing.
const SNCoding *sn_coding_find(const char *name, size_t count);
// Returns the coding at this place in the order of `Accept-Encoding`, available or not; null after the last.
const SNCoding *sn_coding_at(size_t index);

#endif
