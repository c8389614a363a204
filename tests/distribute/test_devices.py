"""Device names as compared by strategies; the values are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf
from tfmini._src.distribute import devices
from tfmini._src.session.eager.enable import eager_mode


def test_current_device():
    with tf.Graph().as_default():
        assert devices.current() == ""
        with tf.device("/cpu:1"):
            assert devices.current() == "/device:CPU:1"
            assert devices.resolve(None) == "/replica:0/task:0/device:CPU:1"
    with eager_mode(), tf.device("/cpu:0"):
        assert devices.current() == "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.mark.parametrize(
    "device, default, expected",
    [
        ("", None, "/replica:0/task:0/device:CPU:0"),
        (None, None, "/replica:0/task:0/device:CPU:0"),
        ("/gpu:1", None, "/replica:0/task:0/device:GPU:1"),
        ("/job:ps/task:2", None, "/job:ps/replica:0/task:2/device:CPU:0"),
        ("/gpu:1", "/job:worker/task:3/cpu:5", "/job:worker/replica:0/task:3/device:GPU:1"),
        ("", "/job:worker/gpu:5", "/job:worker/replica:0/task:0/device:GPU:5"),
    ],
)
def test_device_names_are_canonicalized(device, default, expected):
    assert devices.canonicalize(device, default) == expected


@pytest.mark.parametrize(
    "names, expected",
    [
        ([], False),
        (["/cpu:0", "/gpu:1"], True),
        (["/job:localhost/cpu:0", "/cpu:1"], True),
        (["/job:worker/task:0", "/job:worker/task:1/gpu:0"], False),
    ],
)
def test_local_and_remote_devices(names, expected):
    assert devices.are_local(names) is expected


@pytest.mark.parametrize(
    "names, text",
    [
        (["/cpu:0", "/job:worker/task:0"], "^Local device string cannot have job specified other"),
        (["/job:worker/task:0", "/cpu:0"], "^Remote device string must have job specified.$"),
        (["/job:worker/cpu:0"], "^Remote device string must have task specified.$"),
    ],
)
def test_mixed_local_and_remote_devices_are_rejected(names, text):
    with pytest.raises(ValueError, match=text):
        devices.are_local(names)


def test_local_devices():
    assert devices.local_devices(0) == ("/device:CPU:0",)
    assert devices.local_devices(2) == ("/device:GPU:0", "/device:GPU:1")
