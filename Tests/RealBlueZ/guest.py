"""What a scenario in the guest works with: the daemon, its command line, and the log of what each strip received."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

QUERY = "ef0177"
ON, OFF = "cc2333", "cc2433"
OUT = os.environ.get("RIG_OUT", "/tmp")
LONG = 60  # seconds; the guest may be ten times slower than its host
PATIENT = ["--timeout", "45"]


def color(text):
    return "56" + text + "00f0aa"


class Guest:
    def __init__(self, binaries, *options):
        self.binaries = binaries
        self.place = tempfile.mkdtemp(prefix="stripd-")
        self.socket = os.path.join(self.place, "stripd.sock")
        self.log = open(os.path.join(OUT, "stripd.log"), "wb")
        self.failures = self.checks = 0
        state = os.path.join(self.place, "state")
        os.mkdir(state)
        self.daemon = subprocess.Popen(
            [os.path.join(binaries, "stripd"), "--socket", self.socket, "--state", state, "--log-level", "debug", *options],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.until("stripd listens", lambda: os.path.exists(self.socket))

    # ---- saying

    def check(self, what, found, expected):
        """One line; what was found is shown when it is not what was expected."""
        self.checks += 1
        if found == expected:
            print("ok   " + what, flush=True)
            return True
        self.failures += 1
        print("FAIL %s\n       found    %r\n       expected %r" % (what, found, expected), flush=True)
        return False

    def until(self, what, fact, seconds=LONG):
        """Waits for a fact; a fact that never comes is a failure, and the scenario goes on."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = fact()
            if value:
                return value
            if self.daemon.poll() is not None:
                break
            time.sleep(0.1)
        return self.check(what, "stripd ended" if self.daemon.poll() is not None else "not within %d s" % seconds, True)

    def end(self):
        """Stops the daemon as systemd would, and ends the scenario."""
        self.daemon.terminate()
        try:
            self.check("stripd ends cleanly on SIGTERM", self.daemon.wait(30), 0)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
            self.check("stripd ends cleanly on SIGTERM", "still there after 30 s", 0)
        self.check("the socket is gone", os.path.exists(self.socket), False)
        shutil.rmtree(self.place, ignore_errors=True)
        if self.failures:
            self.log.flush()
            with open(self.log.name, errors="replace") as log:
                sys.stderr.writelines(log.readlines()[-60:])
        sys.exit(1 if self.failures else 0)

    # ---- asking

    def start(self, *arguments):
        return subprocess.Popen([os.path.join(self.binaries, "stripctl"), "--socket", self.socket, *arguments],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ctl(self, *arguments, code=0):
        """Runs stripctl; an unexpected exit code is a failure. Answers (output, talk)."""
        process = self.start(*arguments)
        try:
            out, talk = process.communicate(timeout=2 * LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            out, talk = process.communicate()
            talk += "(killed: no end after %d s)" % (2 * LONG)
        if process.returncode != code:
            self.check("stripctl %s ends with %s" % (" ".join(arguments), code),
                       (process.returncode, out.strip(), talk.strip()), code)
        return out, talk

    def strips(self):
        """Every known strip by its address."""
        out, _ = self.ctl("list", "--json")
        try:
            answer = json.loads(out)
        except ValueError:
            self.check("list --json is JSON", out, "JSON")
            return {}
        strips = answer["strips"] if isinstance(answer, dict) else answer
        return {strip["id"]: strip for strip in strips}

    # ---- what the strips say

    def events(self):
        events = []
        with open(os.path.join(OUT, "strip.jsonl")) as log:
            for line in log:
                if line.endswith("\n"):
                    events.append(json.loads(line))
        return events

    def of(self, address, *kinds, since=0):
        return [e for e in self.events()[since:] if e.get("addr", "").lower() == address and e["event"] in kinds]

    def frames(self, address, since=0):
        return [e["hex"] for e in self.of(address, "frame", since=since)]

    def mark(self):
        return len(self.events())

    def settled(self, addresses, since):
        """Waits until every strip was asked after its last frame, and what it answered is known."""
        def asked():
            strips = self.strips()
            for address in addresses:
                strip, frames = strips.get(address, {}), self.frames(address, since)
                if not frames or frames[-1] != QUERY or strip.get("pending"):
                    return False
                if any(group["is"] != "reported" for group in strip["certainty"].values()):
                    return False
            return True
        return self.until("the strips were asked, and answered", asked)

    def forget_that_it_is_on(self):
        """A colour sends "on" again once 2 s have passed since that was last written or reported."""
        time.sleep(2.5)
