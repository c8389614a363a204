"""Requests joined into steps, and limits on waiting requests."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.programs.serving import served
from tests.support import waiting
from tfmini._src.programs.serving.batching import Batching
from tfmini._src.programs.serving.steps import Steps

HOURS = ("--batch-wait", 1e7)  # only a full batch starts


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("models")
    served.kinds(str(directory / "1"))
    return directory


def predict(server, numbers, signature="serving_default"):
    inputs = {"text": ["a"] * len(numbers), "number": numbers}
    if signature == "total":
        del inputs["text"]
    return server.post("kinds:predict", {"signature_name": signature, "inputs": inputs})


def steps(server):
    """Step count, and rows per step."""
    _, text = server.ask("GET", "/monitoring/prometheus/metrics")
    return [
        float(re.search(rf"batch_size_{what} (\S+)", text)[1]) if "size_sum" in text else 0
        for what in ("count", "sum")
    ]


def test_full_batch_runs_as_one_step(directory):
    with (
        served.serving(directory, "--name", "kinds", "--batch", 8, *HOURS) as server,
        ThreadPoolExecutor(8) as threads,
    ):
        parts = [[3 * i, 3 * i + 1] for i in range(4)]
        answers = list(threads.map(lambda part: predict(server, part), parts))
        assert steps(server) == [1, 8]
        for part, (status, answer) in zip(parts, answers):
            assert status == 200
            assert answer["outputs"]["next"] == [number + 1 for number in part]
            assert answer["outputs"]["third"] == [number / 3 for number in part]
        # Requests larger than a batch, and unbatchable ones, are separate steps.
        assert predict(server, list(range(9)))[1]["outputs"]["next"] == list(range(1, 10))
        assert predict(server, [4, 5], "total") == (200, {"outputs": 9})
        assert steps(server)[0] == 3


def test_failing_request_does_not_affect_batch(directory):
    with (
        served.serving(directory, "--name", "kinds", "--batch", 3, *HOURS) as server,
        ThreadPoolExecutor(3) as threads,
    ):
        answers = list(threads.map(lambda number: predict(server, [number]), (1, -1, 2)))
        assert [status for status, _ in answers] == [200, 400, 200]
        assert answers[2][1]["outputs"]["next"] == [3]
        assert "assertion failed" in answers[1][1]["error"]


class OnThreads:
    """A signature whose steps run on threads, concurrently."""

    def fits_event_loop(self, size, outputs):
        return False

    is_gil_bound = fits_event_loop


class Slow(OnThreads):
    """A signature whose steps wait until released."""

    model, has_batches = "slow", True

    def __init__(self):
        self.rows, self.go = [], threading.Event()

    def run(self, inputs, outputs):
        self.rows.append(inputs["x"].tolist())
        assert self.go.wait(60)
        return {"y": 2 * inputs["x"]}


class Short(Slow):
    """A signature whose steps run one at a time."""

    model = "short"

    def is_gil_bound(self, size, outputs):
        return True


@pytest.mark.parametrize("signature, threads", [(Slow(), 1), (Short(), 4)])
def test_requests_queued_for_busy_threads_are_batched(signature, threads):
    async def run():
        observed = []
        steps = Steps(threads, 100, 60)
        batching = Batching(steps, 4, 0.0, observed.append)
        tasks = []
        for index in range(7):
            one = batching.run(signature, {"x": np.array([index])}, ("y",))
            tasks.append(asyncio.create_task(one))
            if index == 0:
                while not signature.rows:
                    await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        signature.go.set()
        results = await asyncio.gather(*tasks)
        steps.close()
        return signature.rows, observed, [result["y"].tolist() for result in results]

    rows, observed, results = asyncio.run(run())
    assert rows == [[0], [1, 2, 3, 4], [5, 6]]
    assert observed == [1, 4, 2]
    assert results == [[2 * index] for index in range(7)]


def test_short_steps_run_sequentially():
    async def run():
        signature, steps = Short(), Steps(4, 100, 60)
        batching = Batching(steps, 1, 0.0, lambda rows: None)
        ones = [batching.run(signature, {"x": np.array([n])}, ("y",)) for n in range(2)]
        tasks = [asyncio.create_task(each) for each in ones]
        await asyncio.sleep(0.2)
        assert signature.rows == [[0]]
        signature.go.set()
        await asyncio.gather(*tasks)
        steps.close()
        return signature.rows

    assert asyncio.run(run()) == [[0], [1]]


class ShortOfSlowModel(OnThreads):
    """A short signature of the same model as `Slow`."""

    model, has_batches = Slow.model, True

    def is_gil_bound(self, size, outputs):
        return True

    def run(self, inputs, outputs):
        return {"y": 2 * inputs["x"]}


@pytest.mark.parametrize("threads, make_other", [(1, lambda: Doubling()), (2, ShortOfSlowModel)])
def test_other_batches_do_not_wait_for_slow_model(threads, make_other):
    async def run():
        steps, slow, other = Steps(threads, 100, 60), Slow(), make_other()
        batching = Batching(steps, 8, 0.01, lambda rows: None)
        held = asyncio.create_task(batching.run(slow, {"x": np.array([1])}, ("y",)))
        while not slow.rows:
            await asyncio.sleep(0.001)
        result = await asyncio.wait_for(batching.run(other, {"x": np.array([2])}, ("y",)), 30)
        assert not held.done()
        slow.go.set()
        await held
        steps.close()
        return result["y"].tolist(), batching._running

    assert asyncio.run(run()) == ([4], {})


def test_batch_wait_is_bounded(directory):
    options = ("--batch", 100, "--batch-wait", 1)
    with served.serving(directory, "--name", "kinds", *options) as server:
        assert predict(server, [1])[1]["outputs"]["next"] == [2]


def test_timeout_and_waiting_limit(directory):
    options = ("--batch", 4, *HOURS, "--max-waiting", 3, "--timeout", 10)
    with (
        served.serving(directory, "--name", "kinds", *options) as server,
        ThreadPoolExecutor(4) as threads,
    ):
        waiting_for = [threads.submit(predict, server, [1]) for _ in range(4)]
        answers = sorted(each.result() for each in waiting_for)
        assert [status for status, _ in answers] == [503, 504, 504, 504]
        text = "3 requests are in progress, the limit of this server"
        assert answers[0][1] == {"error": text}
        assert answers[1][1] == {"error": "The request took longer than 10 s"}
        waiting.until(lambda: predict(server, list(range(5)))[0] == 200)


def test_failed_batch_is_retried_individually():
    class OutOfMemory(Slow):
        def run(self, inputs, outputs):
            if len(inputs["x"]) > 1 or inputs["x"][0] < 0:
                raise MemoryError
            return {"y": 2 * inputs["x"]}

    async def run():
        steps, signature = Steps(1, 100, 60), OutOfMemory()
        batching = Batching(steps, 2, 60.0, lambda rows: None)
        requests = [batching.run(signature, {"x": np.array([each])}, ("y",)) for each in (3, -1)]
        try:
            return await asyncio.wait_for(asyncio.gather(*requests, return_exceptions=True), 30)
        finally:
            steps.close()

    good, bad = asyncio.run(run())
    assert good["y"].tolist() == [6]
    assert isinstance(bad, MemoryError)


class Doubling(OnThreads):
    """A signature that records its steps; with `whole`, its results have no rows."""

    model = "doubling"

    def __init__(self, batches=True, whole=False):
        self.has_batches, self.whole, self.rows = batches, whole, []

    def run(self, inputs, outputs):
        self.rows.append({name: value.tolist() for name, value in sorted(inputs.items())})
        y = 2 * inputs["x"]
        return {"y": y.sum() if self.whole else y}


def joined(signature, *requests, size=4, outputs=None):
    """The results of simultaneous requests, and the recorded rows of the steps."""

    async def run():
        steps, observed = Steps(1, 100, 60), []
        batching = Batching(steps, size, 0.02, observed.append)
        inputs = [
            batching.run(
                signature,
                {k: np.array(v) for k, v in each.items()},
                ("y" if outputs is None else outputs[n],),
            )
            for n, each in enumerate(requests)
        ]
        try:
            results = await asyncio.wait_for(asyncio.gather(*inputs), 60)
        finally:
            steps.close()
        return [result["y"].tolist() for result in results], observed

    return asyncio.run(run())


def test_differing_shapes_or_outputs_are_not_batched():
    signature = Doubling()
    wide, narrow = {"x": [[1, 2]]}, {"x": [[3]]}
    results, observed = joined(signature, wide, narrow, wide, narrow)
    assert results == [[[2, 4]], [[6]], [[2, 4]], [[6]]] and sorted(observed) == [2, 2]
    signature = Doubling()
    results, observed = joined(signature, narrow, narrow, narrow, outputs=["y", "z", "y"])
    assert results == [[[6]]] * 3 and sorted(observed) == [1, 2]


def test_batched_requests_receive_their_own_rows():
    signature = Doubling()
    results, observed = joined(signature, {"x": [1], "a": [5]}, {"x": [2, 3], "a": [6, 7]})
    assert results == [[2], [4, 6]] and observed == [3]
    assert signature.rows == [{"a": [5, 6, 7], "x": [1, 2, 3]}]


def test_overflowing_request_starts_next_batch():
    signature = Doubling()
    results, observed = joined(signature, {"x": [1, 2, 3]}, {"x": [4, 5]}, {"x": [6, 7]})
    assert results == [[2, 4, 6], [8, 10], [12, 14]] and observed == [3, 4]


@pytest.mark.parametrize(
    "signature, request_, rows",
    [
        (Doubling(), {"x": [1, 2, 3, 4]}, 4),
        (Doubling(), {"x": [1, 2, 3, 4, 5]}, 5),
        (Doubling(), {"x": []}, 1),
        (Doubling(), {"x": 3}, 1),
        (Doubling(), {"x": [1, 2], "a": [1]}, 1),
        (Doubling(batches=False), {"x": [1, 2]}, 2),
    ],
    ids=["as_many", "more", "no_rows", "a_scalar", "uneven", "no_batches"],
)
def test_unbatchable_requests_run_separately(signature, request_, rows):
    _, observed = joined(signature, request_, request_)
    assert observed == [rows, rows] and len(signature.rows) == 2


def test_outputs_without_batch_dimension_run_individually():
    signature = Doubling(whole=True)
    results, observed = joined(signature, {"x": [1, 2]}, {"x": [5]})
    assert results == [6, 10] and observed == [2, 1]
    assert signature.rows == [{"x": [1, 2, 5]}, {"x": [1, 2]}, {"x": [5]}]
