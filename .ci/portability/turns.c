// Checks what depends on when libcurl calls back, which differs between its versions: a libcurl that does nothing else
// calls back at the worst time.
#undef NDEBUG
#include "turn.h"
#include "units.h"
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static SNTransfer *transfer;
static long connect_ms;
// Whether libcurl says that it has sent a request.
static bool has_sent;
static int (*socket_function)(CURL *, int, int, void *, void *);

static int getinfo(CURL *easy, int info, ...) {
    (void)easy;
    va_list arguments;
    va_start(arguments, info);
    void *place = va_arg(arguments, void *);
    va_end(arguments);
    switch (info & 0xF00000) {
    case 0x100000: *(void **)place = info == CURLINFO_PRIVATE ? transfer : NULL; break;
    case 0x200000: *(long *)place = info == CURLINFO_REQUEST_SIZE && has_sent; break;
    default: *(int64_t *)place = 0;
    }
    return CURLE_OK;
}

static int setopt(CURL *easy, int option, ...) {
    (void)easy;
    va_list arguments;
    va_start(arguments, option);
    if (option == CURLOPT_CONNECTTIMEOUT_MS) connect_ms = va_arg(arguments, long);
    va_end(arguments);
    return CURLE_OK;
}

static int multi_setopt(CURLM *multi, int option, ...) {
    (void)multi;
    va_list arguments;
    va_start(arguments, option);
    if (option == CURLMOPT_SOCKETFUNCTION) *(void **)&socket_function = va_arg(arguments, void *);
    va_end(arguments);
    return CURLE_OK;
}

static SNCode pause_nothing(CURL *easy, int directions) {
    (void)easy;
    (void)directions;
    return CURLE_OK;
}

// As 8.5 does when it gives a transfer back.
static int report_once_more(CURLM *multi, CURL *easy) {
    (void)multi;
    (void)easy;
    sn_receive_progress(transfer, 0, 1, 0, 0);
    return CURLE_OK;
}

static const char *say(SNCode code) {
    (void)code;
    return "";
}

static void disregard(void *pointer) { (void)pointer; }

static const SNLibrary library = {
    .version = 0x080500,
    .easy_getinfo = getinfo,
    .easy_setopt = setopt,
    .easy_pause = pause_nothing,
    .easy_strerror = say,
    .multi_setopt = multi_setopt,
    .multi_remove_handle = report_once_more,
};

// One transfer that libcurl has, in a turn.
typedef struct {
    SNEngine engine;
    SNTurn turn;
    SNHost *host;
    SNTransfer transfer;
} World;

static World *make_world(void) {
    World *world = calloc(1, sizeof *world);
    assert(world);
    world->host = calloc(1, sizeof *world->host);
    assert(world->host);
    world->engine = (SNEngine){.curl = &library, .options.resume = disregard, .poll = -1, .turn = &world->turn};
    pthread_mutex_init(&world->engine.lock, NULL);
    world->turn.engine = &world->engine;
    world->turn.curl = &library;
    world->turn.running = 1;
    world->turn.now = sn_now();
    world->host->active = 1;
    transfer = &world->transfer;
    pthread_mutex_init(&transfer->lock, NULL);
    transfer->engine = &world->engine;
    transfer->references = 3;
    transfer->request.connect_ms = 20000;
    transfer->request.idle_ns = transfer->exchange.attempt_left = INT64_MAX;
    transfer->exchange.state = SN_STATE_ACTIVE;
    transfer->exchange.host = world->host;
    transfer->exchange.socket = transfer->mailbox.file = -1;
    assert(sn_timers_reserve(&world->turn));
    return world;
}

static void free_world(World *world) {
    free(world->turn.timers);
    free(world->turn.sockets);
    free(world->host);
    free(world);
}

// What has ended is neither held nor waited for.
static void check_last_report(bool is_cancelled) {
    World *world = make_world();
    SNTurn *turn = &world->turn;
    transfer->exchange.counts_raw_bytes = transfer->exchange.has_socket = true;
    sn_time_limits_start(turn, transfer);
    if (is_cancelled) sn_lifecycle_obey(turn, transfer, SN_COMMAND_CANCEL);
    else sn_lifecycle_finish(turn, transfer, CURLE_OK);
    assert(transfer->exchange.state == SN_STATE_DONE);
    assert(!turn->held.first && !turn->timer_count);
    free_world(world);
}

// A host may be gone before the lookup of a request that has ended for all but libcurl.
static void check_late_socket(void) {
    World *world = make_world();
    sn_sockets_set_up(&world->turn);
    transfer->exchange.is_lingering = true;
    int file = dup(0);
    socket_function(NULL, file, CURL_POLL_IN, &world->turn, NULL);
    assert((size_t)file < world->turn.socket_capacity && !world->turn.sockets[file].transfer);
    close(file);
    free_world(world);
}

// A request that waited for its host's first connection is started, put back for lack of a file, and started again.
static void check_connect_limit(void) {
    World *world = make_world();
    SNTurn *turn = &world->turn;
    world->host->multiplexes = true;
    transfer->handle.connect_ms = connect_ms = 20000;
    transfer->exchange.state = SN_STATE_WAITING;
    sn_time_limits_start(turn, transfer);
    turn->now += 19990 * (int64_t)1000000;
    transfer->exchange.state = SN_STATE_ACTIVE;
    sn_time_limits_begin(turn, transfer);
    assert(connect_ms == 10);
    sn_timers_remove(turn, transfer);
    sn_time_limits_begin(turn, transfer);
    assert(connect_ms == 20000);
    free_world(world);
}

// A request that was sent on a kept connection, which broke, lacks a file for another one, and is sent again later.
static void check_resend_without_files(void) {
    World *world = make_world();
    has_sent = true;
    transfer->exchange.tries = 1;
    transfer->exchange.may_repeat = true;
    transfer->exchange.shortage = EMFILE;
    world->engine.leaving = 1;
    sn_lifecycle_finish(&world->turn, transfer, CURLE_COULDNT_CONNECT);
    assert(transfer->exchange.state == SN_STATE_WAITING);
    assert(sn_transfer_take_resends(transfer) == 1);
    has_sent = false;
    free_world(world);
}

void check_turns(void) {
    check_resend_without_files();
    check_last_report(true);
    check_last_report(false);
    check_late_socket();
    check_connect_limit();
}
