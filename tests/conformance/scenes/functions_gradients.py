"""Gradients of loops, branches and calls in functions: of looked-up rows, second-order, nested."""

# ruff: noqa: B023  a function that is defined in a round is called in it

from tests.conformance.scenes import in_own_graph


def _value(tf, name, value):
    return tf.get_variable(name, initializer=value, use_resource=True)


def _run(tf, stage, made, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.attempt(session.run, made, feed)


@in_own_graph
def loops_of_the_second_kind(tf, stage):
    tf.enable_control_flow_v2()
    try:
        x = tf.constant(2.0, name="x")
        y = _value(tf, "y", 3.0)
        n = tf.placeholder_with_default(4, [], name="n")
        power = tf.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p * x * y), [0, x])[1]
        first = tf.gradients(power, [x, y])
        second = tf.gradients(first[0], [x, y])
        again = tf.gradients(power, x)
        _run(tf, stage, [power, first, second, again])
        _run(tf, stage, [power, first, second], {n: 0})
        most = tf.while_loop(
            lambda i, p: p < 100.0, lambda i, p: (i + 1, p * x), [0, x], maximum_iterations=3
        )
        _run(tf, stage, [most, tf.gradients(most[1], x)])
        stage.attempts(
            lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], maximum_iterations=2.5),
            lambda: tf.while_loop(
                lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=tf.constant(3, tf.int64)
            ),
            lambda: tf.while_loop(
                lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], [tf.TensorShape([2])]
            ),
            lambda: tf.while_loop(lambda a: a["i"] < 3, lambda a: {"i": a["i"] + 1}, [{"i": 0}]),
            lambda: tf.map_fn(lambda v: tf.cast(v, tf.int32), tf.ones([2])),
        )
        definition = tf.get_default_graph().as_graph_def(add_shapes=True)
        for function in definition.library.function:
            if function.signature.name.startswith("while_body_grad"):
                stage.say([a.name for a in function.signature.input_arg], len(function.node_def))
                stage.say(len(function.attr["_input_shapes"].list.shape), function.node_def[-1])
        array = tf.TensorArray(tf.float32, 3, element_shape=[])
        rows = tf.while_loop(
            lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, x * tf.to_float(i))), [0, array]
        )[1]
        summed = tf.reduce_sum(rows.stack())
        _run(tf, stage, [rows.stack(), tf.gradients(summed, x)])
    finally:
        tf.disable_control_flow_v2()


@in_own_graph
def parallel(tf, stage):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="x")
    w = tf.constant([[1.0, 0.5], [2.0, 1.0]], name="w")
    cases = {
        "squeeze": lambda i: tf.squeeze(tf.gather(x, [i])),
        "squeeze_none": lambda i: tf.squeeze(tf.gather(x, i)),
        "gather_both": lambda i: tf.gather(tf.gather(x, i), i % 2),
        "where": lambda i: tf.where(tf.gather(x, i) > 2.0, tf.gather(x, i), -tf.gather(x, i)),
        "where_one": lambda i: tf.where(tf.constant(True), tf.gather(x, i), tf.ones([2])),
        "concat": lambda i: tf.concat([tf.gather(x, i), [9.0]], 0),
        "tile": lambda i: tf.tile(tf.gather(x, i), [2]),
        "slices": lambda i: tf.IndexedSlices(
            tf.gather(x, [i]), tf.constant([0]), tf.constant([2, 2])
        ),
    }
    vectorized = getattr(tf, "vectorized_map", None)
    if vectorized is not None:
        for name, case in cases.items():
            stage.say(name)
            with stage.failing():
                made = vectorized(case, tf.range(3))
                _run(tf, stage, made)
        stage.attempt(lambda: vectorized(lambda a: a, [x, w]))


@in_own_graph
def critical_sections(tf, stage):
    section = tf.CriticalSection(name="cs")
    other = tf.CriticalSection(shared_name="shared")
    v = _value(tf, "v", 0.0)

    def add(amount):
        with tf.control_dependencies([tf.assign_add(v, amount)]):
            return tf.identity(v.read_value())

    array = tf.TensorArray(tf.float32, 1, clear_after_read=False)
    stage.say(section.name, other.name)
    made = {}
    with stage.failing():
        made["one"] = section.execute(lambda: add(1.0))
    with stage.failing():
        made["two"] = section.execute(lambda: (add(2.0), tf.constant("x")), name="named")
    with stage.failing():
        made["other"] = other.execute(lambda: add(4.0))
    with stage.failing():
        made["shared"] = other.execute(lambda: add(4.0), exclusive_resource_access=False)
    with stage.failing():
        made["array"] = section.execute(lambda: array.write(0, 5.0)).read(0)
    with stage.failing():
        made["operation"] = section.execute(lambda: tf.assign_add(v, 8.0).op)
    with stage.failing():
        made["none"] = section.execute(lambda: None)
    with stage.failing():
        section.execute(lambda: section.execute(lambda: add(1.0)))
    with stage.failing():
        section.execute(lambda: 1 / 0)
    with stage.failing():
        section.execute(3)
    stage.say(sorted(made), [getattr(m, "name", type(m).__name__) for m in made.values()])
    stage.say(len(tf.get_collection("critical_section_executions")))
    for e in tf.get_collection("critical_section_executions"):
        stage.say(e.exclusive_resource_access, len(e.resources))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name in made:
            if made[name] is not None:
                stage.attempt(session.run, made[name])
        stage.say(session.run(v))


@in_own_graph
def critical_sections_that_share(tf, stage):
    v = _value(tf, "v", 1.0)
    made = []
    for device in ("/cpu:0", "/cpu:0", "/cpu:1", ""):
        with tf.device(device):
            made.append(tf.CriticalSection(shared_name="same"))
    made += [tf.CriticalSection(shared_name="else"), tf.CriticalSection()]
    stage.say([section.name for section in made])
    add = lambda: tf.assign_add(v, 1.0)  # noqa: E731
    for first in made:
        for second in made:
            with stage.failing():
                found = first.execute(lambda: second.execute(lambda: tf.constant(1.0)))
                stage.say(found.name)
    for number, section in enumerate(made):
        for exclusive in (number % 2 == 0, False):
            with stage.failing():
                stage.say(section.execute(add, exclusive_resource_access=exclusive).name)
    stage.say(len(tf.get_collection("critical_section_executions")))


@in_own_graph
def switches(tf, stage):
    n = tf.placeholder_with_default(1, [], name="n")
    x = tf.constant(2.0, name="x")
    cases = {
        "empty": lambda: tf.switch_case(n, {}),
        "not_callable": lambda: tf.switch_case(n, [x, lambda: x]),
        "default_not_callable": lambda: tf.switch_case(n, [lambda: x], x),
        "long": lambda: tf.switch_case(tf.constant(1, tf.int64), [lambda: x, lambda: -x]),
        "vector": lambda: tf.switch_case([1], [lambda: x, lambda: -x]),
        "text_key": lambda: tf.switch_case(n, {"a": lambda: x}),
        "no_dict": lambda: tf.switch_case(n, 3),
    }
    for second in (False, True):
        (tf.enable_control_flow_v2 if second else tf.disable_control_flow_v2)()
        try:
            for name, case in cases.items():
                stage.say(name, second)
                with stage.failing():
                    made = case()
                    with tf.Session() as session:
                        for number in (0, 1, 2, -1):
                            stage.attempt(session.run, made, {n: number})
        finally:
            tf.disable_control_flow_v2()
        if not second:
            stage.brief_graph(names=False)


@in_own_graph
def branches_that_give_numbers_too(tf, stage):
    """Integer outputs before, between and after differentiable ones."""
    results = {
        "before": lambda x, y, k: (tf.constant(k), x * y, k * x),
        "two": lambda x, y, k: (
            tf.constant(k),
            y * k,
            tf.constant(k + 1),
            x / k,
            tf.constant(True),
        ),
    }
    for name, result in results.items():

        @tf.function
        def chosen(x, y, result=result):
            return tf.cond(x > y, lambda: result(x, y, 2), lambda: result(y, x, 3))

        @tf.function
        def switched(x, y, result=result):
            cases = [lambda k=k: result(x, y, k) for k in (2, 3, 5)]
            return tf.switch_case(tf.cast(x, tf.int32), cases)

        for function in (chosen, switched):
            for values in ((1.0, 3.0), (0.5, 0.25)):
                x, y = map(tf.constant, values)
                made = function(x, y)
                parts = [part * (i + 2.0) for i, part in enumerate(made) if part.dtype.is_floating]
                _run(tf, stage, [made, tf.gradients(parts, [x, y])])
                stage.say(name)


@in_own_graph
def custom_gradients_that_read_what_is_around(tf, stage):
    """A variable, a constant and an outer function's variable, first read by the gradient."""
    v, w = _value(tf, "v", 3.0), _value(tf, "w", 2.0)
    c, x = tf.constant(7.0), tf.constant(1.5)

    @tf.custom_gradient
    def doubled(x):
        return x * 2.0, lambda dy: dy * v * c

    inner = tf.function(lambda x: doubled(x) + 1.0)
    outer = tf.function(lambda x: inner(x) * w)
    gradient = tf.function(lambda z: tf.gradients(outer(z), [z])[0])
    for name, ys, xs in (
        ("inner", inner(x), [x, v, w]),
        ("outer", outer(x), [x, v, w]),
        ("second", tf.gradients(inner(x) * x, [x])[0], [x, v]),
        ("outer, second", tf.gradients(outer(x) * x * x, [x])[0], [x]),
        ("rows", tf.map_fn(inner, tf.stack([x, x * 2.0])), [x]),
    ):
        stage.say(name)
        grads = tf.gradients(ys, xs)
        stage.say([grad is None for grad in grads])
        _run(tf, stage, [ys, *[grad for grad in grads if grad is not None]])
    _run(tf, stage, gradient(x))
