"""Cancelled steps, and steps that continue regardless."""

import asyncio
import threading
from concurrent import futures

import pytest

import tfmini as tf
from tests.support import waiting
from tests.support.held_locks import waits_for
from tfmini._src.programs.serving import step_threads
from tfmini._src.programs.serving.pauses import Pauses
from tfmini._src.programs.serving.step_threads import StepThreads
from tfmini._src.programs.serving.turns import CallKind


def started(threads, function, *arguments):
    """A task running a call, which has begun."""
    begun = threading.Event()

    def record():
        begun.set()
        return function(*arguments)

    async def begin():
        task = asyncio.ensure_future(threads.run(CallKind("m"), record))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        return task

    return begin()


def endless():
    """A step with an endless loop."""
    with tf.Graph().as_default(), tf.Session() as session:
        count = tf.while_loop(lambda i: i >= 0, lambda i: (i + 1) % 1000, [tf.constant(0)])
        return session.run(count)


async def cancelled(task):
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_cancelled_loop_releases_thread(monkeypatch):
    monkeypatch.setattr(step_threads, "_GRACE", 60.0)  # no other thread replaces it

    async def work():
        threads = StepThreads(1, "loops", Pauses())
        await cancelled(await started(threads, endless))
        name = await asyncio.wait_for(
            threads.run(CallKind("m"), lambda: threading.current_thread().name), 60
        )
        threads.close()
        return name

    assert asyncio.run(work()) == "loops_0"


def test_overdue_thread_is_replaced(monkeypatch):
    monkeypatch.setattr(step_threads, "_GRACE", 0.01)
    monkeypatch.setattr(step_threads, "_MAX_OVERDUE", 2)
    end = threading.Event()

    def name():
        return threading.current_thread().name

    async def work():
        threads, names = StepThreads(1, "busy", Pauses()), []
        for _ in range(2):
            await cancelled(await started(threads, end.wait, 60))
            if not names:
                names.append(await asyncio.wait_for(threads.run(CallKind("m"), name), 60))
        while threads._overdue < 2:
            await asyncio.sleep(0.001)
        text = (
            "^2 steps past their time limits are still running, 2 for each of 1 threads; no other step can start "
            "until one of them ends$"
        )
        with pytest.raises(tf.errors.UnavailableError, match=text):
            await threads.run(CallKind("m"), name)
        end.set()
        while threads._overdue:
            await asyncio.sleep(0.001)
        names.append(await asyncio.wait_for(threads.run(CallKind("m"), name), 60))
        threads.close()
        return names

    assert asyncio.run(work()) == ["busy_1", "busy_2"]
    left = [f"busy_{index}" for index in range(3)]
    waiting.until(lambda: not {each.name for each in threading.enumerate()} & set(left))


def test_call_cancelled_while_queued_never_runs():
    end, ran = threading.Event(), []

    async def work():
        threads = StepThreads(1, "turns", Pauses())
        first = await started(threads, end.wait, 60)
        second = asyncio.ensure_future(threads.run(CallKind("m"), ran.append, "second"))
        await asyncio.sleep(0)
        await cancelled(second)
        end.set()
        assert await first is True
        await threads.run(CallKind("m"), ran.append, "third")
        threads.close()

    asyncio.run(work())
    assert ran == ["third"]


def test_other_kinds_do_not_wait_for_slow_calls():
    end = threading.Event()

    async def work():
        threads = StepThreads(2, "kinds", Pauses())
        slow = [await started(threads, end.wait, 60) for _ in range(2)]
        later = [asyncio.ensure_future(threads.run(CallKind("m"), end.wait, 60)) for _ in range(5)]
        for index in range(3):
            answer = await asyncio.wait_for(threads.run(CallKind("other"), int, index), 60)
            assert answer == index
        assert not any(task.done() for task in slow + later)
        end.set()
        assert await asyncio.gather(*slow, *later) == [True] * 7
        threads.close()
        return threads._started

    assert asyncio.run(work()) == 3


def test_call_errors_propagate():
    async def work():
        threads = StepThreads(1, "errors", Pauses())
        try:
            await threads.run(CallKind("m"), int, "three")
        finally:
            threads.close()

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(work())


def test_call_cancelled_at_start_never_runs():
    """Its future already counts as running; the thread checks the job itself."""
    threads, ran = StepThreads(0, "none", Pauses()), []
    job = step_threads._Job(CallKind("m"), ran.append, ("first",))
    assert not threads._stop(job)
    threads._jobs.put(job)
    threads._jobs.put(None)
    threads._work()
    assert ran == []


def test_call_completes_under_lock():
    """A late cancellation cannot hit its thread's next call."""
    threads, begun, last = StepThreads(1, "ends", Pauses()), threading.Event(), threading.Event()

    def step():
        begun.set()
        last.wait()

    def end(done):
        last.set()
        done.result()

    with futures.ThreadPoolExecutor(1) as pool:
        done = pool.submit(asyncio.run, threads.run(CallKind("m"), step))
        begun.wait()
        assert waits_for(threads._lock, lambda: end(done))
    threads.close()
