"""Optimizer updates: hyperparameters in each form, other dtypes, unknown shapes, parts, constraints, eager mode."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _makers(tf, number):
    """Optimizers with every option set to a non-default value; `number` converts hyperparameters."""
    t, n = tf.train, number
    return {
        "sgd": lambda: t.GradientDescentOptimizer(n(0.5), True, "own"),
        "momentum": lambda: t.MomentumOptimizer(n(0.5), n(0.75), True, "own", True),
        "adam": lambda: t.AdamOptimizer(n(0.5), n(0.8), n(0.9), n(0.1), True, "own"),
        "adagrad": lambda: t.AdagradOptimizer(n(0.5), 0.25, True, "own"),
        "adadelta": lambda: t.AdadeltaOptimizer(n(0.5), n(0.7), n(0.1), True, "own"),
        "rms": lambda: t.RMSPropOptimizer(n(0.5), n(0.7), n(0.3), n(0.1), True, False, "own"),
        "centered": lambda: t.RMSPropOptimizer(n(0.5), n(0.7), n(0.3), n(0.5), True, True, "own"),
        "ftrl": lambda: t.FtrlOptimizer(0.5, -0.25, 0.3, 0.2, 0.1, True, "own", "acc", "lin", 0.4),
        "ftrl_plain": lambda: t.FtrlOptimizer(n(0.5), -0.75, 0.3, 0.2, 0.1, True),
        "proximal": lambda: t.ProximalGradientDescentOptimizer(0.5, 0.1, 0.2, True, "own"),
        "proximal_ada": lambda: t.ProximalAdagradOptimizer(0.5, 0.3, 0.1, 0.2, True, "own"),
        "dual": lambda: t.AdagradDAOptimizer(
            0.5, t.get_or_create_global_step(), 0.3, 0.1, 0.2, True, "own"
        ),
    }


def _runs(tf, stage, made, variables, steps=2):
    """Records the values of variables and slots before and after each step of an optimizer."""
    optimizer, train = made
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(train)
            stage.say(session.run([*variables, *optimizer.variables()]))


def other_dtypes(tf, stage):
    for dtype in (tf.float64, tf.float16):
        for name, make in _makers(tf, lambda x: x).items():
            if dtype == tf.float16 and name not in ("sgd", "proximal"):
                continue  # their digits depend on the order of operations
            with tf.Graph().as_default():
                stage.say(dtype, name)
                v = tf.get_variable("v", initializer=tf.constant([1.0, -2.0], dtype))
                r = tf.get_variable(
                    "r", initializer=tf.constant([[3.0], [0.5]], dtype), use_resource=True
                )
                with stage.failing():
                    optimizer = make()
                    loss = tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(r, [1, 1, 0]))
                    train = optimizer.minimize(loss)
                    stage.say([x.dtype for x in optimizer.variables()])
                    _runs(tf, stage, (optimizer, train), [v, r], 1)
                stage.brief_graph(names=False)


def shapes_not_known(tf, stage):
    for name, make in _makers(tf, lambda x: x).items():
        for resource in (False, True):
            if name[:3] in ("ftr", "pro", "dua") or resource and name[0] != "s":
                continue  # where TensorFlow fails
            with tf.Graph().as_default():
                stage.say(name, resource)
                given = tf.placeholder_with_default([1.0, 2.0, 3.0], [None])
                v = tf.Variable(given, validate_shape=False, use_resource=resource, name="v")
                with stage.failing():
                    optimizer = make()
                    train = optimizer.minimize(tf.reduce_sum(v * v))
                    stage.say([str(x.shape) for x in optimizer.variables()])
                    _runs(tf, stage, (optimizer, train), [v], 1)
                stage.brief_graph(names=False)


def in_eager_mode(tf, stage):
    for name in _makers(tf, lambda x: x):
        with tf.Graph().as_default(), eager_mode(tf):
            stage.say(name)
            rates = iter([1.0, 1.0, 0.5, 0.5, 0.25, 0.25, *[0.125] * 20])
            v = tf.Variable([1.0, -2.0], name="v")
            w = tf.Variable([[1.0], [2.0], [3.0]], name="w", dtype=tf.float32)
            with stage.failing():
                plain = _makers(tf, lambda x: lambda: x * next(rates))[name]()  # noqa: B023
                loss = lambda: tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(w, [0, 2, 0]))  # noqa: B023, E731
                for _ in range(2):
                    stage.say(plain.minimize(loss, tf.train.get_or_create_global_step()))
                    stage.say([x.numpy() for x in (v, w, *plain.variables())])
                stage.say(plain.get_slot_names(), [x.name for x in plain.variables()])
                stage.say(
                    [plain.get_slot(x, k).numpy() for k in plain.get_slot_names() for x in (v, w)]
                )
                plain.minimize(loss, var_list=[v], grad_loss=tf.constant(0.5))
                stage.say(v.numpy(), w.numpy())
                pairs = plain.compute_gradients(loss, [v, w], grad_loss=tf.constant(2.0))
                stage.say([type(g).__name__ for g, _ in pairs], pairs[0][0])
                v.assign([1.0, 2.0])
                stage.attempts(
                    lambda: plain.minimize(tf.constant(1.0))  # noqa: B023
                )


def of_ones_own(tf, stage):
    class Plain(tf.train.Optimizer):
        def __init__(self, given=(tf.float32, tf.float64)):
            super().__init__(False, "Plain")
            self.given = given

        def _valid_dtypes(self):
            return set(self.given)

    class Both(Plain):
        def _create_slots(self, var_list):
            for v in var_list:
                stage.say(self._zeros_slot(v, "zeros", "z").name)
                stage.say(self._get_or_make_slot(v, tf.constant(2.0), "two", "t").name)
                ones = tf.ones_initializer()
                made = self._get_or_make_slot_with_initializer(
                    v, ones, tf.TensorShape([3]), tf.int32, "ones", "o"
                )
                stage.say(made.name, made.dtype, made.shape)
            own = self._create_non_slot_variable(5.0, "own", var_list[0])
            again = self._create_non_slot_variable(6.0, "own", var_list[0])
            stage.say(own.name, own is again)

        def _apply_dense(self, grad, var):
            return tf.assign_sub(var, grad).op

        def _resource_apply_dense(self, grad, handle):
            return handle.assign_sub(grad, read_value=False)

        def _apply_sparse(self, grad, var):
            stage.say("sparse", grad.values.shape, grad.indices.dtype, grad.dense_shape is None)
            return var.scatter_sub(grad)

        def _resource_apply_sparse(self, grad, handle, indices):
            stage.say("resource_sparse", grad.shape, indices.dtype)
            return handle.scatter_sub(tf.IndexedSlices(grad, indices))

        def _finish(self, update_ops, name_scope):
            stage.say("finish", len(update_ops), name_scope)
            return tf.group(*update_ops, name=name_scope)

    v = tf.get_variable("v", initializer=[1.0, 2.0])
    r = tf.get_variable("r", initializer=[[1.0], [2.0]], use_resource=True)
    rows = lambda x: tf.reduce_sum(tf.gather(x, [1, 0, 1]))  # noqa: E731
    both, plain = Both(), Plain()
    stage.say(plain.get_name(), plain.get_slot_names(), plain.variables(), plain.GATE_GRAPH)
    trains = [both.minimize(f(x), name="t") for x in (v, r) for f in (tf.reduce_sum, rows)]
    stage.say([t.name for t in trains], both.get_slot_names())
    stage.say([x.name for x in both.variables()], both._get_non_slot_variable("own"))
    stage.say(both._get_non_slot_variable("own", v.graph).name, both.get_slot(r, "two").name)
    stage.say(both.get_slot(v, "none"), both.get_slot(tf.constant(1.0), "two"))
    for loss in (tf.reduce_sum(v), rows(v), tf.reduce_sum(r), rows(r)):
        try:
            plain.minimize(loss)
        except NotImplementedError:
            stage.say("not implemented")
    half = tf.get_variable("half", initializer=tf.constant(1.0, tf.float16))
    for dtype in (tf.float32, tf.float16, tf.float64):
        with stage.failing():
            loss = tf.cast(half, tf.float32) * 2.0 if dtype == tf.float32 else half * 2.0
            stage.say(Plain((dtype,)).compute_gradients(loss, [half])[0][0].dtype)
    with stage.failing():
        Plain((tf.float32,)).compute_gradients(v[0], grad_loss=tf.constant(1, tf.int32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for train in trains:
            session.run(train)
            stage.say(session.run([v, r]))
        stage.say(session.run(both.variables()))


def with_strangers(tf, stage):
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    same = tf.identity(v)
    loss = tf.reduce_sum(same * same)
    stage.attempts(
        lambda: optimizer.minimize(loss, gate_gradients="x"),
        lambda: optimizer.minimize(loss, grad_loss=tf.constant([1.0, 2.0])).name,
        lambda: optimizer.apply_gradients([({}, v)]),
    )
    w = tf.get_variable("w", initializer=[1.0, 2.0], use_resource=True)
    both = lambda: tf.reduce_sum(w * w) * 3.0  # noqa: E731
    trains = [
        optimizer.minimize(both, name="a"),
        optimizer.minimize(both, var_list=[w], grad_loss=tf.constant(2.0), name="b"),
        optimizer.minimize(both, gate_gradients=77, aggregation_method=88, name="c"),
    ]
    for kind in (tf.int32, tf.float32, tf.int64):
        for resource in (False, True):
            name = f"step_{kind.name}_{resource}"
            step = tf.get_variable(
                name, [], kind, tf.zeros_initializer(), trainable=False, use_resource=resource
            )
            trains.append(optimizer.minimize(loss, step, var_list=[v]))
    stage.say([t.type for t in trains])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for train in trains:
            session.run(train)
        stage.say(session.run(tf.global_variables()))


def averages_by_tensors(tf, stage):
    make = tf.train.ExponentialMovingAverage
    x = tf.placeholder_with_default([1.0, 2.0], [None], name="x")
    y = tf.constant([[1.0], [3.0]], tf.float64, name="y")
    v = tf.Variable(x, validate_shape=False, name="v")
    old = tf.Variable([1.0], name="old", use_resource=False)
    small = tf.get_variable("small", initializer=tf.constant([1.0], tf.float16))
    averages = {
        "numbers": make(0.5),
        "tensor": make(tf.constant(0.75), name="tensor"),
        "double": make(np.float64(0.5), num_updates=3.0, name="double"),
        "debiased": make(0.9, tf.constant(5), True, "debiased"),
    }
    for name, average in averages.items():
        for given in ([x], [y], [v], [old.value(), tf.identity(old)], [small], [v, v]):
            with stage.failing():
                made = average.apply(given)
                stage.say(name, made.name, [average.average(e).name for e in given])
                stage.say([average.average_name(e) for e in given])
                stage.say([str(average.average(e).shape) for e in given])
    stage.say(averages["numbers"].name)
    restored = averages["debiased"].variables_to_restore()
    stage.say(sorted((k, e.name) for k, e in restored.items()))
    stage.left()


def losses_of_functions(tf, stage):
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    made = {}
    with tf.variable_scope("", use_resource=True):
        for name in ("late", "soon", "unused"):
            made[name] = tf.get_variable(name, initializer=[2.0, 3.0])
        fixed = tf.get_variable("fixed", initializer=5.0, trainable=False)
    soon, late, unused = made["soon"], made["late"], made["unused"]
    reference = tf.get_variable("reference", initializer=2.0, use_resource=False)
    earlier = soon * 2.0

    def in_loop(i):
        with tf.variable_scope("", reuse=True, use_resource=True):
            v = tf.get_variable("soon")
        with tf.control_dependencies([optimizer.minimize(lambda: tf.reduce_sum(v * v) * fixed)]):
            return i + 1

    losses = {
        "two": lambda: tf.reduce_sum(soon * late) * fixed,
        "rows": lambda: tf.reduce_sum(tf.gather(soon, [1, 1]) * late),
        "branch": lambda: tf.cond(fixed > 1.0, lambda: late[0], lambda: soon[0]),
        "loop": lambda: tf.while_loop(
            lambda i, x: i < 3, lambda i, x: (i + 1, x * late), [0, soon]
        ),
        "call": lambda: tf.function(lambda x: late * x)(soon)[0],
        "earlier": lambda: earlier * 2.0,
        "reference": lambda: reference * reference,
        "constant": lambda: tf.constant(1.0),
    }
    listed = {"all": None, "some": [unused, late], "tensor": [earlier], "fixed": [fixed]}
    pairs = []
    for name, loss in losses.items():
        for which, variables in listed.items():
            stage.say(name, which)
            for grad in (None, tf.constant(3.0)) if which == "all" else (None,):
                with stage.failing():
                    found = optimizer.compute_gradients(loss, variables, grad_loss=grad)
                    stage.say([(v.name, type(g).__name__) for g, v in found])
                    if name != "branch":  # the other branch of the gradient has no value
                        pairs += [tf.convert_to_tensor(g) for g, v in found if g is not None]
            stage.attempt(lambda a=loss, b=variables: optimizer.minimize(a, var_list=b).name)
    steps = tf.while_loop(lambda i: i < 3, in_loop, [0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.say(*session.run(pairs))
        session.run(steps)
        stage.say(session.run(soon))
