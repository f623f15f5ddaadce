// Sends requests while one option or one allocation after another fails: they end then, or are sent as they should be.
#include "CLibcurl.h"
#include "libcurl.h"
#include "transfer.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void resume(void *continuation) { (void)continuation; }
static void ignore(void *source) { (void)source; }
static void run(void *job, void *context) { (void)job, (void)context; }

static const SNEngineOptions limits = {
    .connections_per_host = 1, .connections_per_prompt_host = 1, .connections_in_total = 1,
    .max_header_bytes = 1000,
    .resume = resume, .pull = ignore, .rewind = ignore, .release_source = ignore, .release_keeper = ignore, .run = run, .call_help = ignore,
};

static SNEngineOptions configured;
static atomic_long sent, sent_by_parts;

static void expect(const char *name, const char *expected, const char *found) {
    if (expected && found ? strcmp(expected, found) == 0 : expected == found) return;
    found = found ? found : "unset";
    printf("a request was sent with %s %s in place of %s\n", name, found, expected ? expected : "none");
    exit(1);
}

static void expect_number(const char *name, long expected, long found) {
    if (expected == found) return;
    printf("a request was sent with %s %ld in place of %ld\n", name, found, expected);
    exit(1);
}

#define EXPECT(option, text) expect(#option, text, text_of(handle, CURLOPT_##option))
#define EXPECT_NUMBER(option, number) expect_number(#option, number, number_of(handle, CURLOPT_##option))

// The one host that is an exception of the proxy.
static bool is_direct(const char *url) { return configured.proxy && url && strstr(url, "//b.example/"); }

// Those that are connected elsewhere, if anything is.
static const char *socket_for(const char *url) {
    return configured.interface && url && strstr(url, "/second") ? "/run/socket" : NULL;
}

static const char *addresses_for(const char *url) {
    return configured.interface && url && strstr(url, "/third") ? "b.example:443:192.0.2.7" : NULL;
}

void look_at(CURL *handle) {
    atomic_fetch_add(&sent, 1);
    const char *url = text_of(handle, CURLOPT_URL);
    bool is_offered = url && strstr(url, "/offered");
    const char *parts = url_of_parts(handle);
    if (parts) atomic_fetch_add(&sent_by_parts, 1);
    if (parts) expect("the parts", url, parts);
    EXPECT(CUSTOMREQUEST, "DELETE");
    // The directory counts besides a file.
    EXPECT(CAINFO, configured.ca_file ? configured.ca_file : "usual.pem");
    EXPECT(CAPATH, configured.ca_file ? NULL : "/usual");
    EXPECT(PROXY_CAINFO, configured.ca_file ? configured.ca_file : "usual.pem");
    EXPECT(PROXY_CAPATH, configured.ca_file ? NULL : "/usual");
    EXPECT(PINNEDPUBLICKEY, configured.pinned_keys);
    EXPECT(SSLCERT, is_offered ? configured.certificate : NULL);
    EXPECT(SSLKEY, is_offered ? configured.key : NULL);
    EXPECT(KEYPASSWD, is_offered ? configured.key_password : NULL);
    EXPECT(PROXY, configured.proxy);
    // Empty, it hides the environment's.
    EXPECT(NOPROXY, is_direct(url) ? "*" : configured.proxy ? "" : NULL);
    EXPECT(PROXYUSERPWD, configured.proxy_credentials);
    EXPECT(INTERFACE, configured.interface);
    EXPECT(UNIX_SOCKET_PATH, socket_for(url));
    EXPECT(RESOLVE, addresses_for(url));
    EXPECT_NUMBER(SSL_VERIFYPEER, 1);
    EXPECT_NUMBER(SSL_VERIFYHOST, 2);
    EXPECT_NUMBER(SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    EXPECT_NUMBER(PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    EXPECT_NUMBER(FOLLOWLOCATION, 0);
}

static void send(SNEngine *engine, const char *url, bool is_offered, bool has_expect) {
    SNTransfer *transfer = sn_transfer_create(engine);
    if (!transfer) return;
    bool is_ready = sn_transfer_set_url(transfer, url, strlen(url)) && sn_transfer_set_method(transfer, "DELETE", 6);
    // Its handle is reset afterwards, and set up again.
    if (has_expect) is_ready &= sn_transfer_add_header(transfer, "Expect", 6, "100-continue", 12);
    if (is_offered) sn_transfer_offer_certificate(transfer);
    if (is_direct(url)) sn_transfer_bypass_proxy(transfer);
    if (socket_for(url)) is_ready &= sn_transfer_use_socket(transfer, socket_for(url));
    if (addresses_for(url)) is_ready &= sn_transfer_use_addresses(transfer, addresses_for(url));
    if (is_ready && sn_transfer_submit(transfer)) {
        while (!(sn_transfer_take_events(transfer) & SN_EVENT_DONE)) sched_yield();
        // Released by the engine too, it is what the next request takes, with the parts of its URL.
        while (atomic_load(&transfer->references) > 1) sched_yield();
    }
    sn_transfer_release(transfer);
}

static void send_all(void) {
    SNEngine *engine = sn_engine_create(&configured);
    if (!engine) return;
    send(engine, "https://a.example/offered", true, false);
    send(engine, "https://b.example/", false, true);
    send(engine, "https://a.example/offered", true, true);
    send(engine, "https://a.example/offered", true, false);
    send(engine, "https://b.example/", false, false);
    // From the second one on, the parts are given; the last one has what libcurl would change in them.
    send(engine, "https://b.example/first?a=1", false, false);
    send(engine, "https://b.example/second", false, false);
    send(engine, "https://b.example/third?a=1", false, false);
    send(engine, "https://b.example/%2F", false, false);
    sn_engine_release(engine);
}

// Returns how many there were to fail.
static long fail_each(atomic_long *left) {
    long number = 0;
    while (true) {
        atomic_store(left, number);
        send_all();
        bool has_failed = atomic_load(left) < 0;
        atomic_store(left, -1);
        if (!has_failed) return number;
        number++;
    }
}

static void check(SNEngineOptions options) {
    configured = options;
    atomic_store(&sent, 0);
    atomic_store(&sent_by_parts, 0);
    send_all();
    expect_number("the number of requests", 9, atomic_load(&sent));
    expect_number("the number of URLs in parts", 4, atomic_load(&sent_by_parts));
    long options_failed = fail_each(&options_left), allocations_failed = fail_each(&allocations_left);
    const char *words = "%ld options and %ld allocations failed in turn; %ld requests were sent, as they should be\n";
    printf(words, options_failed, allocations_failed, atomic_load(&sent));
}

int main(void) {
    if (!sn_library_version()) return 1;
    check(limits);
    SNEngineOptions options = limits;
    options.proxy = "http://proxy.example";
    check(options);
    options.ca_file = "own.pem";
    options.certificate = "device.pem";
    options.key = "device.key";
    options.key_password = "password";
    options.pinned_keys = "sha256//AAAA";
    options.proxy_credentials = "ada:password";
    options.interface = "if!eth0";
    check(options);
    // Without OpenSSL, an engine that is to write keys is not made.
    options.key_log = "/dev/null";
    expect_number("the reason not to write keys", ENOTSUP, sn_key_log_check(options.key_log));
    if (sn_engine_create(&options)) puts("an engine was made that writes no keys"), exit(1);
    if (!sn_library_lacks_sockets()) puts("a libcurl without unix domain sockets was not told"), exit(1);
}
