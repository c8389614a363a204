"""tf.function and Defun: retracing, errors, calls with other arguments and from other graphs."""

import numpy as np

from tests.support.models.function_graphs import defun_module


def traces(tf, stage):
    count = []

    @tf.function
    def f(x, n=2, *more, scale=1.0, **named):
        count.append((str(getattr(x, "shape", x)), n, len(more), sorted(named)))
        return x * n * scale

    one = tf.constant([1.0, 2.0])
    calls = [
        lambda: f(one),
        lambda: f(one, 2),
        lambda: f(one, 3.0),
        lambda: f(one, n=2),
        lambda: f(x=one),
        lambda: f(tf.constant(1.0)),
        lambda: f(tf.constant([[1.0]])),
        lambda: f(tf.constant(1)),
        lambda: f(one, 2, 3, scale=2.0),
        lambda: f(one, 2, 3, scale=2.0, other=one),
        lambda: f(2.0),
        lambda: f(2.0),
        lambda: f([1.0, 2.0]),
        lambda: f(None),
        lambda: f({"a": one}),
        lambda: f(one, [1]),
        lambda: f(one, {1, 2}),
    ]
    for call in calls:
        before = len(count)
        with stage.failing():
            stage.say(call())
        stage.say(count[before:])
    outer = [tf.function(lambda x, n=n: f(x, 4) + f(x, n)) for n in (4, 5)]
    del count[:]
    stage.say([call(one) for call in outer], count)
    stage.say(f.python_function.__name__, f.__name__, f.input_signature)
    with tf.Graph().as_default() as graph:
        added = tf.function(lambda a, b: a + b)
        stage.say([added(np.ones(2), np.ones(2)) for _ in range(2)])
        stage.say([op.name for op in graph.get_operations()])


def input_signatures(tf, stage):
    spec = tf.TensorSpec

    def made(signature, function=None, **options):
        function = function or (lambda x, y=1.0: x + y)
        return tf.function(function, input_signature=signature, **options)

    vector = [spec([None], tf.float32)]
    cases = {
        "keywords_given": lambda: made(vector, lambda x, **k: x)([1.0], k=2),
        "option_beyond": lambda: made(vector)([1.0], y=2.0),
        "more_than_arguments": lambda: made(vector * 2, lambda x: x)([1.0]),
        "none": lambda: made(vector)(None),
        "numbers": lambda: made((3, vector[0])),
    }
    stage.each(cases)


def wrong_arguments(tf, stage):
    def f(a, b, c=3):
        return a

    def unset(x, times=0):
        if x:
            y = 1.0
        for _ in range(times):
            y = 2.0
        return y

    for made in (tf.function(f), tf.function(unset)):
        for args, kwargs in (
            ((), {}),
            ((0,), {}),
            ((1, 2), {}),
            ((1, 2, 3, 4), {}),
            ((1,), {"a": 2}),
            ((), {"c": 1, "b": 2}),
            ((1, 2), {"d": 3}),
        ):
            with stage.failing():
                stage.say(made(*args, **kwargs))


def concrete(tf, stage):
    with tf.Graph().as_default():  # TensorFlow drops a call that initializes no variables
        _concrete(tf, stage)


def _concrete(tf, stage):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)

    @tf.function
    def f(x, k=2, flag=False):
        return {"sum": tf.reduce_sum(x * v) * k, "same": x} if flag else (x * v, None)

    spec = tf.TensorSpec([None], tf.float32)
    one = f.get_concrete_function(spec)
    two = f.get_concrete_function(spec, 3, True)
    named = f.get_concrete_function(x=tf.TensorSpec([2], tf.float32, name="a b"))
    for c in (one, two, named):
        stage.say(c.structured_input_signature, c.structured_outputs)
        stage.say([x.name for x in c.inputs], [x.name for x in c.outputs])
        stage.say(c.output_shapes, c.output_dtypes, [str(s) for s in c.captured_inputs])
        stage.say([x.name for x in c.graph.variables])
        stage.say([op.name for op in c.graph.get_operations()], c.graph.seed)
    stage.say(f.get_concrete_function(spec) is one, f.get_concrete_function(spec, 2) is one)
    x = tf.constant([3.0, 4.0])
    with stage.failing():
        stage.say(one(x), two(x), named(x), named(**{"a b": x}))
    for call in (
        lambda: one(),
        lambda: one(x, x),
        lambda: one(x=x),
        lambda: one(y=x),
        lambda: one(tf.constant([1])),
        lambda: one([3.0, 4.0]),
        lambda: one(tf.constant([[1.0]])),
        lambda: named(tf.constant([1.0])),
        lambda: two(x, flag=True),
        lambda: f.get_concrete_function(tf.TensorSpec([3], tf.float32)),
    ):
        stage.attempt(call)
    with tf.Session() as session:
        session.run(v.initializer)
        stage.say(session.run([one(x)[0], two(x), tf.gradients(two(x)["sum"], [x, v])]))


def variables_in_functions(tf, stage):
    made = []

    def once(x, **options):
        if not made:
            made.append(tf.Variable(2.0, name="inside", **options))
        return x * made[0]

    def of_argument(x):
        if not made:
            made.append(tf.Variable(x, name="from_x"))
        return made[0] + x

    def twice(function, *args):
        f = tf.function(function)
        return f(*args), f(*args)

    def fresh(case):
        def call():
            made.clear()
            return case()

        return call

    cases = {
        "of_tensor": lambda: twice(of_argument, tf.constant(3.0)),
        "trainable": lambda: twice(lambda x: once(x, trainable=False), 1.0),
    }
    stage.each({name: fresh(case) for name, case in cases.items()}, graph=False)


def results(tf, stage):

    def call(function, *args, **options):
        return tf.function(function, **options)(*args)

    x = [1.0, 2.0]
    cases = {
        "operation": lambda: str(call(lambda: tf.no_op())),
        "state": lambda: call(lambda y: _stateful(tf, y), tf.constant(x)),
    }
    stage.each(cases)


def _stateful(tf, y):
    v = tf.compat.v1.get_default_graph()
    tf.print("seen", tf.reduce_sum(y), output_stream="file:///dev/null")
    return tf.stack([tf.reduce_sum(y), float(v.building_function)])


def defuns(tf, stage):
    of = defun_module(tf)
    v = {}

    @of.Defun(tf.float32, tf.float32, func_name="Scaled", out_names=["product", "sum"])
    def scaled(x, y):
        return x * y, x + y

    @of.Defun(tf.float32, python_grad_func=lambda op, g: 10.0 * g)
    def own_gradient(x):
        return x * x

    @of.Defun(tf.float32, tf.float32)
    def graph_gradient(x, g):
        return g * 100.0

    @of.Defun(tf.float32, grad_func=graph_gradient)
    def with_graph(x):
        return x * x

    @of.Defun(tf.float32, shape_func=lambda op: [op.inputs[0].get_shape()])
    def shaped(x):
        return tf.reshape(tf.concat([x], 0), tf.shape(x))

    @of.Defun(noinline=True)
    def none():
        return tf.constant(7.0)

    @of.Defun(tf.float32, capture_by_value=True)
    def by_value(x):
        return x + v["outer"]

    @of.Defun(tf.float32)
    def captures(x):
        return x * v["outer"]

    def with_outer(function):
        v["outer"] = tf.constant(5.0, name="outer") * 2.0
        return function(3.0)

    def gradient(function, *args):
        x = tf.constant([2.0, 3.0])
        return tf.gradients(function(x), x), x.shape

    cases = {
        "two_again": lambda: [scaled(1.0, 2.0), scaled(3.0, 4.0)[1]],
        "own": lambda: gradient(own_gradient)[0],
        "graph": lambda: gradient(with_graph)[0],
        "shaped": lambda: shaped([[1.0]]),
        "by_value": lambda: with_outer(by_value),
        "captures": lambda: with_outer(captures),
        "dtype": lambda: scaled(1, 2),
        "tensor_dtype": lambda: scaled(tf.constant(1), 2.0),
        "attrs": lambda: none(noinline=True, name="inlined"),
        "both_gradients": lambda: of.Defun(
            tf.float32, grad_func=graph_gradient, python_grad_func=lambda op, g: g
        )(lambda x: x + 1.0)(1.0),
    }
    stage.each(cases)


def wrapped(tf, stage):
    def f(x):
        w = tf.get_variable("w", initializer=2.0)
        tf.add_to_collection("mine", x)
        return x * w

    spec = tf.TensorSpec([1], tf.float32, name="arg0")
    wrap = tf.compat.v1.wrap_function

    cases = {
        "named": lambda: (
            wrap(lambda x: x, [tf.TensorSpec([], tf.float32, name="n")], "mine").inputs[0].name
        ),
        "not_fed": lambda: wrap(f, [spec]).prune([], lambda g: g),
    }
    stage.each(cases)
