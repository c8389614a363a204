"""Vector clocks: who can know that which work has ended.

Each stream counts its own steps. It also knows, for every other stream, up to which step that one's work
is sure to have ended before its own next step: it learns that from events it waits for. The host has such
knowledge too, from what it waited for; all host threads share it. Work A comes before work B exactly if the
stream of B, when B is queued, knows A's step.
"""


class HostClock:
    """The steps that the host knows to have ended: stream key -> step."""

    def __init__(self):
        self.known = {}
        self.version = 0

    def join(self, known):
        """Learn what `known` says; returns whether it was news."""
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
    """A stream's clock: `key` names it, `known` is what has ended before its next step."""

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
        """Begin the next piece of work: the clock after all it is sure to come after."""
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
