"""Timeouts that cost little unless they expire."""

import asyncio

import pytest

from tfmini._src.programs.serving.deadline import Deadline
from tfmini._src.programs.serving.timers import Timers


class Clock(asyncio.SelectorEventLoop):
    """An event loop with settable time; `armed` timers, as kept by asyncio."""

    now = 0.0

    def time(self):
        return self.now

    def pass_to(self, now):
        """Runs the timers due by then."""
        self.now = now
        for _ in range(3):
            self.run_until_complete(asyncio.sleep(0))

    @property
    def armed(self):
        return sorted(timer.when() for timer in self._scheduled if not timer.cancelled())


@pytest.fixture
def clock():
    loop = Clock()
    yield loop
    loop.close()


def test_postponed_deadline_reuses_timer(clock):
    deadline, called = Deadline(clock), []
    for now in (0.0, 1.0, 2.0):
        clock.pass_to(now)
        deadline.set(10, lambda now=now: called.append(now))
        assert clock.armed == [10]
    clock.pass_to(11)
    assert called == [] and clock.armed == [12]
    clock.pass_to(12)
    assert called == [2.0] and clock.armed == []


def test_advanced_deadline_fires_early(clock):
    deadline, called = Deadline(clock), []
    deadline.set(10, lambda: called.append("far"))
    deadline.set(3, lambda: called.append("near"))
    assert clock.armed == [3]
    clock.pass_to(20)
    assert called == ["near"]


@pytest.mark.parametrize("end", ["clear", "end"])
def test_cleared_deadline_does_not_fire(clock, end):
    deadline, called = Deadline(clock), []
    deadline.set(10, lambda: called.append("cleared"))
    getattr(deadline, end)()
    assert clock.armed == ([10] if end == "clear" else [])
    deadline.set(20, lambda: called.append("set again"))
    clock.pass_to(15)
    assert called == []
    clock.pass_to(20)
    assert called == ["set again"]


def test_timer_without_deadline_fires_nothing(clock):
    deadline, failed = Deadline(clock), []
    clock.set_exception_handler(lambda loop, context: failed.append(context["message"]))
    deadline.set(10, lambda: failed.append("called"))
    deadline.clear()
    clock.pass_to(10)
    assert failed == [] and clock.armed == []


def test_timers_share_one_event_loop_timer(clock):
    timers, called = Timers(10), []

    async def set_at(*names):
        return [timers.set(lambda name=name: called.append(name)) for name in names]

    first, _ = clock.run_until_complete(set_at("a", "b"))
    clock.pass_to(4)
    clock.run_until_complete(set_at("c"))
    timers.cancel(first)
    assert clock.armed == [10]
    clock.pass_to(10)
    assert called == ["b"] and clock.armed == [14]
    timers.cancel(first)  # repeating it has no effect
    clock.pass_to(14)
    assert called == ["b", "c"] and clock.armed == []
    clock.run_until_complete(set_at("d"))
    assert clock.armed == [24]


def test_limit_raises_timeout_error():
    timers = Timers(0.05)

    async def run():
        async with timers.limit():
            await asyncio.sleep(0)
        with pytest.raises(TimeoutError, match="^$"):
            async with timers.limit():
                await asyncio.sleep(60)
        with pytest.raises(KeyError, match="mine"):
            async with timers.limit():
                raise KeyError("mine")
        return asyncio.current_task().cancelling()

    assert asyncio.run(asyncio.wait_for(run(), 60)) == 0
