"""The report of an out-of-memory step: allocations by node."""

import pytest

import tfmini as tf
from tfmini._src.compiler.oom_report import readable
from tfmini._src.devices.registry import device_kind


@pytest.mark.parametrize(
    "size, text",
    [
        (0, "0B"),
        (1023, "1023B"),
        (1536, "1.50KiB"),
        (400_000_000, "381.47MiB"),
        (3 << 40, "3.00TiB"),
        (2048 << 40, "2048.00TiB"),
    ],
)
def test_readable_sizes(size, text):
    assert readable(size) == text


def test_allocator_names():
    cpu, gpu = (f"/job:localhost/replica:0/task:0/device:{name}" for name in ("CPU:0", "GPU:1"))
    assert device_kind(cpu).allocator(cpu) == "cpu"
    assert device_kind(gpu).allocator(gpu) == "GPU_1_bfc"


def failure(options=None):
    with tf.Graph().as_default(), tf.Session() as session:
        sizes = [tf.placeholder(tf.int32) for _ in range(3)]
        kept = tf.fill(sizes[0], 1.0, name="kept")
        small = tf.fill(sizes[1], 2.0, name="small")
        with tf.control_dependencies([kept, small]):
            huge = tf.fill(sizes[2], 1.0, name="huge")
        feeds = dict(zip(sizes, ([1 << 18], [1 << 10], [1 << 30, 1 << 20])))
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run([huge, kept, small], feeds, options=options)
    return caught.value.message


def test_hint_names_missing_option():
    lines = failure().splitlines()
    assert lines[0].startswith("OOM when allocating tensor with shape[1073741824,1048576]")
    assert lines[1].startswith("\t [[node huge (defined at ")
    assert lines[2].startswith("Hint: If you want to see a list of allocated tensors")


def test_largest_allocations_are_listed_first():
    lines = failure(tf.RunOptions(report_tensor_allocations_upon_oom=True)).splitlines()
    device = "/job:localhost/replica:0/task:0/device:CPU:0"
    assert lines[2] == f"Current usage from device: {device}, allocator: cpu"
    assert lines[3:5] == ["  1.00MiB from kept", "  4.00KiB from small"]


def test_loop_stacks_are_listed():
    """The forward loop runs out of memory for its last value; its stack holds those of earlier iterations."""
    size = tf.placeholder(tf.int32, [])

    def body(i, a):
        huge = tf.cond(
            tf.equal(i, 3), lambda: tf.reduce_sum(tf.fill([size, size], 1.0)), lambda: 0.0
        )
        return i + 1, tf.exp(a * 0.5, name="exp") + huge

    x = tf.ones([1 << 16])
    out = tf.while_loop(lambda i, a: i < 5, body, [0, x], name="loop")[1]
    (grad,) = tf.gradients(out, [x])
    with tf.Session() as session:
        options = tf.RunOptions(report_tensor_allocations_upon_oom=True)
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(grad, {size: 1 << 24}, options=options)
        lines = caught.value.message.splitlines()
        assert "  768.00KiB from gradients/loop/exp_grad/mul/f_acc" in lines
        assert session.run(grad, {size: 2}).shape == (1 << 16,)
