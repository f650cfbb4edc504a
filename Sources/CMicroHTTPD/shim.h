/* MHD's variadic functions are not importable into Swift: wrap the calls we use. */
#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

/* What MHD calls, always on the thread that runs the daemon. */
struct cmhd_callbacks {
    MHD_NotifyConnectionCallback connection;
    void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    void *context;
};

/* Leaves every escape as it is: MHD would decode "%00" and end the text there. */
static inline size_t cmhd_no_unescape(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

/* Serves an already listening socket, driven by the caller's event loop through
   cmhd_epoll_fd + MHD_run + MHD_get_timeout. MHD's own time-outs are off: they count from the last byte, so that
   one byte now and then holds a connection for ever. */
static inline struct MHD_Daemon *cmhd_start(
    int listen_fd, unsigned connections, size_t memory_per_connection, const struct cmhd_callbacks *call)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, call->access, call->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listen_fd,
        MHD_OPTION_NOTIFY_CONNECTION, call->connection, call->context,
        MHD_OPTION_URI_LOG_CALLBACK, call->request_line, call->context,
        MHD_OPTION_NOTIFY_COMPLETED, call->completed, call->context,
        MHD_OPTION_UNESCAPE_CALLBACK, cmhd_no_unescape, NULL,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 0,
        MHD_OPTION_END);
}

static inline int cmhd_epoll_fd(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int cmhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* What the connection callback stored for this connection. */
static inline void *cmhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* struct ucred, which glibc shows only under _GNU_SOURCE. */
struct cmhd_credentials {
    int pid;
    unsigned uid, gid;
};

static inline int cmhd_peer_credentials(int socket, struct cmhd_credentials *credentials)
{
    socklen_t size = sizeof *credentials;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}

/* For HEAD of a streamed answer: MHD 0.9.75 would send the last chunk of the body that is not to be sent. */
static inline void cmhd_never_chunk(struct MHD_Response *response)
{
    MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_RESPONSE, MHD_RO_END);
}
