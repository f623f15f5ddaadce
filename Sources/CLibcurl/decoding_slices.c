#ifdef __linux__

#define _GNU_SOURCE
#include "engine.h"
#include <time.h>

// What a server sends may take any time to decode: it may decode to nothing, or to a thousand times as much. Threads of
// their own decode for transfers that do so for more than a tenth of the time, a slice for each in turn, so that other
// requests need not wait for a thread. Those that decode to nothing share a tenth of one core.

#define MOST_REST_NS ((int64_t)1000000000)
enum { NS_PER_SECOND = 1000000000 };

// The processor's time takes 20 times as long to read as a clock, so it is read only of what takes long by the clock.
int64_t sn_slices_now(const SNReader *reader) {
    if (!reader->slice.is_exact) return sn_now();
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * (int64_t)NS_PER_SECOND + time.tv_nsec;
}

static void begin(SNReader *reader, bool is_exact) {
    reader->slice = (SNSlice){.start = sn_now(), .is_exact = is_exact};
}

void sn_slices_count(SNReader *reader, int64_t ns) {
    SNSlice *slice = &reader->slice;
    slice->ns += ns;
    if (slice->ns < SN_SLICE_NS || reader->takes_long) return;
    // The thread may have waited for a core most of the time, or for the server.
    if (!slice->is_exact) begin(reader, true);
    else if (sn_now() - slice->start > (1 + SN_BARREN_PAUSES) * slice->ns) begin(reader, false);
    else reader->takes_long = true;
}

bool sn_transfer_takes_long(const SNTransfer *transfer) { return transfer->reader.takes_long; }

bool sn_transfer_has_to_rest(const SNTransfer *transfer) {
    return transfer->reader.takes_long && transfer->reader.slice.ns >= SN_SLICE_NS;
}

static bool is_barren(SNSlice slice) { return slice.output <= slice.input / SN_BARREN_RATIO; }

// Takes the next span of the time that barren transfers share, and returns its end. That is not far, however many there
// are, since they may have ended meanwhile.
static int64_t take_barren_span(SNEngine *engine, int64_t now, int64_t span) {
    pthread_mutex_lock(&engine->lock);
    int64_t end = (engine->barren_rest > now ? engine->barren_rest : now) + span;
    if (end > now + MOST_REST_NS) end = now + MOST_REST_NS;
    engine->barren_rest = end;
    pthread_mutex_unlock(&engine->lock);
    return end;
}

int64_t sn_transfer_rest(SNTransfer *transfer) {
    SNSlice slice = transfer->reader.slice;
    begin(&transfer->reader, true);
    if (!is_barren(slice)) return 0;
    int64_t now = transfer->reader.slice.start, idle = transfer->request.idle_ns;
    int64_t end = take_barren_span(transfer->engine, now, slice.ns * SN_BARREN_PAUSES);
    if (end > transfer->exchange.deadline) end = transfer->exchange.deadline;
    if (end - now > idle) end = now + idle;
    return end > now ? end - now : 0;
}

#endif
