#ifdef __linux__

#include "turn.h"
#include <stdlib.h>

// `timer` is the position in the heap plus one, or zero for a transfer that is not in it.
static void place(SNTurn *turn, size_t index, SNTransfer *transfer) {
    turn->timers[index] = transfer;
    transfer->exchange.timer = index + 1;
}

static int64_t due(const SNTurn *turn, size_t index) { return turn->timers[index]->exchange.due; }

static void up(SNTurn *turn, size_t index, SNTransfer *transfer) {
    while (index > 0) {
        size_t parent = (index - 1) / 2;
        if (turn->timers[parent]->exchange.due <= transfer->exchange.due) break;
        place(turn, index, turn->timers[parent]);
        index = parent;
    }
    place(turn, index, transfer);
}

static void down(SNTurn *turn, size_t index, SNTransfer *transfer) {
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= turn->timer_count) break;
        if (child + 1 < turn->timer_count && due(turn, child + 1) < due(turn, child)) child++;
        if (due(turn, child) >= transfer->exchange.due) break;
        place(turn, index, turn->timers[child]);
        index = child;
    }
    place(turn, index, transfer);
}

bool sn_timers_reserve(SNTurn *turn) {
    if (turn->running <= turn->timer_capacity) return true;
    size_t capacity = sn_larger(turn->timer_capacity, turn->running, sizeof *turn->timers);
    SNTransfer **timers = realloc(turn->timers, capacity * sizeof *timers);
    if (!timers) return false;
    turn->timers = timers;
    turn->timer_capacity = capacity;
    return true;
}

void sn_timers_add(SNTurn *turn, SNTransfer *transfer) { up(turn, turn->timer_count++, transfer); }

void sn_timers_remove(SNTurn *turn, SNTransfer *transfer) {
    SNExchange *exchange = &transfer->exchange;
    if (!exchange->timer) return;
    size_t index = exchange->timer - 1;
    exchange->timer = 0;
    SNTransfer *last = turn->timers[--turn->timer_count];
    if (last == transfer) return;
    if (index > 0 && turn->timers[(index - 1) / 2]->exchange.due > last->exchange.due) up(turn, index, last);
    else down(turn, index, last);
}

void sn_timers_move(SNTurn *turn, SNTransfer *transfer) {
    sn_timers_remove(turn, transfer);
    sn_timers_add(turn, transfer);
}

#endif
