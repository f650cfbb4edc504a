/* The least that the first light can cost on a known strip without a link: Connect, then the frame. Nothing else.
   connect DEVICE CHARACTERISTIC HEX       (on the system bus; disconnects afterwards) */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DBusConnection *bus;

static DBusMessage *call(const char *path, const char *interface, const char *member, const unsigned char *frame, int length, DBusError *error)
{
    DBusMessage *message = dbus_message_new_method_call("org.bluez", path, interface, member);
    if (frame) {
        DBusMessageIter arguments, bytes, options;
        dbus_message_iter_init_append(message, &arguments);
        dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &bytes);
        dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &frame, length);
        dbus_message_iter_close_container(&arguments, &bytes);
        dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
        dbus_message_iter_close_container(&arguments, &options);
    }
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 60000, error);
    dbus_message_unref(message);
    return reply;
}

static int is_resolved(DBusMessage *signal, const char *device)
{
    DBusMessageIter arguments, dict, entry, variant;
    const char *key;
    dbus_bool_t value = FALSE;
    if (!dbus_message_is_signal(signal, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged") || !dbus_message_has_path(signal, device)) return 0;
    dbus_message_iter_init(signal, &arguments);
    dbus_message_iter_next(&arguments);
    for (dbus_message_iter_recurse(&arguments, &dict); dbus_message_iter_get_arg_type(&dict) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&dict)) {
        dbus_message_iter_recurse(&dict, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        if (!strcmp(key, "ServicesResolved")) { dbus_message_iter_get_basic(&variant, &value); return value; }
    }
    return 0;
}

int main(int argc, char **argv)
{
    unsigned char frame[20];
    int length = 0;
    DBusError error = DBUS_ERROR_INIT;
    if (argc != 4) return 2;
    for (const char *hex = argv[3]; hex[0] && hex[1] && length < 20; hex += 2) {
        unsigned byte;
        if (sscanf(hex, "%2x", &byte) != 1) return 2;
        frame[length++] = byte;
    }
    bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
    if (!bus) { fprintf(stderr, "connect: %s\n", error.message); return 1; }
    dbus_bus_add_match(bus, "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties'", NULL);
    if (!call(argv[1], "org.bluez.Device1", "Connect", NULL, 0, &error)) { fprintf(stderr, "connect: %s\n", error.message); return 1; }
    if (!call(argv[2], "org.bluez.GattCharacteristic1", "WriteValue", frame, length, NULL)) {
        for (int resolved = 0; !resolved && dbus_connection_read_write(bus, 30000);)
            for (DBusMessage *signal; (signal = dbus_connection_pop_message(bus)); dbus_message_unref(signal))
                if (is_resolved(signal, argv[1])) resolved = 1;
        if (!call(argv[2], "org.bluez.GattCharacteristic1", "WriteValue", frame, length, &error)) { fprintf(stderr, "connect: %s\n", error.message); return 1; }
    }
    call(argv[1], "org.bluez.Device1", "Disconnect", NULL, 0, NULL);
    dbus_connection_close(bus);
    return 0;
}
