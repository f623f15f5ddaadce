#define _GNU_SOURCE
#include "heads.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Of this process only, as the socket of Linux's abstract names that it is.
const char server_name[] = "simplenetworking-heads";

static const char sound[] =
    "HTTP/1.1 200 OK\r\nX-Field: a value that is long enough for a block of memory of its own\r\n"
    "Content-Length: 2\r\n\r\nok";

static const Head *current;

enum { MOST = 64 };

static socklen_t address(struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int count = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s-%d", server_name, (int)getpid());
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)count);
}

static void reply(int client, const char *bytes, size_t count) {
    while (count) {
        ssize_t sent = send(client, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        count -= (size_t)sent;
    }
}

// Returns whether the connection goes on. A small request arrives whole.
static bool serve_request(int client) {
    char request[4096];
    ssize_t count = read(client, request, sizeof request);
    if (count <= 0) return false;
    bool wants_head = memmem(request, (size_t)count, " /head ", 7) != NULL;
    if (wants_head) reply(client, current->bytes, current->count);
    else reply(client, sound, sizeof sound - 1);
    return !wants_head;
}

static int listener;

static void *serve(void *unused) {
    (void)unused;
    struct pollfd files[MOST] = {{.fd = listener, .events = POLLIN}};
    int count = 1;
    for (;;) {
        if (poll(files, (nfds_t)count, -1) < 0) continue;
        for (int i = count - 1; i > 0; i--) {
            if (!files[i].revents || serve_request(files[i].fd)) continue;
            close(files[i].fd);
            files[i] = files[--count];
        }
        if (!files[0].revents || count == MOST) continue;
        int client = accept(files[0].fd, NULL, NULL);
        if (client >= 0) files[count++] = (struct pollfd){.fd = client, .events = POLLIN};
    }
    return NULL;
}

void start_server(const Head *head) {
    pthread_t thread;
    struct sockaddr_un name;
    socklen_t length = address(&name);
    current = head;
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&name, length) != 0 || listen(listener, MOST) != 0) abort();
    if (pthread_create(&thread, NULL, serve, NULL) != 0) abort();
}
