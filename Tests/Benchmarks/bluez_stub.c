/* An org.bluez with two connectable strips and no radio: every call is answered at once, so that what is measured is the
   caller. The objects are those that BlueZ exports for a device whose GATT objects were kept.
   bluez_stub BUS        (prints "ready" once it owns the name) */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADAPTER "/org/bluez/hci0"
#define DEVICE ADAPTER "/dev_FF_FF_38_5B_40_0%d"
#define STRIPS 2

struct strip { unsigned char power, mode, speed, red, green, blue, white; dbus_bool_t connected, trusted, notifying; };
static struct strip strips[STRIPS] = {{0x23, 0x41, 0x10, 255, 0, 0, 0, 0, 0, 0}, {0x23, 0x41, 0x10, 255, 0, 0, 0, 0, 0, 0}};
static DBusConnection *bus;

/* ---- a{sv} */
static void property(DBusMessageIter *dict, const char *key, int type, const char *signature, const void *value)
{
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(dict, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(dict, &entry);
}
static void text(DBusMessageIter *dict, const char *key, const char *value) { property(dict, key, DBUS_TYPE_STRING, "s", &value); }
static void path(DBusMessageIter *dict, const char *key, const char *value) { property(dict, key, DBUS_TYPE_OBJECT_PATH, "o", &value); }
static void flag(DBusMessageIter *dict, const char *key, dbus_bool_t value) { property(dict, key, DBUS_TYPE_BOOLEAN, "b", &value); }

static void array(DBusMessageIter *dict, const char *key, const char *signature, int count, const char **texts, const unsigned char *bytes)
{
    DBusMessageIter entry, variant, items;
    dbus_message_iter_open_container(dict, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, signature + 1, &items);
    for (int i = 0; texts && i < count; i++) dbus_message_iter_append_basic(&items, DBUS_TYPE_STRING, &texts[i]);
    if (!texts) dbus_message_iter_append_fixed_array(&items, DBUS_TYPE_BYTE, &bytes, count);
    dbus_message_iter_close_container(&variant, &items);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(dict, &entry);
}

/* ---- the object tree: a{oa{sa{sv}}} with one interface an object */
struct object { DBusMessageIter entry, interfaces, interface, properties; };
static DBusMessageIter *begin(DBusMessageIter *objects, struct object *o, const char *at, const char *interface)
{
    dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &o->entry);
    dbus_message_iter_append_basic(&o->entry, DBUS_TYPE_OBJECT_PATH, &at);
    dbus_message_iter_open_container(&o->entry, DBUS_TYPE_ARRAY, "{sa{sv}}", &o->interfaces);
    dbus_message_iter_open_container(&o->interfaces, DBUS_TYPE_DICT_ENTRY, NULL, &o->interface);
    dbus_message_iter_append_basic(&o->interface, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&o->interface, DBUS_TYPE_ARRAY, "{sv}", &o->properties);
    return &o->properties;
}
static void end(DBusMessageIter *objects, struct object *o)
{
    dbus_message_iter_close_container(&o->interface, &o->properties);
    dbus_message_iter_close_container(&o->interfaces, &o->interface);
    dbus_message_iter_close_container(&o->entry, &o->interfaces);
    dbus_message_iter_close_container(objects, &o->entry);
}

static void service(DBusMessageIter *objects, const char *device, const char *name, const char *uuid)
{
    struct object o;
    char at[128];
    snprintf(at, sizeof at, "%s/%s", device, name);
    DBusMessageIter *p = begin(objects, &o, at, "org.bluez.GattService1");
    text(p, "UUID", uuid);
    path(p, "Device", device);
    flag(p, "Primary", TRUE);
    end(objects, &o);
}

static void characteristic(DBusMessageIter *objects, const char *device, const char *of, const char *name, const char *uuid, int flags, const char **names)
{
    struct object o;
    char at[160], parent[128];
    snprintf(parent, sizeof parent, "%s/%s", device, of);
    snprintf(at, sizeof at, "%s/%s", parent, name);
    DBusMessageIter *p = begin(objects, &o, at, "org.bluez.GattCharacteristic1");
    text(p, "UUID", uuid);
    path(p, "Service", parent);
    array(p, "Flags", "as", flags, names, NULL);
    array(p, "Value", "ay", 0, NULL, (const unsigned char *)"");
    if (!strcmp(names[0], "read")) flag(p, "Notifying", FALSE);
    end(objects, &o);
}

static void managed_objects(DBusMessage *reply)
{
    DBusMessageIter arguments, objects;
    struct object o;
    const char *services[] = {"0000ffd0-0000-1000-8000-00805f9b34fb", "0000ffd5-0000-1000-8000-00805f9b34fb"};
    dbus_message_iter_init_append(reply, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
    DBusMessageIter *p = begin(&objects, &o, ADAPTER, "org.bluez.Adapter1");
    text(p, "Address", "00:AA:01:00:00:42");
    text(p, "Name", "bench");
    text(p, "Alias", "bench");
    flag(p, "Powered", TRUE);
    flag(p, "Discovering", FALSE);
    end(&objects, &o);
    for (int i = 0; i < STRIPS; i++) {
        char device[64], address[32], name[32];
        dbus_int16_t rssi = -60;
        snprintf(device, sizeof device, DEVICE, i + 1);
        snprintf(address, sizeof address, "FF:FF:38:5B:40:0%d", i + 1);
        snprintf(name, sizeof name, "Triones-FFFF385B400%d", i + 1);
        p = begin(&objects, &o, device, "org.bluez.Device1");
        text(p, "Address", address);
        text(p, "AddressType", "public");
        text(p, "Name", name);
        text(p, "Alias", name);
        path(p, "Adapter", ADAPTER);
        flag(p, "Paired", FALSE);
        flag(p, "Trusted", strips[i].trusted);
        flag(p, "Blocked", FALSE);
        flag(p, "LegacyPairing", FALSE);
        flag(p, "Connected", strips[i].connected);
        flag(p, "ServicesResolved", strips[i].connected);
        array(p, "UUIDs", "as", 2, services, NULL);
        property(p, "RSSI", DBUS_TYPE_INT16, "n", &rssi);
        end(&objects, &o);
        service(&objects, device, "service000c", services[1]);
        characteristic(&objects, device, "service000c", "char000d", "0000ffd9-0000-1000-8000-00805f9b34fb", 2,
            (const char *[]){"write-without-response", "write"});
        service(&objects, device, "service000f", services[0]);
        characteristic(&objects, device, "service000f", "char0010", "0000ffd4-0000-1000-8000-00805f9b34fb", 2,
            (const char *[]){"read", "notify"});
    }
    dbus_message_iter_close_container(&arguments, &objects);
}

/* ---- signals */
static DBusMessage *changed(const char *at, const char *interface, DBusMessageIter *arguments, DBusMessageIter *dict)
{
    DBusMessage *signal = dbus_message_new_signal(at, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged");
    dbus_message_iter_init_append(signal, arguments);
    dbus_message_iter_append_basic(arguments, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "{sv}", dict);
    return signal;
}
static void emit(DBusMessage *signal, DBusMessageIter *arguments, DBusMessageIter *dict)
{
    DBusMessageIter none;
    dbus_message_iter_close_container(arguments, dict);
    dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "s", &none);
    dbus_message_iter_close_container(arguments, &none);
    dbus_connection_send(bus, signal, NULL);
    dbus_message_unref(signal);
}
static void link_changed(int i, const char *key, dbus_bool_t value)
{
    char device[64];
    DBusMessageIter arguments, dict;
    snprintf(device, sizeof device, DEVICE, i + 1);
    DBusMessage *signal = changed(device, "org.bluez.Device1", &arguments, &dict);
    flag(&dict, key, value);
    emit(signal, &arguments, &dict);
}
static void report(int i)
{
    char at[96];
    DBusMessageIter arguments, dict;
    struct strip *s = &strips[i];
    unsigned char status[12] = {0x66, 0x15, s->power, s->mode, 0x20, s->speed, s->red, s->green, s->blue, s->white, 0x06, 0x99};
    snprintf(at, sizeof at, DEVICE "/service000f/char0010", i + 1);
    DBusMessage *signal = changed(at, "org.bluez.GattCharacteristic1", &arguments, &dict);
    array(&dict, "Value", "ay", 12, NULL, status);
    emit(signal, &arguments, &dict);
}

/* What a strip makes of a frame; 1 if it asks for a status. */
static int received(struct strip *s, const unsigned char *f, int n)
{
    if (n == 3 && f[0] == 0xCC && f[2] == 0x33) s->power = f[1];
    if (n == 7 && f[0] == 0x56) {
        int white = f[5] == 0x0F;
        s->mode = 0x41;
        s->red = white ? 0 : f[1]; s->green = white ? 0 : f[2]; s->blue = white ? 0 : f[3]; s->white = white ? f[4] : 0;
    }
    if (n == 4 && f[0] == 0xBB) { s->mode = f[1]; s->speed = f[2]; }
    return n == 3 && f[0] == 0xEF && f[1] == 0x01 && f[2] == 0x77;
}

static DBusHandlerResult handle(DBusConnection *connection, DBusMessage *call, void *context)
{
    (void)context;
    if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *member = dbus_message_get_member(call), *at = dbus_message_get_path(call);
    int i = -1, wants_status = 0;
    sscanf(at, DEVICE, &i);
    i -= 1;
    int known = i >= 0 && i < STRIPS;
    DBusMessage *reply = dbus_message_new_method_return(call);
    if (!strcmp(member, "GetManagedObjects")) managed_objects(reply);
    if (!strcmp(member, "WriteValue") && known) {
        DBusMessageIter arguments, bytes;
        const unsigned char *frame = NULL;
        int length = 0;
        dbus_message_iter_init(call, &arguments);
        dbus_message_iter_recurse(&arguments, &bytes);
        dbus_message_iter_get_fixed_array(&bytes, &frame, &length);
        wants_status = received(&strips[i], frame, length);
    }
    if (!strcmp(member, "StartNotify") && known) strips[i].notifying = TRUE;
    if (!strcmp(member, "Connect") && known) { strips[i].connected = TRUE; link_changed(i, "Connected", TRUE); }
    if (!strcmp(member, "Disconnect") && known) { strips[i].connected = FALSE; link_changed(i, "ServicesResolved", FALSE); }
    dbus_connection_send(connection, reply, NULL);
    dbus_message_unref(reply);
    if (!strcmp(member, "Set") && known) { strips[i].trusted = TRUE; link_changed(i, "Trusted", TRUE); }
    if (!strcmp(member, "StartDiscovery") || !strcmp(member, "StopDiscovery")) {
        DBusMessageIter arguments, dict;
        DBusMessage *signal = changed(ADAPTER, "org.bluez.Adapter1", &arguments, &dict);
        flag(&dict, "Discovering", !strcmp(member, "StartDiscovery"));
        emit(signal, &arguments, &dict);
    }
    if (!strcmp(member, "Connect") && known) link_changed(i, "ServicesResolved", TRUE);
    if (!strcmp(member, "Disconnect") && known) link_changed(i, "Connected", FALSE);
    if (wants_status) report(i);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    bus = dbus_connection_open_private(argv[1], NULL);
    if (!bus || !dbus_bus_register(bus, NULL)) { fprintf(stderr, "bluez_stub: no bus at %s\n", argv[1]); return 1; }
    dbus_connection_add_filter(bus, handle, NULL, NULL);
    if (dbus_bus_request_name(bus, "org.bluez", DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) return 1;
    puts("ready");
    fflush(stdout);
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
