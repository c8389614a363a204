"""tf.contrib.framework: argument scopes, selected and restored variables, bounded specs, Python functions."""

import numpy as np


def argument_scopes(tf, stage):
    of = tf.contrib.framework

    @of.add_arg_scope
    def first(x, a=1, b=2):
        return ("first", x, a, b)

    @of.add_arg_scope
    def second(x, a=5):
        return ("second", x, a)

    @of.add_arg_scope
    def bare(x):
        return ("bare", x)

    stage.say(first.__name__, of.has_arg_scope(first), of.has_arg_scope(len))
    stage.say(of.arg_scoped_arguments(first), of.arg_scoped_arguments(bare))
    with of.arg_scope([first, second], a=10) as outer:
        stage.say(first(0), second(0), first(0, a=3), first(0, b=4), bare(1))
        with of.arg_scope([first], b=20) as inner:
            stage.say(first(0), second(0))
            with of.arg_scope(outer) as again:
                stage.say(first(0), second(0), again == outer, again is outer)
            with of.arg_scope((first,), a=30):
                stage.say(first(0), second(0), sorted(of.current_arg_scope()) == sorted(inner))
        with stage.failing(), of.arg_scope([second], a=None):
            stage.say(second(0))
            raise ValueError("mine")
        stage.say(first(0), second(0))
    stage.say(first(0), len(of.current_arg_scope()))
    for scope, options in ((outer, {"a": 1}), (3, {}), ("text", {}), ([len], {})):
        with stage.failing(), of.arg_scope(scope, **options):
            stage.say(bare(1))
    stage.attempt(of.arg_scoped_arguments, len)


def _made(tf):
    of = tf.contrib.framework
    with tf.variable_scope("a"):
        of.variable("w", [2], initializer=tf.ones_initializer())
        of.model_variable("b", [], collections=["mine"], trainable=False)
    with tf.variable_scope("ab"):
        of.variable("w", [1], tf.int32, tf.zeros_initializer(), collections=["mine", "mine"])
        of.variable("w2", [1], collections=["variables", "local_variables"])
    of.variable("w", [3])
    of.local_variable(1.0, name="l")
    of.global_variable([1, 2], name="g")
    of.local_variable(tf.placeholder(tf.float32, name="p"), False, "unknown", use_resource=True)


def values_assigned(tf, stage):
    of = tf.contrib.framework
    _made(tf)
    values = {"a/w": np.array([[7.0, 8.0]]), "w": np.arange(3.0), "ab/w2": np.array([4])}
    assign, feeds = of.assign_from_values(values)
    stage.say(assign.name, feeds)
    stage.attempts(
        lambda: of.assign_from_values({"none": np.ones(1)}),
        lambda: of.assign_from_values({"a": np.ones(1)}),
        lambda: of.assign_from_values({"a/w": np.ones(3)}),
    )
    with tf.Session() as session:
        session.run(assign, feeds)
        stage.say(session.run(["a/w:0", "w:0", "ab/w2:0"]))
        of.assign_from_values_fn({"a/b": np.array(5.0)})(session)

        stage.say(session.run("a/b:0"))
        tf.train.Saver([v for v in tf.global_variables() if v.op.name in ("w", "a/w", "a/b")]).save(
            session, stage.folder + "/c"
        )
    path = stage.folder + "/c"
    with tf.Graph().as_default():
        w, a = tf.get_variable("w", [3]), tf.get_variable("a/w", [2])
        more, other = tf.get_variable("more", [2]), tf.get_variable("a/b", [1])
        parts = tf.get_variable("parts", [2], partitioner=tf.fixed_size_partitioner(2))
        grouped, found = of.assign_from_checkpoint(path, [w, a])
        stage.say(grouped.name, found)
        stage.attempts(
            lambda: of.assign_from_checkpoint(path, [more]),
            lambda: of.assign_from_checkpoint(path, [other]),
            lambda: of.assign_from_checkpoint(path, [more, w], ignore_missing_vars=True)[1],
            lambda: of.assign_from_checkpoint(path, {"a/w": list(parts)})[1],
            lambda: of.assign_from_checkpoint(path, {"w": [w], "a/w": more})[1],
            lambda: of.assign_from_checkpoint(path + "x", [w]),
            lambda: of.assign_from_checkpoint_fn(path, []),
            lambda: of.assign_from_checkpoint_fn(path, [more], ignore_missing_vars=True),
        )
        with tf.Session() as session:
            for case in (
                lambda: of.assign_from_checkpoint_fn(path, [w, more], True),
                lambda: of.assign_from_checkpoint_fn(path, {"a/w": more}),
                lambda: of.assign_from_checkpoint_fn(path, {"a/b": other}, reshape_variables=True),
                lambda: of.assign_from_checkpoint_fn(path, [other]),
                lambda: of.assign_from_checkpoint_fn(path, [parts]),
            ):
                session.run([tf.assign(v, tf.ones_like(v)) for v in tf.global_variables()])
                with stage.failing():
                    case()(session)
                    stage.say(session.run([w, more, other]))
        stage.attempts(
            lambda: of.load_variable(path, "w"),
            lambda: of.load_variable(path, "none"),
            lambda: of.list_variables(path),
            lambda: sorted(of.load_checkpoint(stage.folder).get_variable_to_shape_map().items()),
        )
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("a"):
            w = tf.get_variable("w", [2])
        parts = tf.get_variable("parts", [2], partitioner=tf.fixed_size_partitioner(2))
        of.init_from_checkpoint(stage.folder, {"a/": "a/"})
        of.init_from_checkpoint(path, {"a/w": list(parts)})
        session.run(tf.global_variables_initializer())
        stage.say(session.run([w, *parts]), w.initializer.name)
        stage.attempt(of.init_from_checkpoint, path, {"a/b": w})


def bounded_specs(tf, stage):
    of = tf.contrib.framework
    make = of.BoundedTensorSpec
    spec = make([2, 3], tf.int32, [1, 2, 3], 9, "s")
    stage.attempts(
        lambda: (spec, spec.minimum, spec.maximum, spec.shape, spec.dtype, spec.name),
        lambda: spec == make((2, 3), tf.int32, [1, 2, 3], 9.0, "s"),
        lambda: spec == make((2, 3), tf.int32, [1, 2, 4], 9.0, "s"),
        lambda: spec == make((2, 3), tf.int32, [1, 2, 3], 9, "t"),
        lambda: spec == of.TensorSpec([2, 3], tf.int32, "s"),
        lambda: make([2, 3], tf.int32, None, 3),
        lambda: make([2, 3], tf.int32, 3, None),
        lambda: make([2, 3], tf.int32, [1, 2], 3),
        lambda: make([2, 3], tf.int32, 1, [1, 2]),
        lambda: make([None, 1], tf.float32, [[1.0], [2.0]], [[1.0, 2.0]]).maximum,
        lambda: make(None, tf.float32, [1.0], 2.0),
        lambda: make.from_spec(of.TensorSpec([1], tf.uint8, "u")),
        lambda: make.from_spec(spec) == spec,
    )


def called_functions(tf, stage):
    of = tf.contrib.framework

    def function(x, by):
        return {"low": x / by, "high": (x * by, x)}

    types = {"low": tf.float64, "high": (tf.float64, tf.float64)}
    shapes = {"low": [2], "high": ([2], None)}
    x = lambda: tf.constant([2.0, 4.0], tf.float64)  # noqa: E731
    cases = {
        "plain": lambda: of.py_func(function, [x()], {"by": 2.0}, types),
        "functions": lambda: of.py_func(
            function, [x()], {"by": x()}, lambda x, by: types, lambda x, by: shapes, stateful=False
        ),
        "nested": lambda: of.py_func(
            lambda a, b: a["k"] + b[0], [{"k": x()}], {"b": [x()]}, tf.float64, [2]
        ),
        "no_list": lambda: of.py_func(function, x(), {"by": 2.0}, types),
        "no_dict": lambda: of.py_func(function, [x()], [2.0], types),
        "other": lambda: of.py_func(lambda x: (x, x), [x()], None, [tf.float64, tf.float64]),
        "few": lambda: of.py_func(lambda x: [x], [x()], None, [tf.float64, tf.float64]),
    }
    stage.each(cases)
