/* MHD's variadic functions are not importable into Swift: wrap the calls we use. */
#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

struct cmhd_limits {
    unsigned connections, per_ip, idle_seconds, header_bytes;
};

/* Serves an already listening socket, driven by the caller's event loop through
   cmhd_epoll_fd + MHD_run + MHD_get_timeout. */
static inline struct MHD_Daemon *cmhd_start(
    int listen_fd, struct cmhd_limits limits, MHD_AccessHandlerCallback access,
    MHD_RequestCompletedCallback completed, void *context)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, access, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listen_fd,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.per_ip,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)limits.header_bytes,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
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

static inline void cmhd_set_timeout(struct MHD_Connection *connection, unsigned seconds)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
