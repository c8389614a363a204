"""Variables in eager mode: options, names, assignments, slices, copies, conversions, errors; stores and scopes."""

import copy
import pickle

import numpy as np


def made(tf, stage):
    def of(value=1.0, **options):
        v = tf.Variable(value, **options)
        return v.name, str(v.shape), v.dtype.name, v.trainable, v.numpy()

    def modes(**options):
        v = tf.Variable(1.0, **options)
        return str(v.synchronization), str(v.aggregation), v.trainable

    def in_scopes():
        with tf.name_scope("outer"), tf.compat.v1.variable_scope("scope"):
            return tf.Variable(1.0, name="v").name, tf.Variable(1.0).name, tf.Variable(1.0).name

    def second(value=1.0, **options):
        v = tf.compat.v2.Variable(value, **options)
        return v.name, str(v.shape), v.dtype.name, v.trainable, v.constraint is None

    cases = {
        "texts": lambda: of(["a", "b"]),
        "reference": lambda: of(use_resource=False),
        "constraint": lambda: of(constraint=3),
        "collections_text": lambda: of(collections="mine"),
        "aggregation_wrong": lambda: modes(aggregation="mean"),
        "synchronization_wrong": lambda: modes(synchronization="auto"),
        "scopes": in_scopes,
        "second": second,
        "second_shape": lambda: second([1.0, 2.0], shape=tf.TensorShape([None])),
        "second_shape_wrong": lambda: second([1.0, 2.0], shape=[3]),
    }
    stage.each_eagerly(cases)


def assigned(tf, stage):
    def of(function, value=(1.0, 2.0, 3.0)):
        v = tf.Variable(value, name="v")
        before = v.numpy()
        found = function(v)
        if found is not None and not isinstance(found, (tuple, str)):
            found = found.numpy()
        return found, v.numpy(), before

    def slices(indices, values=None):
        values = [10.0] * np.size(indices) if values is None else values
        return tf.IndexedSlices(tf.constant(values), tf.constant(indices))

    def failing(function, value=(1.0, 2.0, 3.0)):
        v = tf.Variable(value, name="v")
        try:
            function(v)
        except Exception as error:
            return type(error).__name__, str(error).split("\n")[0], v.numpy()
        return v.numpy()

    rows = [[1.0, 2.0], [3.0, 4.0]]
    cases = {
        "add_shape": lambda: failing(lambda v: v.assign_add([1.0])),
        "scatter_far": lambda: failing(lambda v: v.scatter_add(slices([3]))),
        "scatter_negative": lambda: failing(lambda v: v.scatter_update(slices([-1]))),
        "nd_far": lambda: failing(lambda v: v.scatter_nd_add([[2, 0]], [1.0]), rows),
        "part_of_rows": lambda: of(lambda v: v[:, 0].assign([7.0, 8.0]), rows),
        "part_shape": lambda: failing(lambda v: v[1:].assign([7.0, 8.0, 9.0])),
        "count_up_limit": lambda: failing(lambda v: v.count_up_to(1), 1),
    }
    stage.each_eagerly(cases)


def read(tf, stage):
    def of(function, value=(1.0, 2.0, 3.0), **options):
        return function(tf.Variable(value, name="v", **options))

    cases = {
        "rows_far": lambda: of(lambda v: v.sparse_read([3])),
        "int_of_float": lambda: of(int, 3.0),
        "copy": lambda: of(lambda v: copy.copy(v) is v),
        "pickled": lambda: of(_pickled),
        "gathered": lambda: of(lambda v: _gradient_of_elements(tf, v)),
    }
    stage.each_eagerly(cases)


def _pickled(v):
    other = pickle.loads(pickle.dumps(v))
    return other.name, other.numpy(), other.dtype.name, other.trainable


def _gradient_of_elements(tf, v):
    with tf.GradientTape() as tape:
        found = v.gather_nd([[1], [1]]) * 3.0
    return tape.gradient(found, v)


def got(tf, stage):
    def get(name="v", shape=(2,), **options):
        v = tf.compat.v1.get_variable(name, shape, **options)
        return v.name, v.numpy(), v.trainable

    ones = tf.compat.v1.ones_initializer()

    def store(function):
        store = tf.contrib.eager.EagerVariableStore()
        with store.as_default():
            found = function()
        return (
            found,
            [v.name for v in store.variables()],
            [v.name for v in store.trainable_variables()],
        )

    def twice():
        with tf.compat.v1.variable_scope("s", reuse=tf.compat.v1.AUTO_REUSE):
            a = tf.compat.v1.get_variable("v", [1])
            b = tf.compat.v1.get_variable("v", [1])
        c = tf.compat.v1.get_variable("w", [], initializer=ones, trainable=False)
        return a is b, c.numpy()

    def template():
        made = tf.compat.v1.make_template(
            "t",
            lambda: tf.compat.v1.get_variable("v", [], initializer=ones),
            create_scope_now_=True,
        )
        return made() is made(), [v.name for v in made.variables], made.name

    cases = {
        "shape_wrong": lambda: store(
            lambda: (get(initializer=ones), get(shape=(3,), initializer=ones))
        ),
        "dtype_wrong": lambda: store(lambda: (get(initializer=ones), get(dtype=tf.int32))),
        "value_dtype": lambda: get(shape=None, initializer=[1.0], dtype=tf.int32),
        "bools": lambda: get(dtype=tf.bool),
        "complex": lambda: get(dtype=tf.complex64),
        "regularized": lambda: get(initializer=ones, regularizer=lambda w: tf.reduce_sum(w)),
        "caching": lambda: get(initializer=ones, caching_device="/cpu:0"),
        "store": lambda: store(twice),
        "template": template,
        "template_in_store": lambda: store(template),
        "initializers": lambda: str(
            (
                tf.compat.v1.global_variables_initializer(),
                tf.compat.v1.local_variables_initializer(),
                tf.compat.v1.report_uninitialized_variables().numpy().tolist(),
            )
        ),
    }
    stage.each_eagerly(cases)
