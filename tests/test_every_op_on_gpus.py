"""Every sample of an op that has a GPU kernel, and every golden program, on the strict fake of CuPy.

Nodes go to GPU:0 wherever TensorFlow 1.15.5 has a GPU kernel for them. The fake raises on what a card may
leave unsaid: arrays of another device, host arrays in device code, unordered streams, freed memory.
"""

import numpy as np
import pytest

import tfmini as tf
from tests import comparing, recording, test_every_op
from tests.gpus import fake_gpus
from tfmini.graph.opdef import raw
from tfmini.runtime.gpu_kernels import host_arguments

SAMPLES = [s for s in test_every_op.SAMPLES if s.build is None]
BUILT = [s for s in test_every_op.SAMPLES if s.build is not None]


@pytest.fixture(autouse=True)
def gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with fake_gpus(devices=2) as machine:
        yield machine


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_value(sample, gpus):
    with tf.Graph().as_default(), tf.Session() as session:
        arguments, feed = test_every_op.feeds(sample, True)
        result = getattr(raw, sample.op)(*arguments, **sample.attrs)
        outputs = test_every_op.outputs_of(result)
        if host_arguments((outputs[0] if outputs else result).op) is None:
            return
        if sample.op == "Cast" and overflows(*sample.inputs, sample.attrs["DstT"]):
            return
        got = session.run(outputs, feed)
        assert all(isinstance(v, np.ndarray | np.generic) for v in got)
    test_every_op.compare(sample, got, test_every_op.expected(sample, sample.inputs))


def overflows(values, dtype):
    """Whether some number is none of the integers of `dtype`: what a card makes of it is its own affair."""
    if values.dtype.kind != "f" or not dtype.is_integer:
        return False
    return not bool(((values > dtype.min - 1.0) & (values < dtype.max + 1.0)).all())


@pytest.mark.parametrize("sample", BUILT, ids=str)
def test_built(sample):
    test_every_op.check_built(sample)


@pytest.mark.parametrize("name", recording.names_in("programs"))
def test_programs(name):
    want = recording.read(recording.path_of(name))
    lines = comparing.step_differences(
        want["steps"], recording.record(tf, name)["steps"], recording.tolerance(name)
    )
    assert not lines, "\n".join(lines[:20])
