#ifdef __linux__

#include "engine.h"
#include <stdlib.h>

// `timer` is the position in the heap plus one, or zero for a transfer that is not in it.
static void place(SNEngine *engine, size_t index, SNTransfer *transfer) {
    engine->timers[index] = transfer;
    transfer->timer = index + 1;
}

static void up(SNEngine *engine, size_t index, SNTransfer *transfer) {
    while (index > 0) {
        size_t parent = (index - 1) / 2;
        if (engine->timers[parent]->due <= transfer->due) break;
        place(engine, index, engine->timers[parent]);
        index = parent;
    }
    place(engine, index, transfer);
}

static void down(SNEngine *engine, size_t index, SNTransfer *transfer) {
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= engine->timer_count) break;
        if (child + 1 < engine->timer_count && engine->timers[child + 1]->due < engine->timers[child]->due) child++;
        if (engine->timers[child]->due >= transfer->due) break;
        place(engine, index, engine->timers[child]);
        index = child;
    }
    place(engine, index, transfer);
}

bool sn_timers_reserve(SNEngine *engine) {
    if (engine->running <= engine->timer_capacity) return true;
    size_t capacity = sn_larger(engine->timer_capacity, engine->running, sizeof *engine->timers);
    SNTransfer **timers = realloc(engine->timers, capacity * sizeof *timers);
    if (!timers) return false;
    engine->timers = timers;
    engine->timer_capacity = capacity;
    return true;
}

void sn_timers_add(SNEngine *engine, SNTransfer *transfer) {
    up(engine, engine->timer_count++, transfer);
}

void sn_timers_remove(SNEngine *engine, SNTransfer *transfer) {
    if (!transfer->timer) return;
    size_t index = transfer->timer - 1;
    transfer->timer = 0;
    SNTransfer *last = engine->timers[--engine->timer_count];
    if (last == transfer) return;
    if (index > 0 && engine->timers[(index - 1) / 2]->due > last->due) up(engine, index, last);
    else down(engine, index, last);
}

void sn_timers_move(SNEngine *engine, SNTransfer *transfer) {
    sn_timers_remove(engine, transfer);
    sn_timers_add(engine, transfer);
}

#endif
