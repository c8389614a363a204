"""TensorArrays: invalid sources, elements read twice, written twice or out of range, mismatched shapes and dtypes; maps
and folds of invalid elements."""


def handle_and_name(tf):
    array = tf.TensorArray(tf.float32, 2)
    return tf.TensorArray(tf.float32, handle=array.handle, tensor_array_name="other")


def handle_and_element_shape(tf):
    array = tf.TensorArray(tf.float32, 2)
    return tf.TensorArray(tf.float32, handle=array.handle, flow=array.flow, element_shape=[2])


def handle_and_dynamic_size(tf):
    array = tf.TensorArray(tf.float32, 2)
    return tf.TensorArray(tf.float32, handle=array.handle, flow=array.flow, dynamic_size=True)


def handle_and_clearing(tf):
    array = tf.TensorArray(tf.float32, 2)
    return tf.TensorArray(tf.float32, handle=array.handle, flow=array.flow, clear_after_read=True)


def size_of_unknown_rank(tf):
    size = tf.placeholder(tf.int32, None, name="size")
    return tf.TensorArray(tf.float32, size, name="a").flow, {size: [1, 2]}


def read_at_a_vector(tf):
    index = tf.placeholder(tf.int32, None, name="index")
    return tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]).read(index, name="read"), {index: [0]}


def read_of_another_dtype(tf):
    array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    return tf.TensorArray(tf.int32, handle=array.handle, flow=array.flow).read(0, name="read")


def write_after_it_was_read_and_kept(tf):
    array = tf.TensorArray(tf.float32, 2, name="a", clear_after_read=False).write(0, 1.0)
    with tf.control_dependencies([array.read(0)]):
        return array.write(0, 2.0, name="w").flow


def stack_of_different_shapes(tf):
    array = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0])
    return array.stack(name="stack")


def stack_of_what_is_not_written(tf):
    array = tf.TensorArray(tf.float32, 2, infer_shape=False, name="a").write(0, [1.0])
    return array.stack(name="stack")


def concat_of_different_rows(tf):
    array = tf.TensorArray(tf.float32, 2, infer_shape=False)
    return array.write(0, [[1.0]]).write(1, [[1.0, 2.0]]).concat(name="c")


def unstack_of_a_scalar_at_run_time(tf):
    x = tf.placeholder(tf.float32, None, name="x")
    return tf.TensorArray(tf.float32, 2).scatter([0], x, name="s").flow, {x: 1.0}


def scatter_of_fewer_rows_at_run_time(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.TensorArray(tf.float32, 3).scatter([0, 1], x, name="s").flow, {x: [1.0]}


def split_of_a_scalar(tf):
    x = tf.placeholder(tf.float32, None, name="x")
    return tf.TensorArray(tf.float32, 1).split(x, [1], name="s").flow, {x: 1.0}


def split_into_unequal_parts(tf):
    array = tf.TensorArray(tf.float32, 2, name="a").split([1.0, 2.0, 3.0], [1, 2], name="s")
    return array.flow


def use_of_a_closed_array(tf):
    array = tf.TensorArray(tf.float32, 2, name="a").write(0, 1.0)
    with tf.control_dependencies([array.flow]):
        closed = array.close()
    with tf.control_dependencies([closed]):
        return array.read(0, name="read")


def gradients_of_another_shape(tf):
    gradient = tf.TensorArray(tf.float32, 2, infer_shape=False, name="a").write(0, [1.0]).grad("g")
    return gradient.write(0, [1.0, 2.0], name="w").flow


def gradients_of_gradients(tf):
    gradient = tf.TensorArray(tf.float32, 2, name="a").write(0, [1.0]).grad("g")
    return gradient.grad("h").flow


def gradients_of_bools(tf):
    gradient = tf.TensorArray(tf.bool, 2, name="a").grad("g")
    return gradient.write(0, True).write(0, False, name="w").flow


def gradients_by_another_name(tf):
    x = tf.constant([1.0])
    return tf.gradients(tf.TensorArray(tf.float32, 1).write(0, x).read(0), x, name="slopes")


def array_of_the_other_branch(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    array = tf.cond(
        x > 0.0,
        lambda: tf.TensorArray(tf.float32, 1).write(0, 1.0),
        lambda: tf.TensorArray(tf.float32, 1).write(0, 2.0),
    )
    return array.read(0, name="read"), {x: -1.0}
