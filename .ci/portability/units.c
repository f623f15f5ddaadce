// Checks what no test in Swift can reach: sizes near the end of their range, a proxy that is reached over TLS, and a program
// whose functions have the names of others.
#undef NDEBUG
#include "turn.h"
#include "units.h"
#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void check_sizes(void) {
    const size_t most = PTRDIFF_MAX;
    assert(sn_larger(0, 1, 1) == 256);
    assert(sn_larger(0, 1, 16) == 16);
    assert(sn_larger(1024, 1025, 1) == 2048);
    assert(sn_larger(1024, 5000, 1) == 5000);
    // Neither wraps, nor doubles for ever.
    assert(sn_larger(most / 2 + 1, most / 2 + 2, 1) == most);
    assert(sn_larger(most, most, 1) == most);
    assert(sn_larger(most, most + 1, 1) == 0);
    assert(sn_larger(0, SIZE_MAX, 1) == 0);
    assert(sn_larger(16, most / 16 + 1, 16) == 0);
    SNBuffer buffer = {0};
    assert(sn_buffer_append(&buffer, "ab", 2));
    assert(!sn_buffer_append(&buffer, "", most));
    assert(!sn_buffer_append(&buffer, "", SIZE_MAX - 1));
    assert(buffer.count == 2 && memcmp(buffer.bytes, "ab", 2) == 0);
    free(buffer.bytes);
}

// Opens a socket as for a request, and returns whether the engine expects TLS from then on.
static bool expects_tls(const char *proxy, bool is_secure) {
    SNTurn turn = {.open = 1};
    SNEngine engine = {.options.proxy = proxy, .poll = -1, .turn = &turn};
    turn.engine = &engine;
    pthread_mutex_init(&engine.lock, NULL);
    SNTransfer transfer = {.engine = &engine, .request.is_secure = is_secure};
    struct curl_sockaddr address = {.family = AF_INET, .socktype = SOCK_STREAM};
    int file = sn_files_open_socket(&transfer, 0, &address);
    if (file >= 0) close(file);
    free(turn.sockets);
    return engine.has_secure;
}

static void check_proxies(void) {
    unsetenv("http_proxy");
    unsetenv("https_proxy");
    unsetenv("HTTPS_PROXY");
    unsetenv("all_proxy");
    unsetenv("ALL_PROXY");
    assert(!expects_tls(NULL, false));
    assert(expects_tls(NULL, true));
    assert(!expects_tls("http://proxy:1", false));
    assert(expects_tls("https://proxy:1", false));
    assert(expects_tls("HTTPS://proxy:1", false));
    const char *names[] = {"http_proxy", "all_proxy", "ALL_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv(names[i], "https://proxy:1", 1);
        assert(expects_tls(NULL, false));
        // The configuration comes first; an empty text is no proxy at all.
        assert(!expects_tls("", false));
        unsetenv(names[i]);
    }
}

// A program's own function, which is none of zlib.
int inflate(int balloon) {
    assert(!balloon);
    return 0;
}

static void check_names(void) {
    static const uint8_t content[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0};
    const SNCoding *gzip = sn_coding_find("gzip", 4);
    if (!gzip) return;
    SNDecoder decoder = {.coding = gzip};
    uint8_t bytes[8];
    SNInput input = {content, sizeof content};
    SNOutput output = {bytes, 0, sizeof bytes};
    assert(gzip->open(&decoder));
    assert(gzip->decode(&decoder, &input, &output) == SN_DECODED);
    assert(output.count == 3 && memcmp(bytes, "abc", 3) == 0);
    gzip->close(&decoder);
}

int main(void) {
    check_names();
    check_sizes();
    check_proxies();
    check_turns();
}
