"""Requests waiting for threads: their number and duration, and the effect of failures on others."""

import asyncio
import threading

import pytest

import tfmini as tf
from tfmini._src.programs.serving.steps import Steps
from tfmini._src.programs.serving.turns import CallKind


def ran(steps, coroutine):
    try:
        return asyncio.run(asyncio.wait_for(coroutine, 60))
    finally:
        steps.close()


def test_calls_run_on_separate_threads():
    steps = Steps(2, 10, 60)

    async def work():
        names = [await steps.run(CallKind("m"), lambda: threading.current_thread().name)]
        names.append(await steps.load("line", lambda: threading.current_thread().name))
        return (
            names,
            await steps.run(CallKind("m"), divmod, 7, 2),
            await steps.load("line", max, 3, 4),
        )

    (step, loading), quotient, largest = ran(steps, work())
    assert step.startswith("tfmini step") and loading.startswith("tfmini loading line")
    assert quotient == (3, 1) and largest == 4


def test_model_loads_while_steps_are_busy():
    steps, loaded = Steps(1, 10, 60), threading.Event()

    async def work():
        step = asyncio.ensure_future(steps.run(CallKind("m"), loaded.wait, 60))
        await steps.load("m", loaded.set)
        return await step

    assert ran(steps, work()) is True


def test_stalled_load_does_not_delay_others():
    steps, end = Steps(1, 10, 60), threading.Event()

    async def work():
        stalled = asyncio.ensure_future(steps.load("network disk", end.wait, 60))
        loaded = await steps.load("m", max, 3, 4)
        end.set()
        return loaded, await stalled

    assert ran(steps, work()) == (4, True)


def test_waiting_requests_are_limited():
    steps = Steps(1, 2, 60)

    async def work():
        end = asyncio.Event()
        waiting = [asyncio.ensure_future(steps.run_limited(end.wait())) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(tf.errors.UnavailableError, match="^2 requests are in progress, the"):
            await steps.run_limited(end.wait())
        end.set()
        await asyncio.gather(*waiting)
        return await steps.run_limited(asyncio.sleep(0, "again"))

    assert ran(steps, work()) == "again"


def test_failed_and_timed_out_requests_release_their_slot():
    steps = Steps(1, 1, 0.05)

    async def fails():
        raise KeyError("mine")

    async def work():
        for _ in range(2):
            with pytest.raises(KeyError, match="mine"):
                await steps.run_limited(fails())
            text = "^The request took longer than 0.05 s$"
            with pytest.raises(tf.errors.DeadlineExceededError, match=text):
                await steps.run_limited(asyncio.Event().wait())
        return await steps.run_limited(asyncio.sleep(0, "room"))

    assert ran(steps, work()) == "room"
