"""Custom and higher-order gradients; Python in functions, tf.function, AutoGraph; graphs in eager mode."""

import tempfile

import numpy as np


def gradients_of_one_s_own(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    @tf.custom_gradient
    def clipped(x, norm):
        return tf.identity(x), lambda dresult: [tf.clip_by_norm(dresult, norm), None]

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(clipped(x, 0.5) * 10.0)
    grad = tf.contrib.eager.gradients_function(log1pexp)
    return {
        "stable": [grad(0.0)[0], grad(100.0)[0]],
        "clipped": tape.gradient(y, x),
        "square": tf.contrib.eager.value_and_gradients_function(lambda a, b: a * a * b)(3.0, 2.0),
    }


def gradients_of_higher_orders(tf):
    tfe = tf.contrib.eager
    cube = tfe.gradients_function(lambda x: x**3)
    second = tfe.gradients_function(lambda x: cube(x)[0])
    third = tfe.gradients_function(lambda x: second(x)[0])
    with tf.GradientTape() as t2:
        x = tf.constant([1.0, 2.0, 3.0])
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        first = t1.gradient(y, x)
    return {
        "thrice": [cube(2.0)[0], second(2.0)[0], third(2.0)[0]],
        "first": first,
        "hessian": t2.jacobian(first, x),
    }


def a_function_of_python(tf):
    def huber(x, delta):
        return x**2 if tf.abs(x) <= delta else 2 * delta * (tf.abs(x) - 0.5 * delta)

    x, delta = tf.constant(2.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.contrib.eager.py_func(func=huber, inp=[x, delta], Tout=tf.float32)
    return {
        "value": y,
        "slope": tape.gradient(y, x),
        "numpy": tf.numpy_function(lambda v: np.cumsum(v), [x[None]], tf.float32),
        "old": tf.py_func(lambda v: v + np.float32(1), [x], tf.float32),
    }


def functions_of_steps(tf):
    weight, traces = tf.Variable(1.0), []

    @tf.function
    def step(x, target):
        traces.append(x.shape.as_list())
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weight * x - target) ** 2)
        slope = tape.gradient(loss, weight)
        weight.assign_sub(0.1 * slope)
        return loss, slope

    result = [step(tf.constant([1.0, 2.0]), 3.0) for _ in range(3)]
    result.append(step(tf.constant([1.0]), 3.0))
    result.append(step(tf.constant([2.0]), 3.0))
    return {"found": result, "traces": traces, "weight": weight}


def functions_with_signatures(tf):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def normed(x):
        return x / tf.reduce_sum(x)

    @tf.function
    def outer(x):
        return normed(x) * 2.0

    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)[0]
    concrete = normed.get_concrete_function()
    return {
        "values": [normed(x), normed(tf.ones([4])), outer(x), concrete(tf.ones([2]))],
        "gradient": tape.gradient(y, x),
        "shape": str(concrete.output_shapes),
        "inputs": [i.dtype.name for i in concrete.inputs],
    }


def python_turned_into_graphs(tf):
    @tf.function
    def collatz(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    @tf.function
    def evens(values):
        total = 0
        for value in values:
            if value % 2 > 0:
                continue
            total += value
        return total

    @tf.function
    def table(n):
        rows = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for i in tf.range(n):
            rows = rows.write(i, i * i)
        return rows.stack()

    return {
        "steps": collatz(tf.constant(27)),
        "evens": evens(tf.constant([1, 2, 3, 4])),
        "dataset": evens(tf.data.Dataset.range(7).map(lambda v: tf.cast(v, tf.int32))),
        "table": table(tf.constant(4)),
    }


def names_in_bodies_of_loops_and_gradients(tf):
    names, calls = {}, []

    def named(place, value):
        names[place] = [op.name for op in tf.compat.v1.get_default_graph().get_operations()]
        return value

    @tf.recompute_grad
    def block(x):
        calls.append(x)

        def step(i, y):
            return i + 1, named("body", y * x)

        return tf.while_loop(lambda i, y: i < 2, step, (0, x))[1]

    @tf.custom_gradient
    def copied(x):
        return tf.identity(x), lambda d: named("gradient", d)

    function, x = tf.function(lambda x: copied(block(x)) * x), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    sparse = tf.function(lambda x: [tf.SparseTensor([[0, 1]], x, [2, 2]), None])
    concrete = sparse.get_concrete_function(tf.TensorSpec([1], tf.float32))
    described = str([concrete.output_shapes, concrete.output_dtypes])
    with tf.Graph().as_default() as graph:
        z = tf.constant([3.0])
        tf.gradients(tf.switch_case(tf.constant(1), [lambda: z * 2.0, lambda: z]), z)
    bodies = graph.as_graph_def().library.function
    names["branches"] = sorted([n.name, *n.input] for body in bodies for n in body.node_def)
    names["results"] = sorted(item for body in bodies for item in body.ret.items())
    return names, len(calls), y, tape.gradient(y, x), described


def traces_of_a_step_that_creates_variables(tf):
    """An optimizer creates its variables in `tf.init_scope`."""
    optimizer, v, traces = tf.keras.optimizers.Adam(0.1), tf.Variable(1.0), []

    @tf.function
    def step():
        traces.append(1)
        with tf.GradientTape() as tape:
            loss = v * v
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        return loss

    return step(), step(), len(traces)


def an_estimator_in_an_eager_program(tf):
    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean((features["x"] * weight - labels) ** 2)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        predictions = {"graph": tf.fill([1], tf.executing_eagerly()), "weight": weight[None]}
        return tf.estimator.EstimatorSpec(mode, predictions, loss, train)

    def input_fn():
        return tf.data.Dataset.from_tensors(({"x": [1.0, 2.0]}, [2.0, 4.0])).repeat(5)

    estimator = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    estimator.train(input_fn)
    return {
        "weight": estimator.get_variable_value("weight"),
        "evaluated": estimator.evaluate(input_fn, steps=1)["loss"],
        "eager": tf.executing_eagerly(),
    }


def graphs_in_an_eager_program(tf):
    with tf.Graph().as_default():
        inside = tf.executing_eagerly()
        x = tf.placeholder(tf.float32, [None])
        doubled = x * 2.0
        with tf.init_scope():
            lifted = tf.executing_eagerly()
        with tf.Session() as session:
            value = session.run(doubled, {x: [1.0, 2.0]})
    return {"eager": [inside, lifted, tf.executing_eagerly()], "value": value, "name": doubled.name}
