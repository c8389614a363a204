"""Errors in running kernels: dynamic shapes, ranges, division, NaN, functions."""

import numpy as np


def concat_of_fed_shapes(tf):
    x = tf.placeholder(tf.float32, [None, None], name="x")
    return tf.concat([x, tf.ones([2, 3])], 0), {x: np.zeros([2, 2])}


def stack_of_fed_shapes(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.stack([x, tf.ones([2])]), {x: np.zeros([3])}


def reshape_of_fed_size_inferred(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.reshape(x, [2, -1]), {x: np.zeros([5])}


def reshape_of_negative_size(tf):
    s = tf.placeholder(tf.int32, [2], name="s")
    return tf.reshape(tf.ones([4]), s), {s: [-2, -2]}


def split_of_fed_size(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.split(x, 2), {x: np.zeros([5])}


def squeeze_of_fed_size(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.squeeze(x, [0]), {x: np.zeros([3])}


def transpose_of_fed_rank(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.transpose(x, [1, 0]), {x: np.zeros([3])}


def tile_of_fed_rank(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.tile(x, [2, 2]), {x: np.zeros([3])}


def nan_checked(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.check_numerics(x, "loss is bad"), {x: [1.0, float("nan")]}


def nan_and_inf_checked(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.check_numerics(x, "both"), {x: [float("inf"), float("nan")]}


def nan_in_gradients(tf):
    v = tf.Variable(0.0, name="v")
    check = tf.check_numerics(tf.gradients(tf.sqrt(v), v)[0], "gradient")

    def use(sess):
        sess.run(v.initializer)
        sess.run(check)

    return use


def assert_rank(tf):
    x = tf.placeholder(tf.int32, name="x")
    return tf.assert_rank(x, 1), {x: 9}


def function_that_raises(tf):
    def broken(a):
        raise ValueError(f"no luck with {a.shape}")

    return tf.py_func(broken, [tf.constant([1.0, 2.0])], tf.float32, name="broken")


def function_that_raises_type_error(tf):
    def broken(a):
        raise TypeError("wrong type")

    return tf.py_func(broken, [1.0], tf.float32)


def function_that_raises_stop_iteration(tf):
    def ended():
        raise StopIteration("at the end")

    return tf.py_func(ended, [], tf.float32)


def function_that_raises_not_implemented(tf):
    def missing():
        raise NotImplementedError("not here")

    return tf.py_func(missing, [], tf.float32)


def function_that_raises_its_own(tf):
    class Own(Exception):
        pass

    def broken():
        raise Own("mine")

    return tf.py_func(broken, [], tf.float32)


def range_of_fed_zero(tf):
    d = tf.placeholder(tf.int32, [], name="d")
    return tf.range(0, 5, d), {d: 0}


def range_of_fed_direction(tf):
    d = tf.placeholder(tf.int32, [], name="d")
    return tf.range(0, 5, d), {d: -1}


def fill_of_fed_size(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    return tf.fill([n], 1.0), {n: -3}


def one_hot_of_fed_depth(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    return tf.one_hot([1], n), {n: -3}


def dynamic_stitch_of_shapes(tf):
    i = tf.placeholder(tf.int32, [None], name="i")
    return tf.dynamic_stitch([i], [tf.ones([2, 2])]), {i: [0, 1, 2]}


def invert_permutation_twice_the_same(tf):
    i = tf.placeholder(tf.int32, [None], name="i")
    return tf.invert_permutation(i), {i: [0, 0]}


def diag_part_of_fed_shape(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.diag_part(x), {x: np.zeros([2, 3])}


def assign_fed_shape_to_slice(tf):
    v = tf.Variable([1.0, 2.0, 3.0], name="v")
    x = tf.placeholder(tf.float32, name="x")
    with tf.control_dependencies([v.initializer]):
        return v[0:2].assign(x), {x: [1.0, 2.0, 3.0]}


def memory_beyond_all(tf):
    n = tf.placeholder(tf.int64, [], name="n")
    return tf.zeros(tf.stack([n, n, n])), {n: 2**15}
