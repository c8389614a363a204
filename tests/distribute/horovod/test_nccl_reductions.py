"""All-reduce training by NCCL on the CuPy emulator: ranks as threads, and as two processes."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tests.distribute.horovod.test_reductions import in_ranks
from tests.support import cuda_on_cpu
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.discovery import discover
from tfmini._src.distribute.horovod import nccl_reductions
from tfmini._src.distribute.horovod.nccl_reductions import DeviceReductions, add_device_reductions


@pytest.fixture
def machine():
    with fake_gpus(devices=3) as machine:
        machine.polls_before_done = 1  # ranks poll their events
        yield machine


def on_gpus(size, work, one_gpu=False):
    """Runs `work(operations, gpu, put, get)` in one thread and on one GPU per rank; returns the results by rank."""
    found = discover()
    gpus = [
        LogicalGpu(
            found.cupy, found.physical_gpus[0 if one_gpu else rank], f"GPU:{rank}", 8 << 20, True
        )
        for rank in range(size)
    ]

    def run(hosts):
        gpu = gpus[hosts.rank]

        def put(values):
            with ActiveGpus([gpu]):
                return gpu.upload(np.asarray(values))

        def get(array):
            if isinstance(array, np.ndarray):
                return array
            with ActiveGpus([gpu]):
                return gpu.receive(gpu.send(array))

        operations = add_device_reductions(hosts)
        assert isinstance(operations, DeviceReductions)
        try:
            return work(operations, gpu, put, get)
        finally:
            for communicator in operations._communicators.values():
                communicator.close()

    results = in_ranks(size, run)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
def test_results_match_numpy_and_host_reductions(machine, dtype):
    random = np.random.RandomState(0)
    inputs = [(random.rand(5, 3) * 8).astype(dtype) for _ in range(3)]

    def work(comm, gpu, put, get):
        own, rank = inputs[comm.rank], comm.rank
        both = [put(own.ravel()), put(own[:2].ravel())]
        shapes = [(5, 3), (2, 3)]
        results = [
            comm.sum("a", put(own), gpu),
            *comm.sum_all("b", both, shapes, gpu),
            comm.gather("c", put(own[: rank + 1]), gpu),
            comm.gather("d", put(own), gpu),
            comm.gather("e", put(own[:0]), gpu),
            comm.broadcast("f", put(own), 2, gpu),
        ]
        assert all(isinstance(each, gpu.xp.ndarray) for each in results)
        hosts = [
            comm.sum("a", own),
            *comm.sum_all("b", [own.ravel(), own[:2].ravel()], shapes),
            comm.gather("c", own[: rank + 1]),
            comm.gather("d", own),
            comm.gather("e", own[:0]),
            comm.broadcast("f", own, 2),
        ]
        return [get(each) for each in results], hosts

    total = inputs[0] + inputs[1] + inputs[2]
    expected = [
        total,
        total.ravel(),
        total[:2].ravel(),
        np.concatenate([inputs[0][:1], inputs[1][:2], inputs[2][:3]]),
        np.concatenate(inputs),
        np.empty([0, 3]),
        inputs[2],
    ]
    for results, hosts in on_gpus(3, work):
        for result, host, wanted in zip(results, hosts, expected, strict=True):
            assert result.dtype == host.dtype == dtype and result.shape == wanted.shape
            np.testing.assert_array_equal(result, host)
            np.testing.assert_array_equal(result, wanted)
    names = machine.counters.launch_names
    assert names["allReduce"] == 9 and names["allGather"] == 3 and names["broadcast"] == 12


def test_joined_rank_switches_sums_to_host(machine):
    """They use host memory until it is back; host operations continue as before."""

    def work(comm, gpu, put, get):
        ones = np.full(3, 1.0 + comm.rank, np.float32)
        sums = []
        for _ in range(comm.rank + 1):
            total = comm.sum("a", put(ones), gpu)
            sums.append((float(get(total)[0]), isinstance(total, gpu.xp.ndarray)))
        comm.join()
        after = comm.sum("a", put(ones), gpu)
        parts = comm.all_to_all("b", [ones[:1], ones[1:]])
        return sums, isinstance(after, gpu.xp.ndarray), parts.tolist(), comm.adasum("c", ones)

    first, second = on_gpus(2, work)
    assert first[:3] == ([(3.0, True)], True, [1.0, 2.0])
    assert second[:3] == ([(3.0, True), (2.0, False)], True, [1.0, 1.0, 2.0, 2.0])
    np.testing.assert_allclose(first[3], [1.5] * 3)
    np.testing.assert_allclose(second[3], [1.5] * 3)


def test_operations_begin_in_any_order(machine):
    def work(comm, gpu, put, get):
        names = ["a", "b", "c", "d"]
        values = {name: put(np.full(3, float(ord(name)))) for name in names}
        sums = {}

        def one(name):
            sums[name] = comm.sum(name, values[name], gpu)

        threads = [
            threading.Thread(target=one, args=(name,), daemon=True)
            for name in (names if comm.rank else names[::-1])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        return {name: get(total).tolist() for name, total in sums.items()}

    for sums in on_gpus(2, work):
        assert sums == {name: [2.0 * ord(name)] * 3 for name in "abcd"}


def test_mixed_host_and_gpu_arrays_use_host(machine, monkeypatch):
    """It uses host memory; if NCCL was requested by name, all ranks raise an error."""

    def work(comm, gpu, put, get):
        values = np.full(3, float(comm.rank))
        if comm.rank:
            return get(comm.sum("a", put(values), gpu)).tolist()
        return comm.sum("a", values).tolist()

    assert on_gpus(2, work) == [[1.0] * 3] * 2
    assert not machine.counters.launch_names["allReduce"]
    monkeypatch.setenv(nccl_reductions.CHOICE_VARIABLE, "nccl")
    with pytest.raises(tf.errors.InvalidArgumentError, match="the array of rank 0 is in host mem"):
        on_gpus(2, work)


def test_ranks_sharing_one_gpu_use_host(machine, monkeypatch, caplog):
    def work(comm, gpu, put, get):
        return get(comm.sum("a", put(np.full(3, 1.0 + comm.rank)), gpu)).tolist()

    assert on_gpus(2, work, one_gpu=True) == [[3.0] * 3] * 2
    text = "a uses host memory: ranks 0 and 1 share a GPU, which NCCL rejects: assign one"
    assert [each.startswith(text) for each in caplog.messages if "uses host" in each] == [True] * 2
    monkeypatch.setenv(nccl_reductions.CHOICE_VARIABLE, "NCCL")
    with pytest.raises(tf.errors.InvalidArgumentError, match="ranks 0 and 1 share a GPU, which"):
        on_gpus(2, work, one_gpu=True)


def test_mismatched_arrays_are_rejected(machine):
    def work(comm, gpu, put, get):
        flat = put(np.ones(6, np.float32))
        texts = []
        for call in (
            lambda: comm.sum_all("a", [flat], [((2, 3), (3, 2))[comm.rank]], gpu),
            lambda: comm.gather("b", flat.reshape((2, 3) if comm.rank else (3, 2)), gpu),
            lambda: comm.broadcast("c", flat[: 3 + comm.rank], 0, gpu),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                call()
            texts.append(caught.value.message)
        return texts, get(comm.sum("a", flat, gpu)).tolist()

    for texts, after in on_gpus(2, work):
        assert texts[0] == "a: arrays differ: float32(2, 3), float32(3, 2)"
        assert texts[1].startswith("b: arrays differ beyond their first axis")
        assert texts[2] == "c: arrays differ: float32(3,), float32(4,)"
        assert after == [2.0] * 6


def test_lost_gpu_fails_pending_sum(machine):
    """Its events never complete: waiting threads get the error."""
    found = discover()
    gpu = LogicalGpu(found.cupy, found.physical_gpus[0], "GPU:0", 8 << 20, True)
    with ActiveGpus([gpu]):
        gpu.upload(np.ones(3))
        done = gpu.mark(gpu.compute)
    machine.lose(0)
    assert not done.done
    reductions = SimpleNamespace(_lost=None)
    with pytest.raises(found.cupy.cuda.runtime.CUDARuntimeError, match="LaunchFailure"):
        DeviceReductions._wait(reductions, gpu, SimpleNamespace(check=int), done)


def test_failed_rank_aborts_collective(machine, monkeypatch):
    """The other's work never completes: it is aborted with an error that names the rank."""
    monkeypatch.setattr(nccl_reductions, "_GRACE_SECONDS", 0.1)
    went = threading.Event()

    def work(comm, gpu, put, get):
        values = put(np.ones(3))
        assert get(comm.sum("a", values, gpu)).tolist() == [2.0] * 3
        values = put(np.ones(3))
        if comm.rank:
            (communicator,) = comm._communicators.values()
            communicator.sum = lambda arrays: communicator.abort()  # as at process exit
            comm._wait = lambda *args: None
            comm.sum("a", values, gpu)
            comm.hosts.close()
            went.set()
            return None
        with pytest.raises(tf.errors.UnknownError) as caught:
            comm.sum("a", values, gpu)
        assert went.wait(60)
        with pytest.raises(tf.errors.UnknownError) as again:
            comm.sum("a", values, gpu)
        assert again.value.message == caught.value.message
        return caught.value.message

    message, _ = on_gpus(2, work)
    assert message.startswith(("Lost rank 1", "NCCL: NCCL_ERROR_REMOTE_ERROR"))


def test_recovered_rank_notifies_others(machine, monkeypatch):
    """As when out of memory: the other is notified, and both raise errors."""
    monkeypatch.setattr(nccl_reductions, "_GRACE_SECONDS", 0.1)
    monkeypatch.setattr(nccl_reductions.RankCommunicator, "check", lambda self: None)
    all_done = threading.Barrier(2)
    runtime = sys.modules["cupy"].cuda.runtime
    query = runtime.eventQuery
    not_ready = 600
    monkeypatch.setattr(
        runtime, "eventQuery", lambda ptr: not_ready if ptr == "never" else query(ptr)
    )

    def work(comm, gpu, put, get):
        values = put(np.ones(3))
        assert get(comm.sum("a", values, gpu)).tolist() == [2.0] * 3
        (communicator,) = comm._communicators.values()
        if comm.rank:
            communicator.sum = short
        else:  # since its part of the work waits for the other's forever
            communicator.sum = lambda arrays: None
            gpu.mark = lambda stream: SimpleNamespace(ptr="never")
        with pytest.raises(tf.errors.UnknownError) as caught:
            comm.sum("a", values, gpu)
        all_done.wait(60)
        return caught.value.message

    def short(arrays):
        raise MemoryError("out of memory")

    assert on_gpus(2, work) == ["Rank 1 has failed", "NCCL: out of memory"]


@pytest.mark.parametrize("choice", ["", "NCCL", "HOST", "MPI"])
def test_ranks_without_gpus(choice, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setenv(nccl_reductions.CHOICE_VARIABLE, choice)
    results = in_ranks(2, lambda hosts: add_device_reductions(hosts) is hosts)
    if choice in ("", "HOST"):
        assert results == [True, True]
        return
    for error in results:
        if choice == "MPI":
            assert isinstance(error, tf.errors.InvalidArgumentError)
            assert (
                error.message
                == f"{nccl_reductions.CHOICE_VARIABLE} is 'MPI'; it must be 'NCCL' or 'HOST'"
            )
        else:
            assert isinstance(error, tf.errors.UnimplementedError)
            assert "is NCCL, but rank 0 cannot use it: CUDA_VISIBLE_DEVICES=''" in error.message


def expected_training():
    """The first gradients, and the variables after eight steps, computed by numpy."""
    inputs = [np.random.RandomState(rank).rand(5, 4).astype("float32") for rank in range(2)]
    weights, bias, table = np.full([4, 3], 0.5), np.zeros(3), np.ones([6, 3])
    first = None
    for _ in range(8):
        wrong = [2 * (each @ weights + bias) for each in inputs]
        slope = sum(each.T @ error for each, error in zip(inputs, wrong)) / 2
        lift = sum(error.sum(0) for error in wrong) / 2
        first = first or (slope, lift)
        weights, bias = weights - 0.01 * slope, bias - 0.01 * lift
        for row in (0, 5, 1, 5):
            table[row] -= 0.01 / 2
    return [*first, np.full([4, 3], 3.0), weights, bias, table]


@pytest.mark.skipif(not cuda_on_cpu.available(), reason="no g++ here")
def test_two_processes_keep_gradients_on_gpus():
    """A step's gradients stay on the GPUs, and equal those reduced between the hosts."""
    program = str(Path(__file__).with_name("gpu_trainer.py"))
    launch = ["-m", "tfmini", "launch", "--ranks", "2", "--restarts", "0", program]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *launch],
        capture_output=True,
        text=True,
        timeout=240,
        env={**environment(), nccl_reductions.CHOICE_VARIABLE: "NCCL"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = [line.partition("] ")[2] for line in done.stdout.splitlines() if "] [[" in line]
    assert len(results) == 2 and results[0] == results[1], done.stdout
    actual, copied_to_host = json.loads(results[0])
    assert copied_to_host == 0
    for array, expected in zip(actual, expected_training(), strict=True):
        np.testing.assert_allclose(array, expected, atol=2e-4)
