import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")


def array_of(size=3, **options):
    return tf.TensorArray(tf.float32, size=size, **options)


def test_elements_are_written_and_read():
    array = array_of().write(0, 1.0).write(1, 2.0).write(2, 3.0)
    assert array.stack().numpy().tolist() == [1, 2, 3]
    assert array.read(1).numpy() == 2
    assert array.gather([0, 2]).numpy().tolist() == [1, 3]
    assert array.size().numpy() == 3
    assert array.handle is None and array.flow.numpy() == 0


def test_dynamic_array_grows():
    array = array_of(0, dynamic_size=True).write(3, 1.0)
    assert array.stack().numpy().tolist() == [0, 0, 0, 1]


def test_unstack_split_and_scatter():
    assert array_of(2).unstack([[1.0, 2.0], [3.0, 4.0]]).concat().numpy().tolist() == [1, 2, 3, 4]
    assert array_of(2).split([1.0, 2.0, 3.0], [1, 2]).read(1).numpy().tolist() == [2, 3]
    assert array_of(4).scatter([3, 1], [1.0, 2.0]).stack().numpy().tolist() == [0, 2, 0, 1]


def test_loops_fill_array():
    _, array = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, 2.0)), (0, array_of())
    )
    assert array.stack().numpy().tolist() == [2, 2, 2]


def test_tape_records_elements():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.map_fn(lambda v: v * v, x)
    assert tape.gradient(y, x).numpy().tolist() == [2, 4]


@pytest.mark.parametrize(
    "kind, message, invalid",
    [
        (
            tf.errors.OutOfRangeError,
            "Tried to write to index 3 but array is not resizeable and size is: 3",
            lambda: array_of().write(3, 1.0),
        ),
        (
            tf.errors.OutOfRangeError,
            "Writing to negative indices (index -1) is not allowed.",
            lambda: array_of().write(-1, 1.0),
        ),
        (
            tf.errors.OutOfRangeError,
            "Tried to read from index 5 but array size is: 3",
            lambda: array_of().read(5),
        ),
        (
            tf.errors.OutOfRangeError,
            "Reading from negative indices (index -1) is not allowed.",
            lambda: array_of().read(-1),
        ),
        (
            tf.errors.InvalidArgumentError,
            "TensorArray dtype is float32 but Op is trying to write dtype int32",
            lambda: array_of().write(0, tf.constant(1)),
        ),
        (
            ValueError,
            "Incompatible shape for value (()), expected ((2,))",
            lambda: array_of(element_shape=[2]).write(0, 1.0),
        ),
        (
            ValueError,
            "Cannot unstack 3 tensors into a TensorArray of static size 2",
            lambda: array_of(2).unstack([1.0, 2.0, 3.0]),
        ),
        (
            tf.errors.InvalidArgumentError,
            "Could not read index 0 twice because it was cleared after a previous read (perhaps try setting "
            "clear_after_read = false?)",
            lambda: [(array := array_of().write(0, 1.0)).read(0), array.read(0)],
        ),
        (
            tf.errors.InvalidArgumentError,
            "Concat saw a scalar shape at index 0 but requires at least vectors.",
            lambda: array_of(infer_shape=False).unstack([1.0, 2.0, 3.0]).concat(),
        ),
        (
            tf.errors.InvalidArgumentError,
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is 3 and value's shape is: "
            "[2] ",
            lambda: array_of(2).split([1.0, 2.0], [1, 2]),
        ),
    ],
)
def test_errors(kind, message, invalid):
    with pytest.raises(kind) as caught:
        invalid()
    assert str(caught.value) == message
