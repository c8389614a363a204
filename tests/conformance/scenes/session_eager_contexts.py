"""Repeated eager ops with other dtypes, attrs, devices, seeds and Python functions; the context."""

import importlib

import numpy as np

from tests.conformance.scenes import eager_mode


def _context(tf):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(package + ".python.eager.context")


def the_context(tf, stage):
    module = _context(tf)
    with eager_mode(tf):
        context = module.context()
        stage.say(module.executing_eagerly(), context.executing_eagerly(), module.in_eager_mode())
        stage.say(context is module.context(), module.num_gpus(), context.num_gpus())
        stage.say([name for name in context.devices() if "XLA" not in name])
        stage.say(repr(context.scope_name), repr(context.device_name))
        with tf.name_scope("outer"), tf.name_scope("inner"), context.device("/cpu:0"):
            stage.say(context.scope_name, context.device_name, context.device_spec.device_type)
            with tf.Graph().as_default():
                stage.say(context.executing_eagerly())
            with module.graph_mode():
                stage.say(context.executing_eagerly(), tf.executing_eagerly())
                with module.eager_mode():
                    stage.say(context.executing_eagerly())
            stage.say(tf.executing_eagerly())
        stage.attempts(
            lambda: context.device(3).__enter__(),
            lambda: context.has_function("none"),
            lambda: tf.add(1, tf.Graph().as_graph_def()),
            lambda: tf.contrib.eager.list_devices()[0],
        )
    stage.say(module.executing_eagerly(), module.context().executing_eagerly())


def functions_of_python(tf, stage):
    one = tf.constant

    def gradient_through():
        x = one([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.py_function(lambda v: v * v + 1.0, [x], tf.float32)
            z = tf.py_func(lambda v: v * np.float32(2), [x], tf.float32)
        return y, tape.gradient(y, x), tape.gradient(z, x)

    def inner(*values):
        stage.say([type(v).__name__ for v in values], tf.executing_eagerly())
        return values[0]

    stage.each_eagerly(
        {
            "too few": lambda: tf.py_function(lambda a: a, [1], [tf.int32, tf.int32]),
            "other dtype": lambda: tf.py_function(lambda a: a, [1], tf.float32),
            "numbers": lambda: tf.py_function(lambda a: 3, [1], tf.float64),
            "arrays": lambda: tf.py_function(lambda a: np.arange(2), [1], tf.int64),
            "texts": lambda: tf.py_function(lambda a: "t" + a.numpy().decode(), ["a"], tf.string),
            "raises": lambda: tf.py_function(lambda a: {}[1], [1], tf.float32),
            "not implemented": lambda: tf.py_function(lambda: NotImplemented, [], tf.float32),
            "gradient": gradient_through,
            "kinds": lambda: tf.py_function(inner, [1, [2.0], "a"], tf.int32),
        }
    )
    x = tf.placeholder(tf.float32, [2], name="x")
    made = tf.py_function(inner, [x, 1], tf.float32, name="own")
    pair = tf.py_function(lambda a: [a, a * 2.0], [x], [tf.float32, tf.float32])
    nothing = tf.py_function(lambda: stage.say("called"), [], [])
    stage.say(made.name, made.op.type, made.shape, [p.name for p in pair], nothing)
    with tf.Session() as session:
        stage.attempts(lambda: session.run([pair, tf.gradients(pair[1], x)], {x: [1.0, 2.0]}))
    stage.brief_graph(names=True)
