"""Memory that a session allocates on demand, on the emulator, whose pool allocates like CuPy's."""

import pytest

import tfmini as tf
from tests.support.fake_cupy import memory
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.growth_pool import GrowingPool

MIB = 1 << 20


@pytest.fixture
def allocations(monkeypatch):
    """Sizes allocated from a device, in MiB."""
    sizes = []
    begin = memory.Memory.__init__

    def noted(self, size):
        if size:
            sizes.append(size / MIB)
        begin(self, size)

    monkeypatch.setattr(memory.Memory, "__init__", noted)
    return sizes


@pytest.fixture
def machine(monkeypatch, request):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(
        devices=1, memory=getattr(request, "param", 64) * MIB, cublas=lambda: None
    ) as machine:
        yield machine


@pytest.mark.parametrize("grows", [False, True])
def test_growing_steps_rarely_allocate(machine, allocations, grows):
    """Several arrays grow slightly at each step."""
    import cupy  # noqa: PLC0415  the fake

    pool = GrowingPool(cupy, 64 * MIB) if grows else cupy.cuda.MemoryPool()
    for step in range(1, 41):
        held = [pool.malloc(step << 14) for _ in range(8)]
    del held
    assert len(allocations) < 20 if grows else len(allocations) > 80


def test_allow_growth_sessions_use_growing_pool(machine, allocations):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.device("/gpu:0"), tf.Session(config=config) as session:
        session.run(tf.ones([MIB]) * tf.placeholder(tf.float32, []), {"Placeholder:0": 2.0})
    assert allocations[1] == 2, allocations


def test_growth_increment_increases(machine, allocations):
    import cupy  # noqa: PLC0415  the fake

    pool = GrowingPool(cupy, 40 * MIB)
    pool.pool.set_limit(size=40 * MIB)
    first = pool.malloc(MIB)
    assert allocations == [1, 2]  # the minimum allocation of a GPU
    second = pool.malloc(2 * MIB)
    assert allocations == [1, 2]
    third = pool.malloc(10 * MIB)
    assert allocations == [1, 2, 10, 3.25]
    fourth = pool.malloc(10 * MIB)
    assert allocations[4:] == [10, 6.5625]
    with pytest.raises(
        cupy.cuda.memory.OutOfMemoryError,
        match="Out of memory allocating 20,971,520 bytes .*limit set to: 41,943,040 bytes",
    ):
        pool.malloc(20 * MIB)
    del first, second, third, fourth
    assert pool.pool.used_bytes() == 0


@pytest.mark.parametrize("machine", [28], indirect=True)
def test_shared_gpu_limits_growth(machine, allocations):
    import cupy  # noqa: PLC0415  the fake

    others = cupy.cuda.Memory(12 * MIB)
    pool = GrowingPool(cupy, 28 * MIB)
    kept = pool.malloc(12 * MIB)
    assert allocations == [12, 12, 1]  # a quarter of the free memory
    del others, kept


def test_growth_stays_within_limit(machine, allocations):
    import cupy  # noqa: PLC0415  the fake

    pool = GrowingPool(cupy, 14 * MIB)
    pool.pool.set_limit(size=14 * MIB)
    kept = pool.malloc(12 * MIB)
    assert allocations == [12, 2]
    del kept
