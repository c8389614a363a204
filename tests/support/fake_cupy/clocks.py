"""Vector clocks: which work is known to have ended.

Each stream counts its steps. For every other stream, it knows the step up to which that stream's work ends before
its own next step, which it learns from events it waits for. The host has such knowledge too, from its waits; all
host threads share it. Work A precedes work B exactly if B's stream, when B is queued, knows A's step.
"""


class HostClock:
    """The steps known to the host to have ended: stream key -> step."""

    def __init__(self):
        self.known = {}
        self.version = 0

    def join(self, known):
        """Merges `known` into the clock; returns whether it changed."""
        mine = self.known
        news = False
        for key, step in known.items():
            if mine.get(key, 0) < step:
                mine[key] = step
                news = True
        if news:
            self.version += 1
        return news


class StreamState:
    """A stream's clock: `key` identifies the stream, `known` the work completed before its next step."""

    def __init__(self, key, device, pointer, non_blocking, name=None):
        self.key = key
        self.device = device
        self.pointer = pointer
        self.non_blocking = non_blocking
        self.name = name or f"stream {pointer:#x} of device {device}"
        self.step = 0
        self.known = {key: 0}
        self.host_version = -1
        self.capture = None
        self.priority = 0
        self.polls = 0
        self.pending = []  # host functions and arrivals of copies not yet seen by the host
        if pointer == 0:
            self.name = f"the null stream of device {device}"

    def join(self, known):
        mine = self.known
        for key, step in known.items():
            if mine.get(key, 0) < step:
                mine[key] = step

    def advance(self, machine):
        """Starts the next work item; returns the clock of everything that precedes it."""
        host = machine.host
        if self.host_version != host.version:
            self.join(host.known)
            self.host_version = host.version
        streams = machine.devices[self.device].streams
        if self.pointer == 0:
            for other in streams:
                if not other.non_blocking and other is not self:
                    self.join(other.known)
        elif not self.non_blocking:
            self.join(streams[0].known)
        self.step += 1
        self.known[self.key] = self.step
        return self.step
