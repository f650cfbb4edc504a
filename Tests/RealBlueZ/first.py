"""One strip, nothing known: the first command finds it, takes it and lights it; later ones need no scan."""
import json
import sys

from guest import ON, PATIENT, QUERY, Guest, color

guest = Guest(sys.argv[1])
desk = "ff:ff:38:5b:40:01"

out, talk = guest.ctl("color", "ff8800", "--json", *PATIENT)
guest.settled([desk], 0)
guest.check("the first color: on, the colour, and one query", guest.frames(desk), [ON, color("ff8800"), QUERY])
guest.check("it says which strip it took", any(desk in note for note in json.loads(out or "{}").get("notes", [])) or (out, talk), True)
guest.check("the strip is known", list(guest.strips()), [desk])

mark = guest.mark()
guest.ctl("release")
guest.until("release ends the link", lambda: guest.of(desk, "disconnected", since=mark))
guest.check("release writes nothing", guest.frames(desk, mark), [])

mark = guest.mark()
guest.forget_that_it_is_on()
guest.ctl("color", "00f", *PATIENT)
guest.settled([desk], mark)
guest.check("color without a link: on, the colour, and one query", guest.frames(desk, mark), [ON, color("0000ff"), QUERY])

mark = guest.mark()
guest.ctl("refresh")
guest.settled([desk], mark)
guest.check("refresh asks", guest.frames(desk, mark), [QUERY])
guest.end()
