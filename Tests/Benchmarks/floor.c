/* The least a command line can cost: sends the request of `stripctl color ff8800 --no-wait desk`, reads the answer, ends.
   floor SOCKET [STRIP] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    char request[512], answer[65536];
    const char *body = "{\"color\":\"ff8800\"}";
    size_t have = 0;
    if (argc < 2 || strlen(argv[1]) >= sizeof to.sun_path) return 2;
    strcpy(to.sun_path, argv[1]);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof to) != 0) { perror("floor"); return 4; }
    int n = snprintf(request, sizeof request,
        "PATCH /v1/strips/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
        argc > 2 ? argv[2] : "desk", strlen(body), body);
    if (write(s, request, n) != n) { perror("floor"); return 1; }
    for (;;) {
        ssize_t got = read(s, answer + have, sizeof answer - 1 - have);
        if (got <= 0) break;
        have += got;
    }
    answer[have] = 0;
    if (strncmp(answer, "HTTP/1.1 20", 11) != 0) { fprintf(stderr, "floor: %s\n", answer); return 1; }
    return 0;
}
