"""tf.config in eager mode: settings allowed before ops run, and later; the errors are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf
from tests.support.notes import read_hint
from tfmini._src.session.eager.context import context, current_context, drop_context
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture(autouse=True)
def new_context():
    drop_context()
    with eager_mode():
        yield
    drop_context()


def test_dropped_context_resets_options():
    tf.config.threading.set_intra_op_parallelism_threads(2)
    context().ensure_initialized()
    drop_context()
    assert current_context() is None
    assert context().intra_op_parallelism_threads == 0 and current_context() is context()
    tf.config.threading.set_intra_op_parallelism_threads(3)


def test_thread_counts_are_fixed_after_first_op():
    threading = tf.config.threading
    threading.set_intra_op_parallelism_threads(2)
    threading.set_inter_op_parallelism_threads(3)
    tf.debugging.set_log_device_placement(False)
    assert context().intra_op_parallelism_threads == 2
    assert context().inter_op_parallelism_threads == 3
    assert context().log_device_placement is tf.debugging.get_log_device_placement() is False
    context().ensure_initialized()
    threading.set_intra_op_parallelism_threads(2)
    with pytest.raises(RuntimeError, match="Intra op parallelism cannot be modified"):
        threading.set_intra_op_parallelism_threads(1)
    with pytest.raises(RuntimeError, match="Inter op parallelism cannot be modified"):
        threading.set_inter_op_parallelism_threads(1)
    with pytest.raises(RuntimeError, match="must be set at program startup"):
        tf.debugging.set_log_device_placement(True)


def test_optimizer_options_apply_to_context():
    tf.config.optimizer.set_jit(True)
    tf.config.optimizer.set_experimental_options({"remapping": True})
    assert context().optimizer_jit is True
    assert context().get_optimizer_experimental_options()["remapping"] is True


def test_missing_gpu_is_explained(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(RuntimeError, match="GPU:0 unknown device") as caught, tf.device("/gpu:0"):
        tf.constant(1.0)
    assert read_hint(caught.value) == (
        "Hint: No GPU is available. CUDA_VISIBLE_DEVICES='' hides all GPUs. `tfmini devices` lists the devices."
    )


def test_two_cpus():
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices("CPU")
    one = experimental.VirtualDeviceConfiguration()
    experimental.set_virtual_device_configuration(cpu, [one, one])
    with tf.device("/cpu:1"):
        x, number, text, v = tf.constant(1.0), tf.constant(2), tf.constant("a"), tf.Variable(3.0)
        inside = [x, number, text, v, x + v, tf.range(2), tf.random.uniform([2])]
    v.assign_add(x)
    outside = [x + 1, tf.identity(text), x.cpu(), v.handle]
    names = [each.device.removeprefix("/job:localhost/replica:0/task:0/device:") for each in inside]
    assert names == ["CPU:1", "CPU:0", *["CPU:1"] * 5]  # as in TensorFlow, also for int32
    assert [each.device[-1] for each in outside] == ["0", "0", "0", "1"]
    assert (x.numpy(), v.numpy(), text.numpy()) == (1.0, 4.0, b"a")
    with pytest.raises(RuntimeError, match="unknown device"), tf.device("/cpu:2"):
        tf.constant(1.0)
    with pytest.raises(RuntimeError, match="Virtual devices cannot be modified"):
        experimental.set_virtual_device_configuration(cpu, [one, one, one])
    experimental.set_virtual_device_configuration(cpu, [one, one])
    with pytest.raises(RuntimeError, match="Visible devices cannot be modified"):
        experimental.set_visible_devices([])


def test_policies():
    experimental = tf.config.experimental
    assert experimental.get_device_policy() == "silent"
    experimental.set_device_policy("warn")
    assert experimental.get_device_policy() == "warn" and context().device_policy == 1
    experimental.set_device_policy(None)
    assert experimental.get_device_policy() == "silent"
    with pytest.raises(ValueError, match="Not a valid device policy: 'loud'"):
        experimental.set_device_policy("loud")
    assert experimental.get_synchronous_execution()
    experimental.set_synchronous_execution(False)
    assert not experimental.get_synchronous_execution() and context().execution_mode == 1
    experimental.set_synchronous_execution(None)
    assert experimental.get_synchronous_execution()
