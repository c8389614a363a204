"""Eager gradients: what tapes record, reject and release; variables, handles, gradient functions."""


def tapes(tf, stage):

    def watched(value, **given):
        tape = tf.GradientTape(**given)
        with tape:
            tape.watch(value)
            y = tf.cast(value, tf.float32) * 2.0
        return tape.gradient(y, value)

    def targets(*functions, **given):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape(**given) as tape:
            tape.watch(x)
            ys = [function(x) for function in functions]
        return tape, ys, x

    def read_after(function):
        tape, ys, x = targets(lambda x: x * x)
        return function(tape, ys[0], x)

    def reentered():
        x = tf.constant(3.0)
        tape = tf.GradientTape(persistent=True)
        with tape:
            tape.watch(x)
            y = x * x
        z = y * 100.0
        with tape:
            w = y * x
        return [tape.gradient(each, x) for each in (y, z, w)]

    def entered_twice():
        with tf.GradientTape() as tape, tape:
            pass

    def gradient_inside(persistent):
        x = tf.constant(3.0)
        with tf.GradientTape(persistent) as tape:
            tape.watch(x)
            y = x * x * x
            first = tape.gradient(y, x)
            later = first * 2.0
        return first, tape.gradient(later, x)

    def stopped(**given):
        x = tf.constant(3.0)
        with tf.GradientTape(**given) as tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                first = tape.gradient(y, x)
            z = y * first
        return first, tape.gradient(z, x)

    def stopped_after():
        tape, _, _ = targets(lambda x: x)
        with tape.stop_recording():
            pass

    def unwatched_variable():
        v = tf.Variable(2.0, trainable=False)
        with tf.GradientTape() as tape:
            y = v * v
        return tape.watched_variables(), tape.gradient(y, v)

    def watched_variable():
        v, w = tf.Variable(2.0, trainable=False), tf.Variable(3.0)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(v)
            y = v * v * w
        return [x.name for x in tape.watched_variables()], tape.gradient(y, [v, w])

    def variable_target():
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            v.assign(v * 3.0)
        return tape.gradient(v, v)

    def gathered(**given):
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape(**given) as tape:
            y = tf.reduce_sum(tf.gather(v, [2, 0, 2]) * 2.0)
        return tape.gradient(y, v)

    def gathered_twice(other):
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(v, [1])) + tf.reduce_sum(other(v))
        return tape.gradient(y, v)

    def integer_target():
        tape, ys, x = targets(lambda x: tf.cast(x, tf.int32), persistent=True)
        return tape.gradient(ys, [x, *ys], [[1.0, 2.0]]), tape.gradient(ys, x)

    def nested_twice():
        x = tf.constant(2.0)
        with tf.GradientTape() as third:
            third.watch(x)
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch(x)
                    y = x**4
                dy = first.gradient(y, x)
            d2y = second.gradient(dy, x)
        return dy, d2y, third.gradient(d2y, x)

    cases = {
        "watch_integer": lambda: watched(tf.constant([1])),
        "watch_number": lambda: watched(1.0),
        "watch_complex": lambda: watched(tf.constant([1j])),
        "watch_text": lambda: watched(tf.constant(["1"])),
        "unconnected_zero": lambda: read_after(
            lambda t, y, x: t.gradient(
                y, [x, tf.constant([[7, 8]]), tf.constant(1, tf.float64)], None, "zero"
            )
        ),
        "target_number": lambda: read_after(lambda t, y, x: t.gradient(3.0, x)),
        "reentered": reentered,
        "entered_twice": entered_twice,
        "gradient_inside": lambda: gradient_inside(False),
        "gradient_inside_persistent": lambda: gradient_inside(True),
        "stopped": lambda: stopped(persistent=True),
        "stopped_after": stopped_after,
        "stopped_never": lambda: tf.GradientTape().stop_recording().__enter__(),
        "unwatched_variable": unwatched_variable,
        "watched_variable": watched_variable,
        "variable_target": variable_target,
        "gathered": gathered,
        "gathered_twice": lambda: gathered_twice(lambda v: tf.gather(v, [0, 1]) * 3.0),
        "integer_target": integer_target,
        "unwatched_targets": lambda: read_after(
            lambda t, y, x: (lambda z: t.gradient([y, z], [x, z]))(tf.constant([5]))
        ),
        "nested_twice": nested_twice,
    }
    stage.each_eagerly(cases)


def jacobians(tf, stage):

    def of(function, x=None, method="jacobian", persistent=False, **options):
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]]) if x is None else x
        with tf.GradientTape(persistent) as tape:
            tape.watch(x)
            y = function(x)
        return getattr(tape, method)(y, x, **options)

    def of_batch(function, x=None, **given):
        return of(function, x, "batch_jacobian", **given)

    cases = {
        "none": lambda: of(lambda x: tf.constant([1.0])),
        "slow": lambda: of(lambda x: x * x, experimental_use_pfor=False),
        "slow_kept": lambda: of(lambda x: x * x, experimental_use_pfor=False, persistent=True),
        "iterations_none": lambda: of(lambda x: x * x, parallel_iterations=0),
        "batch_iterations": lambda: of_batch(lambda x: x * x, parallel_iterations=1),
        "batch_slow": lambda: of_batch(lambda x: x * x, experimental_use_pfor=False),
        "batch_none": lambda: of_batch(lambda x: tf.zeros([2, 1])),
        "of_a_word": lambda: of(lambda x: tf.ones([3]), unconnected_gradients="nothing"),
        "of_a_dict": lambda: of(lambda x: {"x": x}),
    }
    stage.each_eagerly(cases)


def functions_of_gradients(tf, stage):
    tfe = tf.contrib.eager

    def f(x, y):
        return x * x * y

    def implicit(make, function):
        return make(function)()

    cases = {
        "named": lambda: tfe.gradients_function(f, ["y", "x"])(3.0, 2.0),
        "named_wrong": lambda: tfe.gradients_function(f, ["z"])(3.0, 2.0),
        "mixed": lambda: tfe.gradients_function(f, ["x", 1])(3.0, 2.0),
        "keyword": lambda: tfe.value_and_gradients_function(f)(3.0, y=2.0),
        "none": lambda: tfe.gradients_function(lambda x: None)(3.0),
        "same": lambda: (lambda t: tfe.gradients_function(f)(t, t))(tf.constant(3.0)),
        "implicit_nothing": lambda: implicit(tfe.implicit_gradients, lambda: tf.constant(1.0)),
    }
    stage.each_eagerly(cases)


def own_gradients(tf, stage):
    def through(function, *values, kwargs=None):
        tensors = [tf.constant(value) for value in values]
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            y = function(*tensors, **(kwargs or {}))
        return y, tape.gradient(y, tensors)

    @tf.custom_gradient
    def tripled(x, y):
        return x * y, lambda dy: (dy * 3.0, dy * 4.0)

    @tf.custom_gradient
    def no_pair(x):
        return x

    def with_variables(grad):
        v = tf.Variable(2.0, name="v")
        w = tf.Variable(5.0, name="w", trainable=False)

        @tf.custom_gradient
        def scaled(x):
            return x * v * w, grad

        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return y, tape.gradient(y, [x, v, w])

    def few(dy, variables):
        return dy, []

    def recomputed():
        calls, v = [], tf.Variable(2.0)

        def block(x, y):
            calls.append(1)
            return x * v * y

        f = tf.recompute_grad(block)
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(5.0))
        return y, len(calls), tape.gradient(y, [x, v]), len(calls)

    cases = {
        "keyword": lambda: through(tripled, 3.0, kwargs={"y": tf.constant(2.0)}),
        "no_pair": lambda: through(no_pair, 3.0),
        "few": lambda: with_variables(few),
        "pass_through": lambda: through(tf.grad_pass_through(tf.round), 2.7),
        "recomputed": recomputed,
    }
    stage.each_eagerly(cases)
