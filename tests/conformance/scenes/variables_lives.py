"""Variables: initialized twice, shared, rejected, assigned mismatched values; scopes and stores after errors."""

import numpy as np


def _run(tf, stage, *fetches):
    session = tf.get_default_session()
    for fetch in fetches:
        stage.attempt(session.run, fetch)


def _both(scene):
    """Two scenes: with reference and with resource variables."""

    def of(resource):
        def made(tf, stage):
            with tf.variable_scope("", use_resource=resource), tf.Session():
                scene(tf, stage)

        made.__module__ = __name__
        return made

    globals()[scene.__name__[1:] + "_ref"] = of(False)
    globals()[scene.__name__[1:] + "_resource"] = of(True)


@_both
def _initialized_twice(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=v.initialized_value() * 2.0)
    _run(tf, stage, v, tf.is_variable_initialized(v), v.initializer, v, w, w.initializer, w)
    _run(tf, stage, tf.assign_add(v, [5.0, 5.0]), w.initializer, w, v.initializer, v)
    _run(tf, stage, tf.report_uninitialized_variables(), tf.variables_initializer([]), v)
    _run(tf, stage, tf.assert_variables_initialized([v, w]), tf.global_variables_initializer(), w)


@_both
def _assignments_that_fail_leave_the_value(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    x = tf.placeholder(tf.float32, name="x")
    put, add = tf.assign(v, x), tf.assign_add(v, x)
    session = tf.get_default_session()
    session.run(v.initializer)
    for value in ([3.0, 4.0], [1.0], [[1.0, 2.0]], 5.0, [], [5.0, 6.0]):
        stage.attempt(session.run, put, {x: value})
        stage.attempt(session.run, add, {x: value})
        _run(tf, stage, v)
    stage.attempt(tf.assign, v, [1.0])
    stage.attempt(tf.assign, v, "text")
    stage.attempt(tf.assign_add, v, [1, 2])
    stage.attempt(v.assign_sub, [1.0, 2.0, 3.0])
    _run(tf, stage, v)


@_both
def _shapes_that_are_not_validated(tf, stage):
    v = tf.get_variable("v", initializer=tf.zeros([2]), validate_shape=False)
    stage.say(v.shape, v.get_shape().ndims)
    session = tf.get_default_session()
    session.run(v.initializer)
    x = tf.placeholder(tf.float32, name="x")
    put = tf.assign(v, x, validate_shape=False)
    for value in ([1.0, 2.0, 3.0], [[1.0]], 4.0):
        stage.attempt(session.run, put, {x: value})
        _run(tf, stage, v, tf.shape(v))
    _run(tf, stage, v.initializer, v)


@_both
def _rows_that_fail(tf, stage):
    v = tf.get_variable("v", initializer=[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    i = tf.placeholder(tf.int32, [None], name="i")
    rows = tf.placeholder(tf.float32, [None, 2], name="rows")
    session = tf.get_default_session()
    session.run(v.initializer)
    ops = [tf.scatter_update, tf.scatter_add, tf.scatter_mul]
    ops = [op(v, i, rows) for op in ops] + [tf.gather(v, i)]
    for at in ([0], [2, 2], [3], [-1], [], [0, 1]):
        for op in ops:
            stage.attempt(session.run, op, {i: at, rows: np.full([len(at), 2], 2.0)})
    _run(tf, stage, v)
    slices = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([1]))
    _run(tf, stage, v.scatter_add(slices), v.scatter_sub(slices), v.scatter_update(slices))
    _run(tf, stage, v.scatter_nd_add([[0]], [[5.0, 5.0]]), v)


@_both
def _parts_of_it_assigned(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0, 3.0, 4.0])
    session = tf.get_default_session()
    session.run(v.initializer)
    n = tf.placeholder(tf.int32, [], name="n")
    x = tf.placeholder(tf.float32, name="x")
    put = v[:n].assign(x)
    for size, value in ((2, [7.0, 8.0]), (1, [7.0, 8.0]), (0, []), (9, [0.0] * 4), (2, 5.0)):
        stage.attempt(session.run, put, {n: size, x: value})
        _run(tf, stage, v)
    stage.attempt(lambda: session.run(v[1].assign(50.0)))
    stage.attempt(lambda: v[:2] + 1 is None)


@_both
def _shared_by_name(tf, stage):
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    for options in (
        {"shape": [2]},
        {"shape": [3]},
        {"shape": [2], "dtype": tf.int32},
        {"shape": None},
        {"initializer": tf.constant([4.0, 5.0])},
        {"initializer": [4.0, 5.0], "trainable": False},
    ):
        for reuse in (None, True, tf.AUTO_REUSE):
            with stage.failing():
                with tf.variable_scope("a", reuse=reuse):
                    stage.say(tf.get_variable("v", **options) is v)
    stage.say([x.name for x in tf.trainable_variables()])
    _run(tf, stage, v.initializer, v)


@_both
def _copies_that_are_kept(tf, stage):
    v = tf.get_variable("v", initializer=[1.0])
    session = tf.get_default_session()
    session.run(v.initializer)
    before, read = tf.identity(v), v.read_value()
    with tf.control_dependencies([before, read]):
        change = v.assign_add([1.0])
    with tf.control_dependencies([change]):
        after = v.read_value()
    _run(tf, stage, [before, change, after], [before, after], v, v.value(), v.initialized_value())
    _run(tf, stage, v.count_up_to(3) if v.dtype.is_integer else v + v, tf.gradients(v * v, v))


@_both
def _counting_up(tf, stage):
    v = tf.get_variable("v", initializer=0)
    up = v.count_up_to(2)
    session = tf.get_default_session()
    session.run(v.initializer)
    _run(tf, stage, up, up, up, v, v.initializer, up, v.assign(-1), up, up, up, up)


@_both
def _constraints_and_regularizers(tf, stage):
    keep = lambda x: tf.clip_by_value(x, 0.0, 1.0)  # noqa: E731
    half = lambda x: 0.5 * tf.reduce_sum(x)  # noqa: E731
    with tf.variable_scope("a", regularizer=half):
        v = tf.get_variable("v", initializer=[0.5, 0.75], constraint=keep)
        w = tf.get_variable("w", initializer=[0.5], regularizer=lambda x: None)
        stage.say(len(tf.get_collection("regularization_losses")), v.constraint is keep)
    loss = tf.reduce_sum(-v) + tf.reduce_sum(w)
    train = tf.train.GradientDescentOptimizer(0.4).minimize(loss)
    tf.get_default_session().run(tf.global_variables_initializer())
    _run(tf, stage, train, [v, w], train, [v, w], tf.losses.get_regularization_losses())
    with stage.failing():
        tf.get_variable("bad", [1], regularizer=lambda x: 1 / 0)
    stage.say([x.name for x in tf.global_variables()])


@_both
def _initializers_that_fail(tf, stage):
    for name, options in (
        ("fails", {"initializer": lambda *a, **k: 1 / 0, "shape": [1]}),
        ("shape", {"initializer": tf.ones([3]), "shape": [2]}),
        ("none", {}),
        ("partly", {"shape": [None, 2]}),
        ("dtype", {"initializer": [1], "dtype": tf.float32}),
        ("words", {"shape": [1], "dtype": tf.string}),
        ("flags", {"shape": [1], "dtype": tf.bool}),
        ("class", {"shape": [2], "initializer": tf.ones_initializer}),
        ("text", {"initializer": "a"}),
        ("orthogonal", {"shape": [2, 2], "initializer": tf.orthogonal_initializer(3.0, 1)}),
        ("flat", {"shape": [2], "initializer": tf.orthogonal_initializer(1.0, 1)}),
        ("identity", {"shape": [2, 3], "initializer": tf.initializers.identity(4.0)}),
        ("half", {"shape": [2], "dtype": tf.float16}),
    ):
        with stage.failing():
            v = tf.get_variable(name, **options)
            stage.say(v.name, v.dtype.name, v.shape)
        with tf.variable_scope("", reuse=tf.AUTO_REUSE), stage.failing():
            stage.say(tf.get_variable(name, [2]).name)
    stage.say([v.name for v in tf.global_variables()])
    _run(tf, stage, [v.initialized_value() for v in tf.global_variables()[-4:]])
    _run(tf, stage, tf.global_variables_initializer(), tf.report_uninitialized_variables())


@_both
def _partitioned(tf, stage):
    fixed = tf.fixed_size_partitioner
    v = tf.get_variable("v", [5, 2], partitioner=fixed(2), initializer=tf.ones_initializer())
    stage.say(type(v).__name__, v.name, v.shape, [p.name for p in v], [p.shape for p in v])
    _run(
        tf,
        stage,
        [p.initializer for p in v],
        v.as_tensor(),
        v.assign(np.full([5, 2], 3.0, np.float32)),
    )
    _run(tf, stage, tf.nn.embedding_lookup(v, [4, 0]), tf.concat(list(v), 0))
    for options in ({}, {"partitioner": fixed(2)}, {"partitioner": fixed(3)}):
        with stage.failing():
            with tf.variable_scope("", reuse=True):
                stage.say(tf.get_variable("v", [5, 2], **options) is v)
    others = [lambda **k: [2, 2], lambda **k: [1], lambda **k: 3]
    for number, partitioner in enumerate([fixed(1), fixed(6), fixed(2, axis=1), fixed(0), *others]):
        with stage.failing():
            made = tf.get_variable(f"w{number}", [4, 2], partitioner=partitioner)
            stage.say(type(made).__name__, made.name, made.shape)
    stage.attempt(v.assign, np.zeros([4, 2], np.float32))
    with stage.failing():
        with tf.variable_scope("s", partitioner=fixed(2)) as scope:
            stage.say(type(tf.get_variable("x", [4])).__name__)
            stage.say(type(tf.get_variable("y", [])).__name__)
    with tf.variable_scope(scope, reuse=True):
        stage.say([p.name for p in tf.get_variable("x", [4])])
    stage.say([x.name for x in tf.global_variables()])


@_both
def _getters(tf, stage):
    def outer(getter, name, *args, **kwargs):
        stage.say("outer", name, kwargs["reuse"], kwargs["trainable"])
        return getter(name, *args, **kwargs)

    def inner(getter, name, *args, **kwargs):
        stage.say("inner", name)
        if name.endswith("bad"):
            raise ValueError("mine")
        return tf.identity(getter(name + "_x", *args, **kwargs), "given")

    with tf.variable_scope("a", custom_getter=outer):
        with tf.variable_scope("b", custom_getter=inner) as scope:
            stage.attempt(lambda: tf.get_variable("v", [1]).name)
            stage.attempt(lambda: tf.get_variable("bad", [1]).name)
            stage.attempt(lambda: tf.get_variable("v", [1]).name)
        stage.attempt(lambda: tf.get_variable("w", [1], trainable=False).name)
    with tf.variable_scope(scope, reuse=True):
        stage.attempt(lambda: tf.get_variable("v", [1]).name)
    with tf.variable_creator_scope(lambda make, **k: stage.say(sorted(k)) or make(**k)):
        stage.attempt(lambda: tf.get_variable("c", [1]).name)
        stage.attempt(lambda: tf.Variable([1.0], name="d").name)
    stage.attempt(lambda: tf.get_variable("e", [1]).name)


@_both
def _of_two_graphs(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    with tf.Graph().as_default() as other:
        w = tf.get_variable("v", initializer=2.0, use_resource=v.op.type == "VarHandleOp")
        stage.attempt(tf.assign, v, 2.0)
        stage.attempt(lambda: v + w)
        stage.attempt(lambda: tf.variables_initializer([v]).graph is other)
        stage.attempt(lambda: tf.get_variable("v"))
        with tf.variable_scope("", reuse=True):
            stage.attempt(lambda: tf.get_variable("v") is w)
        stage.say([x is w for x in tf.global_variables()])
        with tf.Session() as session:
            session.run(w.initializer)
            stage.attempt(session.run, w)
            stage.attempt(w.load, 5.0)
            stage.attempt(w.eval)
            stage.attempt(v.eval)
    stage.left(other)
    _run(tf, stage, v)


@_both
def _taken_from_protos(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0], trainable=False)
    definition = v.to_proto()
    again = type(v).from_proto(definition)
    stage.say(
        again.name, again.trainable, again.initializer.name, again.shape, definition.is_resource
    )
    _run(tf, stage, again.initializer, again, v.assign_add([1.0, 1.0]), again)
    stage.attempt(type(v).from_proto, definition, import_scope="none")
    with tf.Graph().as_default():
        stage.attempt(type(v).from_proto, definition)
    stage.attempt(lambda: v.to_proto("none"))
    with tf.name_scope("s"):
        w = tf.Variable(3.0, name="w")
    stage.say(w.to_proto("s").variable_name, w.to_proto("t"))
    exported = tf.train.export_meta_graph()
    tf.train.import_meta_graph(exported, import_scope="i")
    stage.say([x.name for x in tf.global_variables()])
    _run(tf, stage, tf.report_uninitialized_variables())


@_both
def _saved_by_two_savers(tf, stage):
    v = tf.get_variable("v", initializer=[1.0])
    w = tf.get_variable("w", initializer=2.0)
    session = tf.get_default_session()
    session.run(tf.global_variables_initializer())
    one, two = tf.train.Saver([v]), tf.train.Saver({"other": v, "w": w})
    path = one.save(session, stage.folder + "/one")
    session.run([v.assign([5.0]), w.assign(6.0)])
    both = two.save(session, stage.folder + "/two")
    session.run(tf.global_variables_initializer())
    stage.attempt(one.restore, session, path)
    _run(tf, stage, [v, w])
    stage.attempt(two.restore, session, both)
    _run(tf, stage, [v, w])
    stage.attempt(two.restore, session, path)
    _run(tf, stage, [v, w])
    stage.attempt(one.restore, session, both)
    _run(tf, stage, [v, w])
    with tf.Graph().as_default(), tf.Session() as other:
        x = tf.get_variable("v", initializer=[0.0, 0.0])
        saver = tf.train.Saver()
        stage.attempt(saver.restore, other, path)
        stage.attempt(other.run, x)
        stage.attempt(saver.save, session, stage.folder + "/three")
        stage.attempt(saver.save, other, stage.folder + "/three")


@_both
def _of_wrong_use(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    stage.attempt(lambda: bool(v))
    stage.attempt(lambda: list(v))
    stage.attempt(lambda: len(v))
    stage.attempt(lambda: v == 1)
    stage.attempt(lambda: v.__iadd__(1.0).name)
    stage.attempt(lambda: hash(v) == hash(v))
    stage.attempt(lambda: v.set_shape([2]))
    stage.attempt(lambda: v.set_shape([3]))
    stage.attempt(lambda: tf.convert_to_tensor(v, tf.int32))
    stage.attempt(lambda: v.aggregation)
    stage.attempt(lambda: v.synchronization)
    stage.attempt(lambda: str(v))
    stage.attempt(lambda: repr(v))
    stage.attempt(lambda: tf.Variable())
    stage.attempt(lambda: tf.Variable(1.0, trainable=1).trainable)
    stage.attempt(lambda: tf.Variable(1.0, collections="a"))
    stage.attempt(lambda: tf.Variable(lambda: 3.0).dtype)
    stage.attempt(lambda: tf.Variable(lambda: 3.0, dtype=tf.int32).dtype)
    stage.attempt(lambda: tf.Variable([[1], [2, 3]]))
    stage.attempt(lambda: tf.Variable(1.0, name="a b"))
    stage.attempt(lambda: tf.Variable(tf.placeholder(tf.float32)).shape)
    stage.attempt(lambda: tf.Variable(variable_def=v.to_proto()).name)
    stage.attempt(lambda: tf.Variable(1.0, variable_def=v.to_proto()).name)


@_both
def _of_loops_and_branches(tf, stage):
    def body(i):
        v = tf.get_variable("in_loop", initializer=5)
        return i + v

    session = tf.get_default_session()
    y = tf.while_loop(lambda i: i < 12, body, [0])
    with stage.failing():
        tf.while_loop(lambda i: i < 2, lambda i: i + tf.get_variable("n", initializer=i), [0])
    z = tf.cond(y > 1, lambda: tf.get_variable("in_cond", initializer=7), lambda: y)
    with stage.failing():
        tf.cond(y > 1, lambda: tf.Variable(y, name="taken") + 0, lambda: y)
    stage.say([x.name for x in tf.global_variables()])
    for x in tf.global_variables():
        stage.attempt(session.run, x.initializer)
    _run(tf, stage, y, z)


@_both
def _averaged_twice(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    average = tf.train.ExponentialMovingAverage(0.5)
    stage.say(average.average(v))
    first = average.apply([v])
    stage.attempt(average.apply, [v])
    other = tf.train.ExponentialMovingAverage(0.5, name="other", zero_debias=True)
    second = other.apply([v, v * 2.0])
    stage.attempt(average.apply, [tf.get_variable("i", initializer=1)])
    stage.attempt(other.apply, [])
    stage.say(average.average_name(v), other.average_name(v), other.average(v).name)
    session = tf.get_default_session()
    session.run(tf.global_variables_initializer())
    for value in (3.0, 5.0):
        session.run(v.assign(value))
        session.run([first, second])
        _run(tf, stage, [average.average(v), other.average(v)])
    stage.say(sorted(average.variables_to_restore()), sorted(other.variables_to_restore([v])))
    stage.say([x.name for x in tf.moving_average_variables()])
