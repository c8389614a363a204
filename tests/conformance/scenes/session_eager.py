"""Eager tensors: constants, conversions, operators, unsupported members; attrs, devices, errors of eager ops."""

import copy
import pickle

import numpy as np


def constants(tf, stage):
    def of(*args, **kwargs):
        t = tf.constant(*args, **kwargs)
        return t.dtype.name, t.shape.as_list(), t

    big = 2**31
    cases = {
        "int_edge": lambda: (of(big - 1), of(-big), of(big), of(-big - 1)),
        "int_list_edge": lambda: (of([big - 1]), of([big]), of([1, big]), of([-big - 1])),
        "int_as_bool": lambda: of(1, tf.bool),
        "array_objects": lambda: of(np.array([1, "a"], object)),
        "array_strange": lambda: of(np.array(["2020-01-01"], "M8[D]")),
        "longdouble": lambda: of(np.longdouble(1.0)),
        "tensor_dtype": lambda: of(tf.constant([1.0]), tf.float64),
        "shape_verified": lambda: of([1, 2], shape=[2, 1], verify_shape=True),
    }
    stage.each_eagerly(cases)


def values(tf, stage):
    def of(function, value=(1.0, 2.0), dtype=None):
        return lambda: function(tf.constant(value, dtype))

    names = ("op", "graph", "name", "value_index", "_id", "consumers", "eval", "backing_device")
    cases = {f"has_{name}": of(lambda x, n=name: type(getattr(x, n)).__name__) for name in names}
    cases.update(
        {
            "consumers": of(lambda x: x.consumers()),
            "eval": of(lambda x: x.eval()),
            "int": of(lambda x: (int(x), float(x), bool(x), complex(x)), 2),
            "int_of_many": of(int),
            "float_of_many": of(float),
            "float_of_text": of(float, "a"),
            "bool_of_many": of(bool),
            "bool_of_none": of(bool, [], tf.float32),
            "len": of(len),
            "len_of_scalar": of(len, 1.0),
            "iterated_scalar": of(list, 1.0),
            "operators": of(
                lambda x: (x + 1, 1 - x, x * x, x / 2, x // 2, x % 2, -x, abs(-x), x**2, 2**x)
            ),
            "logic": of(lambda x: (x & True, x | False, ~x, x ^ True), (True, False)),
            "logic_of_numbers": of(lambda x: x & 1, (1, 2)),
            "set_shape_wrong": of(lambda x: x.set_shape([3])),
            "copied": of(lambda x: (copy.copy(x), copy.deepcopy([x, x]))),
            "pickled": of(lambda x: pickle.loads(pickle.dumps(x))),
            "gpu": of(lambda x: x.gpu()),
            "sliced": of(lambda x: (x[0], x[-1:], x[None], x[..., 0], x[tf.constant(1)])),
            "sliced_deep": of(lambda x: x[0, 0]),
            "sliced_step": of(lambda x: x[::0]),
        }
    )
    stage.each_eagerly(cases)


def operations(tf, stage):
    raw = tf.raw_ops

    def placed(device):
        with tf.device(device):
            return (tf.ones([1]) + 1.0).device

    def nested_devices():
        with tf.device("/cpu:0"), tf.device(None):
            return tf.ones([1]).device

    def in_graph():
        with tf.Graph().as_default():
            x = tf.constant(1.0)
        return tf.add(x, 1.0)

    def eager_in_graph():
        x = tf.constant(2.0)
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(x * 3.0)

    def seeds():
        tf.set_random_seed(5)
        first = [tf.random.uniform([]), tf.random.uniform([]), tf.random.uniform([], seed=3)]
        tf.set_random_seed(5)
        return first, [tf.random.uniform([]), tf.random.uniform([], seed=3), tf.random.uniform([])]

    def controls():
        with tf.control_dependencies([tf.constant(1), lambda: 3]):
            return tf.no_op(), tf.group(tf.constant(1.0)), tf.tuple([tf.constant(1.0)])

    one = tf.constant
    cases = {
        "dtypes": lambda: tf.add(one(1), one(1.0)),
        "dtypes_by_name": lambda: tf.add(one(1), one(1.0), name="mine"),
        "shapes": lambda: tf.add(tf.ones([2]), tf.ones([3]), name="mine"),
        "matmul": lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
        "matmul_rank": lambda: raw.MatMul(a=tf.ones([2]), b=tf.ones([2])),
        "attr_missing": lambda: raw.Cast(x=one(1)),
        "attr_unknown": lambda: raw.Identity(input=one(1), other=2),
        "attr_positional": lambda: raw.Identity(one(1)),
        "attr_text": lambda: tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]), 1, "SAFE"),
        "not_a_list": lambda: raw.ConcatV2(values=one(1), axis=0),
        "gather": lambda: tf.gather([1, 2], [2], name="mine"),
        "split": lambda: tf.split(tf.ones([5]), 2),
        "split_to_one": lambda: tf.split(tf.ones([5]), [-1]),
        "split_axis": lambda: tf.split(tf.ones([5]), [5], 3),
        "assert_equal": lambda: tf.debugging.assert_equal(one(1), one(2), message="these"),
        "numerics": lambda: tf.debugging.check_numerics(one(float("nan")), "bad"),
        "device_of_other": lambda: placed("/job:worker/cpu:0"),
        "device_function": lambda: placed(lambda op: "/cpu:0"),
        "device_number": lambda: placed(3),
        "nested_devices": nested_devices,
        "graph_tensor": in_graph,
        "eager_in_graph": eager_in_graph,
        "seeds": seeds,
        "controls": controls,
        "py_function_none": lambda: tf.py_function(lambda x: None, [one(2.0)], []),
        "array_dtype": lambda: tf.TensorArray(tf.float32, 2).write(0, one(1)),
        "sparse": lambda: tf.sparse.to_dense(tf.SparseTensor([[0, 1]], [5], [1, 2])),
    }
    stage.each_eagerly(cases)
