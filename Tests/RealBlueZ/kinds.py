"""Six strips of five kinds: two usual ones (one of them without a white channel), one for each write type, the other
layout, and one that is deaf while off."""
import json
import sys
import time

from guest import LONG, OFF, ON, PATIENT, QUERY, Guest, color

NAMES = ["desk", "shelf", "wnr", "write", "ffe", "deaf"]
STRIPS = {"ff:ff:38:5b:40:0%d" % (i + 1): name for i, name in enumerate(NAMES)}
BY_NAME = {name: address for address, name in STRIPS.items()}
guest = Guest(sys.argv[1])


def step(what, expected, *arguments, names=NAMES):
    """One command to some strips at once, and the exact frames that each gets."""
    guest.forget_that_it_is_on()
    mark = guest.mark()
    guest.ctl(*arguments, *PATIENT, *names)
    guest.settled([BY_NAME[name] for name in names], mark)
    for name in names:
        guest.check("%s: %s" % (name, what), guest.frames(BY_NAME[name], mark), expected)


def shown(what, **values):
    """Every strip is shown as it is."""
    strips = guest.strips()
    for address, name in STRIPS.items():
        strip = strips.get(address, {})
        guest.check("%s: %s" % (name, what), {key: strip.get(key) for key in values}, values)


def every_strip_of_the_light(what, rgbw, power):
    """What the firmware really shows."""
    for address, name in STRIPS.items():
        last = guest.of(address, "frame")[-1]
        guest.check("%s: %s" % (name, what), (last["rgbw"], last["power"]), (rgbw, power))


# ---- scan and adopt
out, _ = guest.ctl("scan", "--json")
found = {one["address"]: one["verdict"] for one in json.loads(out or "{}").get("found", [])}
guest.check("scan finds all strips", found, {address: "strip" for address in STRIPS})
_, talk = guest.ctl("color", "ff8800", code=3)
guest.check("color with several strips and none adopted lists them", [a for a in STRIPS if a in talk.lower()], list(STRIPS))
for address, name in STRIPS.items():
    guest.ctl("adopt", address, name)
guest.check("all are known by their names", {a: s["alias"] for a, s in guest.strips().items()}, STRIPS)
for address, name in STRIPS.items():
    guest.check("%s: nothing was written yet" % name, guest.frames(address), [])

# ---- every verb; the first one alone for each strip, without a link
for name in NAMES:
    step("the first color", [ON, color("ff8800"), QUERY], "color", "ff8800", names=[name])
mark = guest.mark()
shown("status after color", on=True, color="ff8800", brightness=100, link="ready", available=True, effect=None)
out, _ = guest.ctl("status", "desk", "--json")
guest.check("status --json has the colour", '"ff8800"' in out, True)
for address, name in STRIPS.items():
    guest.check("%s: reading writes nothing" % name, guest.frames(address, mark), [])

step("white without a channel", [ON, color("333333"), QUERY], "white", "20", names=["desk"])
step("white with a channel", [ON, "56000000330faa", QUERY], "white", "20", names=NAMES[1:])
step("effect", [ON, "bb260144", QUERY], "effect", "0x26", "--speed", "100")
shown("status in an effect", on=True, speed=100)
step("white on the channel that it is said to have", [ON, "56000000ff0faa", QUERY], "white", "100", "--channel")
every_strip_of_the_light("the white channel is on", [0, 0, 0, 255], True)
step("off", [OFF, QUERY], "off")
shown("status after off", on=False)
step("color from off: light, on, light", [color("00ff00"), ON, color("00ff00"), QUERY], "color", "00ff00")
every_strip_of_the_light("the colour is there after off", [0, 255, 0, 0], True)
step("toggle asks, then switches off", [QUERY, OFF, QUERY], "toggle")
step("toggle asks, then switches on", [QUERY, ON, QUERY], "toggle")
step("on", [ON, QUERY], "on")

# ---- two colours in a row: "on" only once
guest.forget_that_it_is_on()
mark = guest.mark()
start = time.monotonic()
guest.ctl("color", "ff0000", "desk")
guest.ctl("color", "0000ff", "desk")
if time.monotonic() - start < 1.9:
    guest.settled([BY_NAME["desk"]], mark)
    frames = [frame for frame in guest.frames(BY_NAME["desk"], mark) if frame != QUERY]
    guest.check("desk: two colours in a row", frames, [ON, color("ff0000"), color("0000ff")])

# ---- watch
watch = guest.start("watch", "--json", "shelf")
time.sleep(1)  # nothing tells when it listens; it begins with a snapshot, so that nothing can be missed for long
guest.ctl("color", "123456", "shelf")
time.sleep(3)
watch.terminate()
out, talk = watch.communicate(timeout=LONG)
lines = [line for line in out.splitlines() if line.strip()]
guest.check("watch shows the new colour", any('"123456"' in line for line in lines) or (out, talk), True)
guest.check("watch --json is one object a line", all(line.startswith("{") for line in lines) or lines[:3], True)

# ---- everything off, and how it was written
guest.forget_that_it_is_on()
mark = guest.mark()
guest.ctl("off", "all")
guest.settled(list(STRIPS), mark)
for address, name in STRIPS.items():
    guest.check("%s: off all" % name, guest.frames(address, mark), [OFF, QUERY])
    ways = {e["how"] for e in guest.of(address, "frame")}
    guest.check("%s: write type" % name, ways, {"command"} if name == "wnr" else {"request"})
    guest.check("%s: no write of a type that it lacks" % name, guest.of(address, "refused"), [])
guest.end()
