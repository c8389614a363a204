"""Steps no slower than a thread switch run on the event loop, others do not."""

import asyncio
import threading

import numpy as np
import pytest

from tests.programs.serving import served
from tfmini._src.programs.serving import served_model
from tfmini._src.programs.serving.batching import Batching
from tfmini._src.programs.serving.quickness import QUICK_SECONDS, StepDurationEstimate
from tfmini._src.programs.serving.served_model import ServedModel
from tfmini._src.programs.serving.steps import Steps

FAST, MIDDLE, SLOW, ALWAYS = 1e-4, 1e-3, 1e-2, 60.0  # seconds


def test_quick_run_covers_smaller_inputs():
    step = StepDurationEstimate(True, QUICK_SECONDS)
    assert not step.covers(0)
    for size, seconds, largest in ((8, MIDDLE, -1), (8, FAST, 8), (4, FAST, 8), (16, SLOW, 8)):
        step.note(size, seconds)
        assert [step.covers(each) for each in (largest, largest + 1)] == [True, False]


def test_occasionally_slow_step_stays_on_threads():
    step = StepDurationEstimate(True, QUICK_SECONDS)
    for mistakes in range(4):
        step.note(8, FAST)
        assert step.covers(8) == (mistakes < 3)
        step.note(8, MIDDLE)  # another process used the core
        assert step.covers(8) == (mistakes < 3)
        step.note(4, SLOW)
        assert not step.covers(0)


def test_step_with_loop_is_never_quick():
    step = StepDurationEstimate(False, QUICK_SECONDS)
    step.note(8, FAST)
    assert not step.covers(8)


@pytest.fixture
def runs(monkeypatch):
    """The threads of steps, all of which count as quick."""
    names, note = [], StepDurationEstimate.note

    def record(step, size, seconds):
        if step._limit == ALWAYS:
            names.append(threading.current_thread().name)
        note(step, size, seconds)

    monkeypatch.setattr(StepDurationEstimate, "note", record)
    monkeypatch.setattr(served_model, "QUICK_SECONDS", ALWAYS)
    return names


def answers(directory, inputs, batch):
    """The outputs of requests sent sequentially, and then simultaneously."""

    async def run():
        signature = ServedModel(str(directory)).signature("")
        steps = Steps(2, 10, 60)
        batching = Batching(steps, batch, 0, lambda rows: None)
        try:
            outputs = signature.checked_outputs(())
            result = [await batching.run(signature, each, outputs) for each in inputs]
            together = (batching.run(signature, each, outputs) for each in inputs)
            return [*result, *await asyncio.gather(*together)]
        finally:
            steps.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize("batch", [1, 16])
def test_quick_model_moves_to_event_loop(tmp_path, runs, batch):
    served.line(str(tmp_path / "line"), 2)
    inputs = [{"x": np.float32([[i, 1]] * rows)} for i, rows in ((1, 2), (2, 2), (3, 3), (4, 2))]
    result = answers(tmp_path / "line", inputs, batch)
    assert [each["y"].tolist() for each in result] == [
        [[2.0 * i + 1]] * rows for i, rows in ((1, 2), (2, 2), (3, 3), (4, 2)) * 2
    ]
    # The first, the first of more rows, and the first batch of all rows.
    first = ["tfmini step", "MainThread", "tfmini step", "MainThread"]
    others = ["MainThread"] * 4 if batch == 1 else ["tfmini step"]
    assert [name.rsplit("_")[0] for name in runs] == first + others


def test_model_with_loop_runs_on_threads(tmp_path, runs):
    served.counter(str(tmp_path / "counter"))
    answers(tmp_path / "counter", [{"number": np.int64(n)} for n in (3, 2, 1)], 1)
    assert len(runs) == 6 and all(name.startswith("tfmini step") for name in runs)
