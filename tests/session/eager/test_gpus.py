"""Eager execution with GPUs: op placement, result devices, and copies."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.session.eager.enable import eager_mode

CPU, GPU0, GPU1 = (
    f"/job:localhost/replica:0/task:0/device:{name}" for name in ("CPU:0", "GPU:0", "GPU:1")
)


@pytest.fixture
def eager():
    """Eager mode on two GPUs."""
    with fake_gpus(2), tf.Graph().as_default(), eager_mode():
        yield


@pytest.fixture
def ones(eager):
    return tf.constant(np.ones((2, 2), np.float32))


def test_constants_stay_on_host_and_ops_run_on_gpu(ones):
    assert ones.device == CPU
    doubled = ones + ones
    assert doubled.device == GPU0
    assert tf.matmul(doubled, doubled).device == GPU0
    np.testing.assert_array_equal(tf.matmul(doubled, doubled).numpy(), np.full((2, 2), 8.0))


def test_device_block_copies_inputs(ones):
    on_first = ones + ones
    with tf.device("/cpu:0"):
        on_host = on_first + 1.0
    with tf.device("/gpu:1"):
        on_second = on_first * on_host
    assert (on_host.device, on_second.device) == (CPU, GPU1)
    np.testing.assert_array_equal(on_second.numpy(), np.full((2, 2), 6.0))


def test_copies_between_memories(ones):
    on_second = ones.gpu(1)
    assert on_second.device == GPU1
    assert on_second.cpu().device == CPU
    assert ones.cpu().device == CPU
    np.testing.assert_array_equal(on_second.cpu().numpy(), np.ones((2, 2)))
    with pytest.raises(RuntimeError, match=r"GPU:5 unknown device\.$"):
        ones.gpu(5)


def test_variable_ops_run_on_variable_device(ones):
    with tf.device("/gpu:1"):
        variable = tf.Variable(ones)
    assert variable.device == GPU1
    before = variable.read_value()
    variable.assign_add(ones * 2.0)
    assert before.device == GPU1
    np.testing.assert_array_equal(before.numpy(), np.ones((2, 2)))  # not values written since
    np.testing.assert_array_equal(variable.numpy(), np.full((2, 2), 3.0))


def test_functions_use_variables_on_their_devices(ones):
    with tf.device("/gpu:1"):
        variable = tf.Variable(ones)

    @tf.function
    def step(delta):
        variable.assign_sub(delta)
        return variable * 2.0

    for expected in (0.5, 0.0):
        np.testing.assert_array_equal(step(ones * 0.5).numpy(), np.full((2, 2), expected * 2.0))
        np.testing.assert_array_equal(variable.numpy(), np.full((2, 2), expected))


def test_gradients_reside_with_values(ones):
    variable = tf.Variable(ones)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.matmul(ones + ones, variable) ** 2)
    gradient = tape.gradient(loss, variable)
    assert gradient.device == GPU0
    np.testing.assert_array_equal(gradient.numpy(), np.full((2, 2), 32.0))


def test_gpu_values_convert_to_python_numbers(ones):
    doubled = ones + ones
    assert int(tf.reduce_sum(doubled)) == 8
    assert float(doubled[0, 1]) == 2.0
    assert [row.numpy().tolist() for row in doubled] == [[2.0, 2.0], [2.0, 2.0]]


def test_constants_follow_device_block(eager):
    with tf.device("/gpu:1"):
        assert tf.constant([1.0, 2.0]).device == GPU1
        assert (tf.constant([1.0, 2.0]) + 1.0).device == GPU1
    with tf.device("/device:GPU:0"), tf.device("/cpu:0"):
        assert tf.constant([1.0, 2.0]).device == CPU


@pytest.mark.parametrize("asked", ["GPU:3", "TPU:7", "CPU:9"])
def test_unknown_devices(ones, asked):
    name = f"/job:localhost/replica:0/task:0/device:{asked} unknown device."
    with tf.device(f"/device:{asked}"):
        for run in (lambda: tf.constant(1.0), lambda: tf.add(1.0, 2.0), lambda: ones + 1.0):
            with pytest.raises(RuntimeError, match=f"^{name}$"):
                run()
        # Ops on CPU tensors run on the CPU, and so do int32 values, which no device stores in its memory.
        assert (ones + ones).device == CPU
        assert tf.constant(3).device == CPU
        np.testing.assert_array_equal(tf.function(lambda x: x * x)(ones).numpy(), np.ones((2, 2)))
        assert tf.Variable(ones).device == CPU


def test_device_of_another_task_is_rejected(ones):
    name = "/job:worker/replica:0/task:1/device:CPU:0"
    with tf.device("/job:worker/task:1"):
        for run in (lambda: tf.constant(3), lambda: ones + 1.0):
            with pytest.raises(RuntimeError, match=f"^{name} unknown device.$"):
                run()
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=f"Could not satisfy device specification '{name}'. All available devices .* Name: Add\n",
        ):
            tf.add(ones, ones)


def test_device_none_clears_outer_blocks(ones):
    with tf.device("/cpu:0"), tf.device(None):
        assert (ones + 1).device == GPU0
        with tf.device("/gpu:1"):
            assert (ones + 1).device == GPU1
    with tf.device("/gpu:1"), tf.device(None):
        assert (ones + 1).device == GPU0


def test_device_policies_for_remote_inputs(ones, caplog):
    devices = tf.config.experimental
    on_first, number = ones.gpu(), tf.constant(2)
    assert (on_first + ones).device == GPU0
    devices.set_device_policy("warn")
    assert (on_first + ones).device == GPU0
    text = f"before computing AddV2 input #1 was expected to be on {GPU0} but is actually on {CPU}"
    assert text in caplog.text
    devices.set_device_policy("explicit")
    text = f"Tensors on conflicting devices: cannot compute AddV2 as input #1 was expected to be on {GPU0} but is"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        on_first + ones
    np.testing.assert_array_equal((on_first + ones.gpu()).cpu().numpy(), np.full((2, 2), 2.0))
    assert tf.reshape(on_first, [4]).device == GPU0  # the shape is needed on the host
    devices.set_device_policy("silent_for_int32")
    one = on_first[0, 0].gpu(1)
    with tf.device("/gpu:1"):
        assert tf.one_hot(number, 3, one, tf.constant(0.0)).device == GPU1
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute Neg as input #0"):
            tf.negative(on_first)
    devices.set_device_policy(None)
    with tf.device("/gpu:1"):
        assert (-on_first).device == GPU1


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.int32])
def test_iterator_optional_moves_to_gpu(eager, dtype):
    values = np.arange(3).astype(dtype)
    iterator = iter(tf.data.Dataset.from_tensor_slices(values).batch(2))
    with tf.device("/gpu:1"):
        following = tf.data.experimental.get_next_as_optional(iterator)
        taken = following.get_value()
        doubled = taken + taken
    assert taken.device == doubled.device == GPU1
    np.testing.assert_array_equal(doubled.numpy(), [0, 2])
    with tf.device("/gpu:1"):
        text = tf.data.experimental.get_next_as_optional(
            iter(tf.data.Dataset.from_tensors("a"))
        ).get_value()
    assert text.device == CPU and text.numpy() == b"a"
