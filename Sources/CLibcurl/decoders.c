#ifdef __linux__

#define _GNU_SOURCE
#include "decoders.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const void *src;
    size_t size, pos;
} SNZstdInput;

typedef struct {
    void *dst;
    size_t size, pos;
} SNZstdOutput;

typedef int (*SNInflateInit)(SNZStream *, int, const char *, int);
typedef int (*SNInflate)(SNZStream *, int);
typedef int (*SNInflateEnd)(SNZStream *);
typedef void *(*SNBrotliCreate)(void *, void *, void *);
typedef void (*SNBrotliDestroy)(void *);
typedef int (*SNBrotliStream)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
typedef int (*SNBrotliCode)(const void *);
typedef const char *(*SNBrotliWords)(int);
typedef void *(*SNZstdCreate)(void);
typedef size_t (*SNZstdFree)(void *);
typedef size_t (*SNZstdSet)(void *, int, int);
typedef size_t (*SNZstdStream)(void *, SNZstdOutput *, SNZstdInput *);
typedef unsigned int (*SNZstdIsError)(size_t);
typedef const char *(*SNZstdWords)(size_t);

#define ZLIB(X) \
    X(SNInflateInit, inflateInit2_) \
    X(SNInflate, inflate) \
    X(SNInflateEnd, inflateReset) \
    X(SNInflateEnd, inflateEnd)
#define BROTLI(X) \
    X(SNBrotliCreate, BrotliDecoderCreateInstance) \
    X(SNBrotliDestroy, BrotliDecoderDestroyInstance) \
    X(SNBrotliStream, BrotliDecoderDecompressStream) \
    X(SNBrotliCode, BrotliDecoderGetErrorCode) \
    X(SNBrotliWords, BrotliDecoderErrorString)
#define ZSTD(X) \
    X(SNZstdCreate, ZSTD_createDStream) \
    X(SNZstdFree, ZSTD_freeDStream) \
    X(SNZstdSet, ZSTD_DCtx_setParameter) \
    X(SNZstdStream, ZSTD_decompressStream) \
    X(SNZstdIsError, ZSTD_isError) \
    X(SNZstdWords, ZSTD_getErrorName)

#define MEMBER(type, name) type name;
static struct { ZLIB(MEMBER) } zlib;
static struct { BROTLI(MEMBER) } brotli;
static struct { ZSTD(MEMBER) } zstd;
static bool has_zlib, has_brotli, has_zstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Null in a process that is not linked with them, see `libcurl.c`.
#define LINKED(type, name) extern __typeof__(*(type)0) name __attribute__((weak));
ZLIB(LINKED)
BROTLI(LINKED)
ZSTD(LINKED)

typedef struct {
    const char *name;
    void *linked;
    void *place;
} SNSymbol;

// Whether all of them are: a program may have a function of its own that is called `inflate`.
static bool are_linked(const SNSymbol *symbols, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!symbols[i].linked) return false;
    }
    return true;
}

// libcurl has loaded these libraries already, if it decodes at all; they are never closed.
static bool find(const char *library, const SNSymbol *symbols, size_t count) {
    bool is_linked = are_linked(symbols, count);
    void *handle = is_linked ? NULL : dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!is_linked && !handle) return false;
    for (size_t i = 0; i < count; i++) {
        void *address = is_linked ? symbols[i].linked : dlsym(handle, symbols[i].name);
        if (!address) return false;
        *(void **)symbols[i].place = address;
    }
    return true;
}

#define FIND(library, symbols) find(library, symbols, sizeof symbols / sizeof *symbols)

static void load(void) {
#define SYMBOL(table, name) {#name, (void *)name, &table.name},
#define OF_ZLIB(type, name) SYMBOL(zlib, name)
#define OF_BROTLI(type, name) SYMBOL(brotli, name)
#define OF_ZSTD(type, name) SYMBOL(zstd, name)
    const SNSymbol zlib_symbols[] = {ZLIB(OF_ZLIB)};
    const SNSymbol brotli_symbols[] = {BROTLI(OF_BROTLI)};
    const SNSymbol zstd_symbols[] = {ZSTD(OF_ZSTD)};
    has_zlib = FIND("libz.so.1", zlib_symbols);
    has_brotli = FIND("libbrotlidec.so.1", brotli_symbols);
    has_zstd = FIND("libzstd.so.1", zstd_symbols);
}

static bool is_zlib_available(void) { return has_zlib; }
static bool is_brotli_available(void) { return has_brotli; }
static bool is_zstd_available(void) { return has_zstd; }

// MARK: gzip, deflate

enum { Z_OK = 0, Z_STREAM_END = 1, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5, Z_NO_FLUSH = 0 };
enum { WINDOW_BITS = 15, DETECTS_HEADER = 32 };

static bool open_zlib(SNDecoder *decoder, int bits) {
    return zlib.inflateInit2_(&decoder->zlib, bits, "1.2.0.4", sizeof decoder->zlib) == Z_OK;
}

static bool open_gzip(SNDecoder *decoder) { return open_zlib(decoder, WINDOW_BITS + DETECTS_HEADER); }

// Its header is looked for in the first byte.
static bool open_deflate(SNDecoder *decoder) { return decoder != NULL; }

static unsigned int clamped(size_t count) { return count < UINT_MAX ? (unsigned int)count : UINT_MAX; }

static SNDecoding inflate_some(SNDecoder *decoder, SNInput *input, SNOutput *output) {
    SNZStream *stream = &decoder->zlib;
    unsigned int in = clamped(input->count), out = clamped(output->capacity - output->count);
    stream->next_in = input->bytes;
    stream->avail_in = in;
    stream->next_out = output->bytes + output->count;
    stream->avail_out = out;
    int status = zlib.inflate(stream, Z_NO_FLUSH);
    output->count += out - stream->avail_out;
    *input = (SNInput){stream->next_in, input->count - (in - stream->avail_in)};
    decoder->is_at_end = status == Z_STREAM_END;
    if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) return SN_DECODED;
    decoder->reason = stream->msg;
    return status == Z_MEM_ERROR ? SN_NO_MEMORY : SN_UNDECODABLE;
}

// A further member may follow the last (RFC 1952 §2.2).
static SNDecoding decode_gzip(SNDecoder *decoder, SNInput *input, SNOutput *output) {
    if (decoder->is_at_end && input->count) zlib.inflateReset(&decoder->zlib);
    else if (decoder->is_at_end) return SN_DECODED;
    return inflate_some(decoder, input, output);
}

// Servers send it with the header of zlib (RFC 9110 §8.4.1.2) and without. With this first byte, the other kind would
// begin with an uncompressed block that has bits set where there must be none.
static bool has_zlib_header(uint8_t first) { return (first & 0x0f) == 8; }

static SNDecoding decode_deflate(SNDecoder *decoder, SNInput *input, SNOutput *output) {
    if (!input->count && (!decoder->zlib.state || decoder->is_at_end)) return SN_DECODED;
    if (decoder->is_at_end) {
        decoder->spare -= input->count > INT_MAX ? INT_MAX : (int)input->count;
        input->count = 0;
        decoder->reason = "bytes follow its end";
        return decoder->spare < 0 ? SN_UNDECODABLE : SN_DECODED;
    }
    if (!decoder->zlib.state) {
        bool has_header = has_zlib_header(*input->bytes);
        if (!open_zlib(decoder, has_header ? WINDOW_BITS : -WINDOW_BITS)) return SN_NO_MEMORY;
        // Like libcurl: some servers send a checksum though they send no header.
        decoder->spare = has_header ? 0 : 4;
    }
    return inflate_some(decoder, input, output);
}

static void close_zlib(SNDecoder *decoder) {
    if (decoder->zlib.state) zlib.inflateEnd(&decoder->zlib);
}

// MARK: br

enum { BROTLI_ERROR, BROTLI_SUCCESS };
// The codes of errors that say that memory ran out.
enum { BROTLI_NO_MEMORY_FIRST = -30, BROTLI_NO_MEMORY_LAST = -21 };

static bool open_brotli(SNDecoder *decoder) {
    decoder->state = brotli.BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return decoder->state;
}

static SNDecoding decode_brotli(SNDecoder *decoder, SNInput *input, SNOutput *output) {
    if (decoder->is_at_end) {
        decoder->reason = "bytes follow its end";
        return input->count ? SN_UNDECODABLE : SN_DECODED;
    }
    size_t room = output->capacity - output->count;
    uint8_t *next = output->bytes + output->count;
    int status = brotli.BrotliDecoderDecompressStream(
        decoder->state, &input->count, &input->bytes, &room, &next, NULL);
    output->count = output->capacity - room;
    decoder->is_at_end = status == BROTLI_SUCCESS;
    if (status != BROTLI_ERROR) return SN_DECODED;
    int code = brotli.BrotliDecoderGetErrorCode(decoder->state);
    decoder->reason = brotli.BrotliDecoderErrorString(code);
    bool lacks_memory = code >= BROTLI_NO_MEMORY_FIRST && code <= BROTLI_NO_MEMORY_LAST;
    return lacks_memory ? SN_NO_MEMORY : SN_UNDECODABLE;
}

static void close_brotli(SNDecoder *decoder) { brotli.BrotliDecoderDestroyInstance(decoder->state); }

// MARK: zstd

// 8 MB, which is as much as a sender may need (RFC 9659 §3).
enum { ZSTD_WINDOW_LOG_MAX = 100, WINDOW_LOG = 23 };

static bool open_zstd(SNDecoder *decoder) {
    decoder->state = zstd.ZSTD_createDStream();
    return decoder->state
        && !zstd.ZSTD_isError(zstd.ZSTD_DCtx_setParameter(decoder->state, ZSTD_WINDOW_LOG_MAX, WINDOW_LOG));
}

static SNDecoding decode_zstd(SNDecoder *decoder, SNInput *input, SNOutput *output) {
    // Otherwise a further frame would begin.
    if (decoder->is_at_end && !input->count) return SN_DECODED;
    SNZstdInput in = {input->bytes, input->count, 0};
    SNZstdOutput out = {output->bytes, output->capacity, output->count};
    size_t status = zstd.ZSTD_decompressStream(decoder->state, &out, &in);
    output->count = out.pos;
    *input = (SNInput){input->bytes + in.pos, input->count - in.pos};
    decoder->is_at_end = status == 0;
    if (!zstd.ZSTD_isError(status)) return SN_DECODED;
    decoder->reason = zstd.ZSTD_getErrorName(status);
    // ZSTD_error_memory_allocation.
    return status == (size_t)-64 ? SN_NO_MEMORY : SN_UNDECODABLE;
}

static void close_zstd(SNDecoder *decoder) { zstd.ZSTD_freeDStream(decoder->state); }

// MARK: The table

static const SNCoding codings[] = {
    {"deflate", NULL, false, is_zlib_available, open_deflate, decode_deflate, close_zlib},
    {"gzip", "x-gzip", false, is_zlib_available, open_gzip, decode_gzip, close_zlib},
    {"br", NULL, true, is_brotli_available, open_brotli, decode_brotli, close_brotli},
    {"zstd", NULL, true, is_zstd_available, open_zstd, decode_zstd, close_zstd},
};

const SNCoding *sn_coding_at(size_t index) {
    pthread_once(&once, load);
    return index < sizeof codings / sizeof *codings ? &codings[index] : NULL;
}

static bool is_named(const char *candidate, const char *name, size_t count) {
    return candidate && strlen(candidate) == count && strncasecmp(candidate, name, count) == 0;
}

const SNCoding *sn_coding_find(const char *name, size_t count) {
    const SNCoding *coding;
    for (size_t i = 0; (coding = sn_coding_at(i)); i++) {
        bool is_it = is_named(coding->name, name, count) || is_named(coding->alias, name, count);
        if (is_it && coding->is_available()) return coding;
    }
    return NULL;
}

#endif
