"""Shadow memory compared with a byte-by-byte implementation."""

import random
import types

import pytest

from tests.support.fake_cupy.shadow import Shadow
from tests.support.fake_cupy.violations import RaceError, UseAfterFreeError

SIZE = 24


class Stream:
    def __init__(self, key):
        self.key = key
        self.name = f"stream {key}"
        self.known = dict.fromkeys(range(3), 0)

    def advance(self):
        self.known[self.key] += 1

    def wait(self, other):
        for key, step in other.known.items():
            self.known[key] = max(self.known[key], step)


class Machine:
    def violate(self, kind, message):
        raise kind(message)


def test_shadow_matches_per_byte_model():
    rng = random.Random(0)
    result = {True: 0, False: 0}
    for _ in range(300):
        streams = [Stream(key) for key in range(3)]
        shadow = Shadow(100, 100 + SIZE)
        uses = [[] for _ in range(SIZE)]
        for _ in range(12):
            stream = rng.choice(streams)
            if rng.random() < 0.4:
                stream.wait(rng.choice(streams))
                continue
            low = rng.randrange(SIZE)
            high = rng.randrange(low, SIZE) + 1
            write = rng.random() < 0.4
            stream.advance()
            races = any(
                stream.known[key] < step
                for byte in uses[low:high]
                for key, step, wrote in byte
                if (write or wrote) and key != stream.key
            )
            result[races] += 1
            if races:
                with pytest.raises(
                    RaceError,
                    match="race on device memory: use on stream . (reads|writes) what use on stream . (reads|writes)",
                ):
                    shadow.note(Machine(), 100 + low, 100 + high, write, stream, "use")
                break
            shadow.note(Machine(), 100 + low, 100 + high, write, stream, "use")
            for byte in uses[low:high]:
                byte.append((stream.key, stream.known[stream.key], write))
            if rng.random() < 0.2:
                rest = shadow.split(100 + rng.randrange(1, SIZE))
                shadow.join(rest)
    assert min(result.values()) > 100


def test_use_of_previous_owner_is_reported():
    shadow, (first, second) = Shadow(0, 8), (Stream(0), Stream(1))
    first.advance()
    shadow.note(Machine(), 0, 8, False, first, "read")
    shadow.end()
    second.advance()
    with pytest.raises(UseAfterFreeError, match="given back while read on stream 0"):
        shadow.note(Machine(), 0, 4, True, second, "write")


def test_host_ordered_uses_are_forgotten():
    shadow, (first, second) = Shadow(0, 8), (Stream(0), Stream(1))
    first.advance()
    shadow.note(Machine(), 0, 4, True, first, "write")
    shadow.forget(types.SimpleNamespace(known={0: 1}))
    assert shadow.cells == [[]] and shadow.starts == [0]
    second.advance()
    shadow.note(Machine(), 0, 8, True, second, "write")


def test_recorded_uses_are_bounded():
    shadow, stream = Shadow(0, 8), Stream(0)
    for position in range(100):
        stream.advance()
        shadow.note(Machine(), position % 8, position % 8 + 1, position % 3 == 0, stream, "use")
    assert len(shadow.cells) <= 8 and max(map(len, shadow.cells)) <= 2
