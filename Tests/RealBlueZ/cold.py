"""The first light on a known strip without a link: stripctl against a bare Connect and write. Prints medians in ms."""
import subprocess
import sys
import time

from guest import LONG, PATIENT, Guest, color

ROUNDS = 7
binaries, connect = sys.argv[1:]
guest = Guest(binaries)
desk = "ff:ff:38:5b:40:01"
device = "/org/bluez/hci0/dev_FF_FF_38_5B_40_01"
guest.ctl("color", "ff8800", *PATIENT, desk)
guest.settled([desk], 0)
tree = subprocess.run(["busctl", "--system", "--list", "tree", "org.bluez"], capture_output=True, text=True).stdout.split()
characteristic = next(path for path in tree if path.startswith(device) and "/char" in path and "/desc" not in path
                      and "ffd9" in subprocess.run(["busctl", "--system", "get-property", "org.bluez", path,
                                                    "org.bluez.GattCharacteristic1", "UUID"],
                                                   capture_output=True, text=True).stdout)


def without_link():
    """The strip advertises and has no link; what was going on has ended."""
    guest.ctl("release", desk)
    mark = [e["event"] for e in guest.of(desk, "connected", "disconnected")]
    if mark[-1] == "connected":
        count = mark.count("disconnected")
        guest.until("the link ends", lambda: len(guest.of(desk, "disconnected")) > count)
    time.sleep(2)


def first_frame(command):
    """Milliseconds from the start of the command to its first frame at the strip."""
    without_link()
    mark, start = guest.mark(), time.monotonic_ns()
    process = subprocess.run(command, capture_output=True, text=True, timeout=2 * LONG)
    if process.returncode:
        print("%s: exit %d: %s" % (command[0], process.returncode, process.stderr))
    frames = guest.of(desk, "frame", since=mark)
    return (frames[0]["t_ns"] - start) / 1e6 if frames else float("inf")


ours, floor = [], []
for i in range(ROUNDS):
    ours.append(first_frame([binaries + "/stripctl", "--socket", guest.socket, "color", "%06x" % (0x101010 + i), desk]))
    floor.append(first_frame([connect, device, characteristic, color("%06x" % (0x202020 + i))]))
middle, least = sorted(ours)[ROUNDS // 2], sorted(floor)[ROUNDS // 2]
print("stripctl:", *("%.0f" % value for value in ours))
print("bare:    ", *("%.0f" % value for value in floor))
print("cold %.0f %.0f %.2f" % (middle, least, middle / least))
guest.daemon.terminate()
guest.daemon.wait(30)
