"""TensorArrays on a machine with two GPUs, alone, in loops and with their gradients: placed as in `gpus.py`."""

from tests.conformance.placements import soft

DEVICES = {"CPU": 1, "GPU": 2}


def filled(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    array.read(0)
    array.stack()
    array.concat()
    tf.TensorArray(tf.float32, 2).split(x, [1, 2]).size()


def of_dtypes(tf):
    for dtype in tf.float16, tf.float64, tf.int64, tf.int32, tf.bool, tf.complex64, tf.string:
        value = tf.placeholder(dtype, [2], name=dtype.name)
        array = tf.TensorArray(dtype, 2, name="array_" + dtype.name)
        array = array.write(0, value[0]).write(1, value[1])
        array.gather([0])
        tf.TensorArray(dtype, 2, name="rows_" + dtype.name).unstack(value).read(0)


def where_the_first_tensor_lies(tf):
    with tf.device("/gpu:1"):
        there = tf.random_uniform([2], name="there")
    with tf.device("/cpu:0"):
        here = tf.random_uniform([2], name="here")
    first = tf.TensorArray(tf.float32, 2).write(0, there).write(1, here)
    first.stack()
    tf.TensorArray(tf.float32, 2).write(0, here).write(1, there).stack()


def where_it_was_made(tf):
    with tf.device("/gpu:1"):
        array = tf.TensorArray(tf.float32, 2, colocate_with_first_write_call=False)
        follows = tf.TensorArray(tf.float32, 2)
    with tf.device("/cpu:0"):
        value = tf.random_uniform([2])
        array.write(0, value).read(0)
        follows.write(0, value).read(0)


def in_a_loop(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    rows = tf.TensorArray(tf.float32, 3).unstack(x)
    made = tf.TensorArray(tf.float32, 3)

    def body(i, made):
        return i + 1, made.write(i, tf.matmul(rows.read(i)[None, :], w)[0])

    _, made = tf.while_loop(lambda i, _: i < 3, body, (0, made))
    made.stack()


def mapped(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    tf.map_fn(lambda row: row * 2.0, x)
    tf.map_fn(lambda i: i * 2, tf.range(3))
    with tf.device("/gpu:1"):
        tf.scan(lambda a, row: a + row, x)


def gradients(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    w = tf.Variable([1.0, 2.0], name="w")
    array = tf.TensorArray(tf.float32, 3).unstack(x * w)
    tf.gradients([array.read(0), array.gather([1, 2])], [w, x])


def gradients_of_a_map(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    w = tf.Variable([1.0, 2.0], name="w")
    with tf.device("/gpu:1"):
        y = tf.map_fn(lambda row: tf.tanh(row) * w, x)
    tf.gradients(y, [w, x], colocate_gradients_with_ops=True)


def array_cannot_be_on_a_gpu(tf):
    with tf.device("/gpu:0"):
        tf.TensorArray(tf.int32, 2, colocate_with_first_write_call=False)


def write_cannot_be_on_a_gpu(tf):
    array = tf.TensorArray(tf.int64, 2, name="array")
    with tf.device("/gpu:0"):
        value = tf.placeholder(tf.int64, [], name="value")
    array.write(0, value)


@soft
def softly_off_the_gpu(tf):
    with tf.device("/gpu:0"):
        array = tf.TensorArray(tf.int64, 2, colocate_with_first_write_call=False)
        array.write(0, tf.constant(1, tf.int64)).stack()
