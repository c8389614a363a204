"""Modules and their contents; variable scope defaults set later; lists of variables; saved state."""

import numpy as np


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
