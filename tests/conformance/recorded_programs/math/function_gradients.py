"""Functions and switch_case with state in loops and conditions: values, first and second gradients.

Each row is a separate graph: the caller of the function, the control flow in it, and an iteration's or branch's work.
"""

import warnings

import numpy as np

REPLAYABLE = False


def state(tf, name):
    """A function of a vector, and the variables it reads."""
    if name == "reads":
        v = tf.get_variable("v", initializer=[1.5, 2.0], use_resource=True)
        return lambda x: x * v, [v]
    if name == "reads reference":
        r = tf.get_variable("r", initializer=[1.5, 2.0], use_resource=False)
        return lambda x: x * r, [r]
    if name == "reads rows":
        t = tf.get_variable("t", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
        return lambda x: x * tf.reduce_sum(tf.gather(t, [1, 1, 0]), 0), [t]
    if name == "writes":
        w = tf.get_variable("w", initializer=[1.5, 2.0], use_resource=True)

        def written(x):
            w.assign_add([0.5, 0.25])
            return x * w

        return written, [w]
    if name == "draws":
        return lambda x: tf.nn.dropout(x * x, rate=0.5, seed=5), []
    if name == "calls Python":

        def plus(x):
            found = tf.py_func(lambda a: a + np.float32(1), [x], tf.float32)
            found.set_shape([2])
            return found

        return lambda x: x * x * plus(x), []
    if name == "asserts":

        def checked(x):
            with tf.control_dependencies([tf.Assert(tf.reduce_all(x > -1e9), [x])]):
                return x * x

        return checked, []
    if name == "stops":
        v = tf.get_variable("v", initializer=[1.5, 2.0], use_resource=True)
        return lambda x: tf.stop_gradient(x * v) * x * v, [v]
    if name == "has its gradient":

        @tf.custom_gradient
        def clipped(x):
            return x * x, lambda grad: grad * x * 3.0

        return clipped, []

    def of_array(x):
        a = tf.TensorArray(tf.float32, 3).write(0, x).write(1, x * x).write(2, x + 1.0)
        return tf.reduce_sum(a.stack(), 0) * a.read(1)

    return of_array, []


def within(tf, name, f, x):
    """The function inside a control flow construct."""

    def loop(f, x):
        return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, f(a)), [0, x])[1]

    def cond(f, x):
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: f(x), lambda: x * x)

    called = tf.function(f, autograph=False)
    if name == "at most":
        return tf.while_loop(
            lambda i, a: i < 9, lambda i, a: (i + 1, f(a)), [0, x], maximum_iterations=2
        )[1]
    if name == "mapped":
        return tf.map_fn(lambda k: tf.reduce_sum(f(x * k)), tf.constant([1.0, 2.0]))
    if name == "case":
        index = tf.cast(tf.reduce_sum(x), tf.int32) - 3
        return tf.switch_case(index, [lambda: x, lambda: x * x, lambda: f(x), lambda: x * 2.0])
    return {
        "plain": lambda: f(x),
        "loop": lambda: loop(f, x),
        "cond": lambda: cond(f, x),
        "other branch": lambda: tf.cond(tf.reduce_sum(x) < 0.0, lambda: f(x), lambda: x * x * x),
        "loop in cond": lambda: cond(lambda x: loop(f, x), x),
        "cond in loop": lambda: loop(lambda x: cond(f, x), x),
        "loop in loop": lambda: loop(lambda x: loop(f, x), x),
        "called twice": lambda: called(called(x)),
        "called in loop": lambda: loop(called, x),
        "called in cond": lambda: cond(called, x),
    }[name]()


ROWS = (
    ("function", "loop", "reads"),
    ("function", "cond", "reads reference"),
    ("function", "loop", "reads rows"),
    ("function", "loop in cond", "writes"),
    ("function", "other branch", "draws"),
    ("function", "mapped", "array"),
    ("function", "at most", "stops"),
    ("function", "called in loop", "asserts"),
    ("function", "called twice", "reads"),
    ("function", "plain", "has its gradient"),
    ("switch_case", "cond in loop", "reads"),
    ("switch_case", "case", "calls Python"),
    ("switch_case", "called in cond", "stops"),
    ("switch_case", "loop in loop", "reads"),
    ("switch_case", "plain", "draws"),
)


def quietly(function, *args):
    """The results of a function; slices of unknown shape become tensors without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


def computed(tf, outer, flow, name):
    """The value; its gradients; the gradients of their sum; the variables afterwards."""
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        f, variables = state(tf, name)
        x, c = tf.constant([2.0, 3.0]), tf.constant([1.25, 0.5])

        def body(x):
            return within(tf, flow, f, x) * c

        if outer == "function":
            y = tf.function(body, autograph=False)(x)
        else:
            index = tf.constant(1)
            y = tf.switch_case(index, [lambda: x, lambda: body(x), lambda: x * x])
        xs = [x, c] + variables
        first = tf.gradients(y, xs)
        sums = [tf.reduce_sum(tf.convert_to_tensor(g)) for g in first if g is not None]
        second = tf.gradients(sums, xs)
        kinds = [type(g).__name__ for g in first + second]
        fetches = [tf.convert_to_tensor(g) for g in [y] + first + second if g is not None]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return kinds, session.run(fetches), session.run(variables)


def trained(tf):
    """The weights of a Keras LSTM called by a function, and its loss, over three steps."""
    with tf.Graph().as_default():
        layer = tf.keras.layers.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones")
        x = tf.constant(np.arange(12).reshape(2, 3, 2) / 10.0, tf.float32)
        loss = tf.reduce_sum(tf.function(lambda x: layer(x), autograph=False)(x))
        step = tf.train.AdamOptimizer(0.1).minimize(loss, var_list=layer.trainable_variables)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run([loss, step])[0] for _ in range(3)]
            return losses, session.run(layer.trainable_variables)


def effects(tf):
    """A loop over a single variable, and a function without results."""

    def built():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)

        @tf.function(autograph=False)
        def filled():
            def body():
                with tf.control_dependencies([v.assign_add(0.5)]):
                    tf.no_op()
                return ()

            tf.while_loop(lambda: v < 6.0, body, ())
            return v.read_value()

        @tf.function(autograph=False)
        def nothing(x):
            tf.square(x)

        return v, filled(), nothing(tf.constant(2.0))

    with tf.Graph().as_default(), tf.Session() as session:
        v, y, done = built()
        session.run(tf.global_variables_initializer())
        names = done.name, done.type
        return names, session.run(done), session.run(y), session.run(v)


def signatures(tf):
    """Argument names and their values."""

    def f(a, b=3, *c, **k):
        return a * 2.0

    def shown(*args, **kwargs):
        traced = tf.function(f, autograph=False).get_concrete_function(*args, **kwargs)
        signature = traced.structured_input_signature
        leaves = tf.nest.flatten(signature)
        specs = [[str(s.shape), s.dtype.name, s.name] for s in leaves if hasattr(s, "dtype")]
        named = traced.function_def.arg_attr
        attrs = [named[n].attr["_user_specified_name"].s.decode() for n in range(len(specs))]
        return [t.name for t in traced.inputs], specs, attrs

    with tf.Graph().as_default():
        one, two = tf.TensorSpec([], tf.float32, name="inp"), tf.TensorSpec([2], tf.float32)
        return shown(one), shown(two, 3, two, z={"q": two}), shown(one, [two, 5, two], y=one)


def build(tf):
    steps = [(", ".join(row), lambda _, row=row: quietly(computed, tf, *row)) for row in ROWS]
    others = [("an LSTM in a function", trained), ("effects", effects), ("names", signatures)]
    return {"steps": [*steps, *((label, lambda _, f=f: quietly(f, tf)) for label, f in others)]}
