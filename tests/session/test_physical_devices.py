"""Messages about missing GPUs, and sessions without them."""

import sys

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.notes import read_hint
from tfmini._src.devices.cuda import discovery

SOFTLY = "tf.ConfigProto(allow_soft_placement=True) lets the CPU run such nodes."

LISTED = "`tfmini devices` lists the devices."

NOT_ENABLED = " The requested device appears to be a GPU, but CUDA is not enabled."


def refused_on_a_gpu(config=None):
    """A session's error for a node on /gpu:0, after the list of available devices, and its hint."""
    with tf.Graph().as_default(), tf.device("/gpu:0"):
        node = tf.no_op(name="far")
        with (
            tf.Session(config=config) as session,
            pytest.raises(
                tf.errors.InvalidArgumentError, match="explicitly assigned to /device:GPU:0"
            ) as caught,
        ):
            session.run(node)
    told = caught.value.message.partition("the device specification refers to a valid device.")[2]
    return told.partition("\n")[0], read_hint(caught.value)


@pytest.mark.parametrize(
    "visible, driver, why, more",
    [
        (None, False, "No NVIDIA driver: libcuda.so.1 does not load.", NOT_ENABLED),
        (None, True, "CuPy failed to load: RuntimeError: not today", NOT_ENABLED),
        ("", True, "CUDA_VISIBLE_DEVICES='' hides all GPUs.", ""),
        ("-1", False, "CUDA_VISIBLE_DEVICES='-1' hides all GPUs.", ""),
    ],
)
def test_missing_gpu_is_explained(monkeypatch, visible, driver, why, more):
    """TensorFlow with CUDA reports hidden GPUs only as missing."""

    def broken():
        raise RuntimeError("not today")

    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.setattr(discovery, "_has_driver", lambda: driver)
    monkeypatch.setattr(discovery, "_cupy", broken)
    assert refused_on_a_gpu() == (more, f"Hint: No GPU is available. {why} {SOFTLY} {LISTED}")


def test_session_without_its_gpus_is_explained(gpu):
    left_out = "The ConfigProto excludes them: device_count={'GPU': 0}."
    assert refused_on_a_gpu(tf.ConfigProto(device_count={"GPU": 0})) == (
        "",
        f"Hint: No GPU is available. {left_out} {SOFTLY} {LISTED}",
    )


def test_machine_with_cuda_without_gpu_is_explained(gpu_environment):
    with fake_gpus(devices=0):
        assert refused_on_a_gpu() == (
            "",
            f"Hint: No GPU is available. CUDA finds no GPU. {SOFTLY} {LISTED}",
        )


def test_gpu_index_out_of_range(gpu):
    with tf.Graph().as_default(), tf.device("/gpu:3"):
        node = tf.no_op(name="far")
        with (
            tf.Session() as session,
            pytest.raises(
                tf.errors.InvalidArgumentError, match="explicitly assigned to /device:GPU:3"
            ) as caught,
        ):
            session.run(node)
    assert read_hint(caught.value) == ""
