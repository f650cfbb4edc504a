/* The least a daemon can cost: libmicrohttpd and libdbus, and between them nothing. A PATCH becomes one WriteValue on
   the given characteristic, and is answered after the reply. One thread, blocking call: there is nothing faster.
   floor_daemon SOCKET BUS CHARACTERISTIC */
#include <dbus/dbus.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static DBusConnection *bus;
static const char *characteristic;

/* {"color":"ff8800"...} to 56 ff 88 00 00 f0 aa */
static int frame_of(const char *body, unsigned char *frame)
{
    unsigned r, g, b;
    const char *color = strstr(body, "\"color\":\"");
    if (!color || sscanf(color + 9, "%2x%2x%2x", &r, &g, &b) != 3) return 0;
    memcpy(frame, (unsigned char[]){0x56, r, g, b, 0x00, 0xF0, 0xAA}, 7);
    return 1;
}

static int write_value(const unsigned char *frame, int length)
{
    DBusMessageIter arguments, bytes, options, entry, variant;
    const char *key = "type", *value = "request";
    DBusMessage *call = dbus_message_new_method_call("org.bluez", characteristic, "org.bluez.GattCharacteristic1", "WriteValue");
    dbus_message_iter_init_append(call, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &bytes);
    dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &frame, length);
    dbus_message_iter_close_container(&arguments, &bytes);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
    dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&options, &entry);
    dbus_message_iter_close_container(&arguments, &options);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 5000, NULL);
    dbus_message_unref(call);
    if (!reply) return 0;
    dbus_message_unref(reply);
    return 1;
}

static enum MHD_Result access_handler(void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *upload, size_t *upload_size, void **request)
{
    (void)context; (void)url; (void)version;
    char *body = *request;
    if (!body) { *request = calloc(1, 1024); return MHD_YES; }
    if (*upload_size) {
        strncat(body, upload, *upload_size < 1000 - strlen(body) ? *upload_size : 1000 - strlen(body));
        *upload_size = 0;
        return MHD_YES;
    }
    unsigned char frame[7] = {0};
    char answer[1024];
    int done = strcmp(method, "GET") == 0 || (strcmp(method, "PATCH") == 0 && frame_of(body, frame) && write_value(frame, 7));
    /* as long as stripd's own answer */
    int n = snprintf(answer, sizeof answer,
        "{\"outcome\":\"%s\",\"cause\":null,\"detail\":null,\"notes\":[],\"strip\":{\"id\":\"ff:ff:38:5b:40:02\",\"alias\":\"shelf\","
        "\"name\":\"Triones-FFFF385B4002\",\"model\":null,\"available\":true,\"link\":\"ready\",\"cause\":null,\"rssi\":null,"
        "\"adapter\":\"hci0\",\"pending\":false,\"default\":false,\"on\":true,\"color\":\"%02x%02x%02x\",\"brightness\":100,"
        "\"white\":null,\"effect\":null,\"speed\":null,\"certainty\":{\"power\":{\"is\":\"assumed\",\"at\":\"2026-12-01T02:03:04Z\"},"
        "\"light\":{\"is\":\"assumed\",\"at\":\"2026-12-01T02:03:04Z\"}}}}",
        done ? "written" : "failed", frame[1], frame[2], frame[3]);
    struct MHD_Response *response = MHD_create_response_from_buffer(n, answer, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result queued = MHD_queue_response(connection, done ? 200 : 500, response);
    MHD_destroy_response(response);
    return queued;
}

static void completed(void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode why)
{
    (void)context; (void)connection; (void)why;
    free(*request);
}

int main(int argc, char **argv)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (argc != 4 || strlen(argv[1]) >= sizeof at.sun_path) return 2;
    strcpy(at.sun_path, argv[1]);
    characteristic = argv[3];
    bus = dbus_connection_open_private(argv[2], NULL);
    if (!bus || !dbus_bus_register(bus, NULL)) { fprintf(stderr, "floor_daemon: no bus\n"); return 1; }
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(s, (struct sockaddr *)&at, sizeof at) != 0 || listen(s, 16) != 0) { perror("floor_daemon"); return 1; }
    struct MHD_Daemon *server = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, access_handler, NULL,
        MHD_OPTION_LISTEN_SOCKET, s, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
    if (!server) { fprintf(stderr, "floor_daemon: no server\n"); return 1; }
    for (;;) pause();
}
