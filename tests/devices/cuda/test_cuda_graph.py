"""graphs: recorded work, and the memory block parts that it uses."""

import random

import numpy as np
import pytest

from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.cuda_graph import (
    Arena,
    Memory,
    block_size,
    describe_graph,
    is_enabled,
    record,
)
from tfmini._src.devices.cuda.process_gpus import session_gpus


@pytest.fixture
def gpu(gpu_environment):
    with fake_gpus(devices=1):
        (gpu,) = session_gpus(None, "").values()
        with ActiveGpus([gpu]):
            yield gpu


def test_environment_variable_disables_graphs(monkeypatch):
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    assert is_enabled()
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    assert not is_enabled()


def test_freed_ranges_are_reused():
    arena = Arena()
    first, second, third = arena.take(100), arena.take(50), arena.take(100)
    assert (first, second, third, arena.extent) == (0, 100, 150, 250)
    arena.free(first, 100)
    assert arena.take(60) == 0
    arena.free(third, 100)
    assert arena.take(120) == 150  # the last part grows
    assert arena.extent == 270
    arena.free(0, 60)
    arena.free(second, 50)
    assert arena.take(150) == 0
    assert arena.extent == 270


def test_allocated_ranges_never_overlap():
    arena = Arena()
    rng = random.Random(4)
    owned = []
    for _ in range(2000):
        if owned and rng.random() < 0.5:
            arena.free(*owned.pop(rng.randrange(len(owned))))
        else:
            size = rng.randrange(1, 50)
            owned.append((arena.take(size), size))
        ranges = sorted((start, start + size) for start, size in owned)
        assert all(a[1] <= b[0] for a, b in zip(ranges, ranges[1:]))
        assert not ranges or ranges[-1][1] <= arena.extent


def work_of(xp, x):
    def work():
        y = xp.sqrt(x) + 1
        z = y * y
        del y
        return z - xp.sqrt(z)

    return work


def test_captured_work_stays_in_its_block(gpu):
    xp = gpu.xp
    x = gpu.upload(np.arange(1000, dtype="f"))
    work = work_of(xp, x)
    rehearsal = Memory(gpu)
    with xp.cuda.using_allocator(rehearsal.allocate):
        want = work().get()
    assert block_size(4000) * 2 <= rehearsal.extent <= block_size(4000) * 3
    used = gpu.pool.used_bytes()
    memory = Memory(gpu, rehearsal.extent)
    graph, result = record(gpu, memory, work)
    assert gpu.pool.used_bytes() - used == rehearsal.extent
    gpu.launch(graph, memory)
    assert result.get().tobytes() == want.tobytes()
    x += 1
    gpu.launch(graph, memory)
    assert result.get().tobytes() == work().get().tobytes()


def test_overflow_allocations_come_from_pool(gpu):
    x = gpu.upload(np.arange(1000, dtype="f"))
    work = work_of(gpu.xp, x)
    memory = Memory(gpu, 1024)
    graph, result = record(gpu, memory, work)
    gpu.launch(graph, memory)
    assert result.get().tobytes() == work().get().tobytes()


def test_failed_capture_restores_stream(gpu):
    x = gpu.upload(np.arange(10, dtype="f"))
    with pytest.raises(RuntimeError, match="capturing"):
        record(gpu, Memory(gpu, 4096), lambda: float((x + 1).sum()))
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        record(gpu, Memory(gpu, 4096), lambda: x + 1 / 0)
    assert not gpu.compute.is_capturing()
    assert float((x + 1).sum()) == 55


def test_graphs_are_evicted_under_memory_pressure(gpu):
    class Keeper:
        def __init__(self):
            self.memory = Memory(gpu, gpu.limit_bytes // 2)

        def drop(self):
            dropped, self.memory = self.memory is not None, None
            return dropped

    keeper = Keeper()
    gpu.recorded.add(keeper)
    count = gpu.limit_bytes * 3 // 4
    array = gpu.xp.empty(count, np.uint8)
    assert keeper.memory is None
    del array
    with pytest.raises(MemoryError, match="Out of memory allocating [0-9,]+ bytes"):
        gpu.xp.empty(gpu.limit_bytes * 2, np.uint8)


def test_describe_graph_counts_nodes(gpu):
    a = gpu.xp.arange(4)

    def work():
        b = a + a
        b.fill(0)
        return b * b

    graph, _ = record(gpu, Memory(gpu, 4096), work)
    assert describe_graph(graph) == "2 kernels, 1 memset"


class Dump:
    """A graph dump in the verbose format of CUDA 12.8."""

    def debug_dot_str(self, flags):
        assert flags == 1
        node = '"graph_1_node_{}"[style="{}" shape="record" label="{{{}\n| {{ID | {} (topoId: 0) | {}}}\n}}"];'
        return "\n".join(
            [
                'digraph dot {\nsubgraph cluster_1 {\nlabel="graph_1" graph[style="dashed"];',
                node.format(0, "bold", "KERNEL", 0, r"_Z1kPf\<\<\<1,128,0\>\>\>"),
                node.format(1, "solid", "\nMEMCPY", 1, "DtoD"),
                node.format(2, "solid", "\nMEMCPY", 2, "DtoD"),
                node.format(3, "bold", "EVENT_RECORD", 3, ""),
                '"graph_1_node_0" -> "graph_1_node_1" [headlabel=0];\n}\n}',
            ]
        )


class Lost:
    def debug_dot_str(self, flags):
        raise RuntimeError("cudaErrorLaunchFailure")


def test_describe_graph_uses_cuda_terms():
    assert describe_graph(Dump()) == "1 kernel, 2 copies, 1 event_record"
    assert describe_graph(Lost()) == ""
