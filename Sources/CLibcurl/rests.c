#ifdef __linux__

#include "engine.h"
#include <unistd.h>

// What a server sends may take any time to decode: it may decode to nothing, or to a thousand times as much. So a
// transfer that decodes for long rests now and then. Together, such transfers use half of the cores, and at least one,
// so that a single one never rests; those that make nothing use a tenth of one core.

bool sn_rests_are_due(const SNTransfer *transfer) { return transfer->slice.ns >= SN_SLICE_NS; }

static int64_t concurrency(void) {
    static atomic_long cores;
    if (!cores) cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 4 ? 1 : cores / 2;
}

// Takes the next span of a time that several transfers share, and returns its end.
static int64_t take_span(SNEngine *engine, int64_t *end, int64_t start, int64_t span) {
    pthread_mutex_lock(&engine->lock);
    *end = (*end > start ? *end : start) + span;
    int64_t result = *end;
    pthread_mutex_unlock(&engine->lock);
    return result;
}

static void leave_crew(SNTransfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    transfer->takes_long = true;
    pthread_mutex_unlock(&transfer->lock);
}

int64_t sn_transfer_rest(SNTransfer *transfer) {
    if (!sn_rests_are_due(transfer)) return 0;
    SNEngine *engine = transfer->engine;
    SNSlice slice = transfer->slice;
    transfer->slice = (SNSlice){0};
    leave_crew(transfer);
    int64_t now = sn_clocks_now(), start = now - slice.ns;
    bool is_barren = slice.output <= slice.input / SN_BARREN_RATIO;
    int64_t end = is_barren
        ? take_span(engine, &engine->barren_rest, start, slice.ns * (1 + SN_BARREN_PAUSES))
        : take_span(engine, &engine->rest, start, slice.ns / concurrency());
    if (end > transfer->deadline) end = transfer->deadline;
    return end > now ? end - now : 0;
}

#endif
