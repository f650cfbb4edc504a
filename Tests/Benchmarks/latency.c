/* Latency of one request to each of two HTTP servers on Unix sockets, asked in turn over kept connections;
   prints p50 of both in microseconds and their ratio.
   latency REQUESTS GAP_MS READS SOCKET PATH BODY BODY  SOCKET PATH BODY BODY
   The two bodies alternate, so that every request changes something; GAP_MS passes between two requests to the same
   server, which keeps a server that paces its writes from being measured by its pace. READS requests that change nothing
   go right before each measured one: 0 measures a server that was idle, 20 one that is at work. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct server { const char *socket, *path, *bodies[2]; int fd; double *cost; };

static void die(const char *what, const char *text)
{
    fprintf(stderr, "latency: %s: %s\n", what, text);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void dial(struct server *s)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (strlen(s->socket) >= sizeof to.sun_path) die(s->socket, "too long");
    strcpy(to.sun_path, s->socket);
    s->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(s->fd, (struct sockaddr *)&to, sizeof to) != 0) die(s->socket, "cannot connect");
}

/* Reads one answer with a Content-Length, or in chunks. */
static void answer(struct server *s)
{
    char text[65536];
    size_t have = 0;
    for (;;) {
        ssize_t n = read(s->fd, text + have, sizeof text - 1 - have);
        if (n <= 0) die(s->socket, "hung up");
        have += n;
        text[have] = 0;
        char *end = strstr(text, "\r\n\r\n");
        if (!end) continue;
        char *length = strcasestr(text, "\r\ncontent-length:");
        if (length && length < end) {
            if (have < (size_t)(end + 4 - text) + strtoul(length + 17, NULL, 10)) continue;
        } else if (!strstr(end, "\r\n0\r\n\r\n")) {
            continue;
        }
        if (strncmp(text, "HTTP/1.1 20", 11) != 0) die(s->socket, text);
        return;
    }
}

static void look(struct server *s)
{
    char request[1024];
    int n = snprintf(request, sizeof request, "GET %.*s HTTP/1.1\r\nHost: localhost\r\n\r\n", (int)strcspn(s->path, "?"), s->path);
    if (write(s->fd, request, n) != n) die(s->socket, "cannot write");
    answer(s);
}

static double ask(struct server *s, int i)
{
    char request[1024];
    const char *body = s->bodies[i % 2];
    int n = snprintf(request, sizeof request,
        "PATCH %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
        s->path, strlen(body), body);
    double from = now();
    if (write(s->fd, request, n) != n) die(s->socket, "cannot write");
    answer(s);
    return now() - from;
}

int main(int argc, char **argv)
{
    if (argc != 12) die("usage", "REQUESTS GAP_MS READS (SOCKET PATH BODY BODY) twice");
    int requests = atoi(argv[1]), gap = atoi(argv[2]), reads = atoi(argv[3]);
    struct server servers[2];
    for (int c = 0; c < 2; c++) {
        char **a = argv + 4 + 4 * c;
        servers[c] = (struct server){.socket = a[0], .path = a[1], .bodies = {a[2], a[3]}};
        servers[c].cost = calloc(requests, sizeof(double));
        dial(&servers[c]);
    }
    for (int i = -10; i < requests; i++) /* the first ten warm both up */
        for (int c = 0; c < 2; c++) {
            usleep(gap * 500);
            for (int r = 0; r < reads; r++) look(&servers[c]);
            double cost = ask(&servers[c], i + 10);
            if (i >= 0) servers[c].cost[i] = cost;
        }
    double middle[2];
    for (int c = 0; c < 2; c++) {
        qsort(servers[c].cost, requests, sizeof(double), ascending);
        middle[c] = servers[c].cost[requests / 2];
    }
    printf("%.0f %.0f %.2f\n", middle[0], middle[1], middle[0] / middle[1]);
    return 0;
}
