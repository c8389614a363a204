"""Modules and what they hold; variable scopes' defaults that are set later; lists of variables; what is saved."""

import collections

import numpy as np


def names_and_scopes(tf, stage):
    class Inner(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self, x, scale=1.0):
            """Its doc."""
            return tf.multiply(x, scale, name="out")

    class HTTPServer2Go(tf.Module):
        pass

    class aB1C(tf.Module):
        pass

    for kind in (Inner, HTTPServer2Go, aB1C, tf.Module):
        made, again = kind(), kind()
        stage.say(made.name, again.name, made.name_scope.__class__.__name__)
        with made.name_scope as first, tf.name_scope("x") as second:
            stage.say(first, second)
        with again.name_scope as scope:
            stage.say(scope)
    for name in ("a", "_b", "c1", "1c", "a-b", "a/b", "", "a b", "é"):
        with stage.failing():
            made = tf.Module(name)
            with made.name_scope as scope:
                stage.say(made.name, scope)
    inner = Inner(name="mine")
    stage.say(inner(tf.constant(1.0)).name, inner(tf.constant(1.0), scale=2.0).name)
    with tf.name_scope("outer"):
        stage.say(inner(tf.constant(1.0)).name, Inner()(tf.constant(1.0)).name)
    stage.say(Inner.__call__.__doc__, Inner.__call__.__name__)
    try:
        made.name = "other"
    except AttributeError:
        stage.say("not the name")


def what_modules_hold(tf, stage):
    Pair = collections.namedtuple("Pair", "left right")

    def variable(name, **options):
        return tf.Variable(1.0, name=name, **options)

    top = tf.Module("top")
    top.z, top.a = variable("z"), variable("a", trainable=False)
    top.rows = [variable("r0"), {"k": variable("k"), "b": variable("b")}, (variable("t"),)]
    top.pair = Pair(variable("left"), 3)
    top.one, top.two = tf.Module("one"), tf.Module("two")
    top.one.v, top.two.v = variable("v1"), top.z
    top.one.deep = tf.Module("deep")
    top.one.deep.v = variable("v2", use_resource=True)
    top.one.deep.up = top
    top.same = top.one
    top.number, top.text, top.none = 3, "text", None
    top.tensor = tf.constant(1.0, name="tensor")
    stage.say([v.name for v in top.variables])
    stage.say([v.name for v in top.trainable_variables])
    stage.say([m.name for m in top.submodules], [m.name for m in top.one.submodules])
    stage.say([v.name for v in top.one.variables], tf.Module().variables, tf.Module().submodules)

    def shown(leaves):
        return [getattr(leaf, "name", leaf) for leaf in leaves]

    flat = top._flatten
    stage.say(shown(flat(recursive=False, predicate=lambda x: hasattr(x, "name"))))
    paths = flat(predicate=lambda x: isinstance(x, tf.Variable), with_path=True, recursive=False)
    stage.say([(path, leaf.name) for path, leaf in paths])
    order = flat(
        predicate=lambda x: isinstance(x, tf.Variable),
        attribute_traversal_key=lambda name: name[::-1],
        recursive=False,
    )
    stage.say(shown(order))

    class Hides(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = frozenset(["hidden"]).union(
            tf.Module._TF_MODULE_IGNORED_PROPERTIES
        )

    hides = Hides()
    hides.hidden, hides.shown = variable("hidden"), variable("shown")
    stage.say(hides.name, shown(hides.variables))
    tf.Module.with_name_scope(lambda self: stage.say("within", self.name))(hides)


def scopes_set_later(tf, stage):
    ones = tf.ones_initializer()
    with tf.variable_scope("a") as scope:
        stage.say(
            scope.name, scope.original_name_scope, scope.reuse, scope.initializer, scope.dtype
        )
        stage.say(scope.regularizer, scope.caching_device, scope.partitioner, scope.custom_getter)
        stage.say(scope.use_resource, scope.constraint)
        scope.set_initializer(ones)
        scope.set_dtype(tf.float64)
        scope.set_regularizer(lambda v: tf.reduce_sum(v, name="loss"))
        scope.set_use_resource(True)
        first = tf.get_variable("first", [2])
        stage.say(first.dtype, first.op.type, tf.losses.get_regularization_losses())
        scope.set_partitioner(tf.fixed_size_partitioner(2))
        stage.say([v.name for v in tf.get_variable("cut", [4])])
        scope.set_partitioner(None)
        scope.set_caching_device("/cpu:1")
        scope.set_use_resource(False)
        stage.say(tf.get_variable("cached", [1]).value().device)
        scope.set_custom_getter(
            lambda getter, name, *args, **kwargs: (
                stage.say("asked", name) or getter(name, *args, **kwargs)
            )
        )
        tf.get_variable("asked", [1])
        with tf.variable_scope("b") as inner:
            stage.say(inner.initializer is ones, inner.dtype, inner.caching_device)
            stage.say(inner.use_resource, inner.custom_getter is None, inner.regularizer is None)
            tf.get_variable("again", [1], tf.float32)
        scope.reuse_variables()
        stage.say(scope.reuse, tf.get_variable("first", [2]) is first)
        stage.attempt(tf.get_variable, "new", [2])
    stage.say([v.name for v in scope.global_variables()], len(scope.trainable_variables()))
    stage.say(scope.local_variables(), scope.get_collection("none"))
    stage.say(tf.get_variable_scope().name == "", len(tf.get_variable_scope().global_variables()))
    with tf.variable_scope(scope, reuse=False, initializer=tf.zeros_initializer()) as entered:
        stage.say(entered.name, entered.reuse, entered.initializer is ones, entered.dtype)
    V = tf.VariableScope
    made = V(True, "n", ones, 1, "/cpu:0", 2, 3, "s/", tf.int32, True, 4)
    stage.say(made.reuse, made.name, made.initializer is ones, made.regularizer)
    stage.say(made.caching_device, made.partitioner, made.custom_getter)
    stage.say(made.original_name_scope, made.dtype, made.use_resource, made.constraint)
    for name in ("name", "reuse", "dtype", "original_name_scope"):
        try:
            setattr(made, name, None)
        except AttributeError:
            stage.say("not", name)


def lists_of_variables(tf, stage):
    v, w = tf.Variable(1.0, name="v"), tf.Variable([1, 2], trainable=False, name="w")
    local = tf.get_local_variable("l", [2], initializer=tf.zeros_initializer())
    model = tf.Variable(2.0, name="m", collections=[tf.GraphKeys.MODEL_VARIABLES])
    average = tf.Variable(3.0, name="av", collections=[tf.GraphKeys.MOVING_AVERAGE_VARIABLES])
    lists = [tf.global_variables, tf.local_variables, tf.trainable_variables, tf.model_variables]
    lists += [tf.moving_average_variables, tf.all_variables]
    for function in lists:
        stage.say(function.__name__, [each.name for each in function()])
        stage.say(
            [each.name for each in function(*["v"] if function is not tf.all_variables else [])]
        )
    stage.say([each.name for each in tf.global_variables("[vw]")], tf.local_variables("x"))
    makers = [tf.global_variables_initializer, tf.local_variables_initializer]
    stage.say([make().name for make in makers], tf.variables_initializer([v, w], "own").name)
    stage.say(tf.variables_initializer([]).type, tf.initialize_variables([v], "old").name)
    stage.say(tf.initialize_all_variables().name, tf.initialize_local_variables().name)
    asks = [
        tf.report_uninitialized_variables(),
        tf.report_uninitialized_variables([w], "named"),
        tf.report_uninitialized_variables([]),
        tf.is_variable_initialized(v),
        local.is_initialized() if hasattr(local, "is_initialized") else tf.constant(0),
    ]
    with tf.Session() as session:
        stage.say([ask.name for ask in asks], session.run(asks[:4]))
        stage.attempt(session.run, tf.assert_variables_initialized([w]))
        session.run([v.initializer, w.initializer])
        stage.say(session.run(asks[:4]))
        session.run([local.initializer, model.initializer, average.initializer])
        stage.say(session.run(asks[:4]))
        stage.attempt(session.run, tf.assert_variables_initialized())
    stage.say(tf.assert_variables_initialized([]), tf.is_variable_initialized(w).op.type)


def objects_that_are_saved(tf, stage):
    saver_module = tf.train.Saver
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w", use_resource=True)
    cut = tf.get_variable(
        "cut", [4, 2], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2)
    )
    for each in (v, w, *cut):
        message = each.to_proto()
        stage.say(str(message).replace("\n", " "))
        stage.say(each._get_save_slice_info() and each._get_save_slice_info().spec)
        info = each._get_save_slice_info()
        if info is not None:
            stage.say(info.full_name, info.full_shape, info.var_offset, info.var_shape)
            stage.say(str(info.to_proto()).replace("\n", " "), info.to_proto("none"))
    with tf.name_scope("in"):
        x = tf.Variable(1.0, name="x")
    stage.say(x.to_proto("in").variable_name, x.to_proto("none"), x.to_proto().trainable)
    saver = saver_module({"a": v, "b/c": w, "d": cut})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, stage.folder + "/m")
    stage.say(tf.train.list_variables(path), np.ravel(tf.train.load_variable(path, "d")))
    for wrong in (lambda: saver_module(3),):
        stage.attempt(wrong)
