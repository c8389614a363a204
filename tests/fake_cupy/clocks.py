"""Vector clocks: who can know that which work has ended.

Each stream counts its own steps. It also knows, for every other stream, up to which step that one's work
is sure to have ended before its own next step: it learns that from events it waits for. The host has such
knowledge too, from what it waited for; all host threads share it. Work A comes before work B exactly if the
stream of B, when B is queued, knows A's step.
"""

from tests.fake_cupy import violations


class HostClock:
    """What the host knows to have ended: stream key -> step."""

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


class Access:
    """One use of a stretch of memory: from byte `low` up to `high`, by which stream at which step."""

    __slots__ = ("low", "high", "write", "stream", "step", "name", "former")

    def __init__(self, low, high, write, stream, step, name):
        self.low = low
        self.high = high
        self.write = write
        self.stream = stream
        self.step = step
        self.name = name
        self.former = False  # by an owner that has since given the memory back


def note(machine, accesses, low, high, write, stream, name):
    """Record a use of [low, high) in `accesses`; a violation if it is not ordered after an earlier one."""
    known = stream.known
    key = stream.key
    kept = []
    for access in accesses:
        other = access.stream
        if access.low < high and low < access.high:
            if (write or access.write) and other is not stream:
                if known.get(other.key, 0) < access.step:
                    _complain(machine, access, write, stream, name)
            covered = low <= access.low and access.high <= high
            if covered and (write or (other is stream and not access.write)):
                continue
        kept.append(access)
    kept.append(Access(low, high, write, stream, known[key], name))
    accesses[:] = kept


def _complain(machine, access, write, stream, name):
    first = "writes" if access.write else "reads"
    second = "writes" if write else "reads"
    if access.former:
        machine.violate(
            violations.UseAfterFreeError,
            f"use after free across streams: {name} on {stream.name} {second} memory that was given back while"
            f" {access.name} on {access.stream.name}, which {first} it, may not have ended",
        )
    machine.violate(
        violations.RaceError,
        f"race on device memory: {name} on {stream.name} {second} what {access.name} on {access.stream.name}"
        f" {first}, and nothing orders the two",
    )


def unfinished(accesses, host):
    """The accesses that the host does not yet know to have ended."""
    known = host.known
    return [access for access in accesses if known.get(access.stream.key, 0) < access.step]
