"""Long loops pause while later requests arrive."""

import time

import pytest

from tfmini._src.programs.serving.pauses import Pauses


class Clock:
    """A clock that advances only explicitly or by sleeping."""

    def __init__(self):
        self.now, self.slept = 100.0, []

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for name in ("perf_counter", "sleep"):
        monkeypatch.setattr(time, name, getattr(clock, name))
    return clock


@pytest.mark.parametrize(
    ("request_after", "end_of_pauses"), [(None, 0.0), (0.0, 0.0), (0.01, 0.11), (0.5, 0.6)]
)
def test_loop_pauses_after_later_request(clock, request_after, end_of_pauses):
    pauses = Pauses()
    if request_after == 0.0:  # the loop's own
        pauses.note_step()
    pause, begin, latest = pauses.hook(), clock.now, 0.0
    for iteration in range(10_000):
        clock.now += 1e-4
        if request_after and iteration == round(request_after / 1e-4):
            pauses.note_step()
        before = len(clock.slept)
        pause()
        if len(clock.slept) > before:
            latest = clock.now - begin
    assert latest == pytest.approx(end_of_pauses, abs=2e-3)
    assert bool(clock.slept) == bool(end_of_pauses)
    if clock.slept:  # it runs for a quarter of that time
        assert 0.7 < sum(clock.slept) / 0.1 < 0.8


def test_short_loop_does_not_pause(clock):
    pauses = Pauses()
    pause = pauses.hook()
    pauses.note_step()
    for _ in range(45):
        clock.now += 1e-4
        pauses.note_step()
        pause()
    assert not clock.slept
