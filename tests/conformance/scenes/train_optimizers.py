"""Optimizers, savers, coordinators: a second minimize, None gradients, apply after an error, slots of two graphs."""

import threading

_OPTIMIZERS = {
    "sgd": lambda t: t.GradientDescentOptimizer(0.5),
    "momentum": lambda t: t.MomentumOptimizer(0.5, 0.9),
    "nesterov": lambda t: t.MomentumOptimizer(0.5, 0.9, use_nesterov=True),
    "adam": lambda t: t.AdamOptimizer(0.5),
    "adagrad": lambda t: t.AdagradOptimizer(0.5),
    "adagrad_da": lambda t: t.AdagradDAOptimizer(0.5, t.get_or_create_global_step()),
    "adadelta": lambda t: t.AdadeltaOptimizer(0.5),
    "rmsprop": lambda t: t.RMSPropOptimizer(0.5),
    "rmsprop_centered": lambda t: t.RMSPropOptimizer(0.5, momentum=0.5, centered=True),
    "ftrl": lambda t: t.FtrlOptimizer(0.5, l1_regularization_strength=0.1),
    "proximal": lambda t: t.ProximalGradientDescentOptimizer(0.5, 0.1, 0.1),
    "proximal_adagrad": lambda t: t.ProximalAdagradOptimizer(0.5, 0.1, 0.1),
}


def _twice(make, resource):
    """A scene: two minimizes of one optimizer, rows, a variable without gradient, and a second optimizer."""

    def scene(tf, stage):
        with tf.variable_scope("", use_resource=resource):
            v = tf.get_variable("v", initializer=[1.0, 2.0])
            w = tf.get_variable("w", initializer=[[1.0], [2.0], [3.0]])
            tf.get_variable("apart", initializer=3.0)
        step = tf.train.get_or_create_global_step()
        optimizer = make(tf.train)
        stage.say(optimizer.get_name(), optimizer.get_slot_names(), optimizer.get_slot(v, "none"))
        first = optimizer.minimize(tf.reduce_sum(v * v), step)
        second = optimizer.minimize(
            tf.reduce_sum(v) + tf.reduce_sum(tf.gather(w, [0, 2, 0])), step, name="second"
        )
        other = make(tf.train).minimize(tf.reduce_sum(w), var_list=[w])
        stage.say(optimizer.get_slot_names(), [x.name for x in optimizer.variables()])
        stage.attempt(optimizer.minimize, tf.constant(1.0))
        stage.attempt(optimizer.minimize, tf.reduce_sum(v), var_list=[])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for op in (first, second, other, first, second):
                session.run(op)
                stage.say(session.run([v, w, step]))
            stage.say(session.run(optimizer.variables()))

    return scene


for _name, _make in _OPTIMIZERS.items():
    for _resource in (False, True):
        _made = _twice(_make, _resource)
        _made.__module__ = __name__
        globals()[f"twice_{_name}_{'resource' if _resource else 'ref'}"] = _made


def gradients_that_are_none(tf, stage):
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    pairs = optimizer.compute_gradients(v * 2.0)
    stage.say([(g if g is None else g.name, x.name) for g, x in pairs])
    stage.attempt(optimizer.apply_gradients, [(None, w)])
    stage.attempt(optimizer.apply_gradients, [])
    stage.attempt(optimizer.apply_gradients, [(1.0, 2.0)])
    stage.attempt(optimizer.apply_gradients, [("a", v)])
    stage.attempt(optimizer.apply_gradients, [(tf.constant([1.0]), v)])
    stage.attempt(lambda: optimizer.apply_gradients(pairs).name)
    stage.attempt(lambda: optimizer.apply_gradients(pairs).name)
    stage.attempt(lambda: optimizer.apply_gradients(iter([(tf.constant(1.0), v)])).name)
    stage.attempt(optimizer.compute_gradients, v * 1.0, [3])
    stage.attempt(optimizer.compute_gradients, v * 1.0, gate_gradients=7)
    stage.attempt(optimizer.compute_gradients, lambda: v * 1.0)
    stage.say([x.name for x in optimizer.variables()])


def gates_and_losses(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    for gate in (0, 1, 2):
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        made = optimizer.minimize(tf.reduce_sum(v * v), gate_gradients=gate, name=f"gate{gate}")
        stage.say(made.name)
    optimizer.minimize(tf.reduce_sum(v), grad_loss=tf.constant(3.0), name="scaled")
    optimizer.minimize(
        tf.reduce_sum(v * v), colocate_gradients_with_ops=True, aggregation_method=2, name="near"
    )
    stage.attempt(optimizer.minimize, tf.cast(tf.reduce_sum(v), tf.int32))
    stage.attempt(optimizer.minimize, None)
    with tf.Session() as session:
        session.run(v.initializer)
        for name in ("gate0", "gate1", "gate2", "scaled", "near"):
            session.run(name)
            stage.say(session.run(v))


def wrong_rates(tf, stage):
    v = tf.get_variable("v", initializer=[1.0])
    for rate in ("a", [0.1, 0.2], None, 1, tf.constant(0.5), lambda: 0.25):
        stage.attempt(
            lambda rate=rate: tf.train.GradientDescentOptimizer(rate).minimize(v * 1.0).name
        )
    for options in ({"name": ""}, {"use_locking": "x"}):
        stage.attempt(lambda o=options: tf.train.AdamOptimizer(0.1, **o).minimize(v * 1.0).name)
    stage.attempt(tf.train.FtrlOptimizer, 0.1, 0.5)
    stage.attempt(tf.train.FtrlOptimizer, 0.1, l1_regularization_strength=-1.0)
    stage.attempt(tf.train.AdagradOptimizer, 0.1, 0.0)
    stage.attempt(tf.train.AdagradOptimizer, 0.1, -1.0)


def steps_that_fail_change_nothing_before(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 1.0])
    x = tf.placeholder(tf.float32, [2], name="x")
    optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
    grad = tf.check_numerics(x, "grad")
    step = tf.train.get_or_create_global_step()
    train = optimizer.apply_gradients([(grad, v)], step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in ([1.0, 2.0], [float("nan"), 1.0], [1.0, 2.0]):
            stage.attempt(session.run, train, {x: value})
            stage.say(session.run([v, optimizer.get_slot(v, "momentum"), step]))


def global_steps(tf, stage):
    stage.say(tf.train.get_global_step())
    stage.attempt(lambda: tf.train.global_step(tf.Session(), tf.train.get_global_step()))
    step = tf.train.create_global_step()
    stage.attempt(tf.train.create_global_step)
    stage.say(tf.train.get_or_create_global_step() is step, tf.train.get_global_step() is step)
    stage.attempt(tf.train.assert_global_step, tf.constant(1.0))
    stage.attempt(tf.train.assert_global_step, step)
    with tf.Graph().as_default() as other:
        stage.say(tf.train.get_global_step(), tf.train.get_or_create_global_step().graph is other)
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(1, name="more"))
        stage.attempt(tf.train.get_global_step)
    with tf.Graph().as_default():
        tf.Variable(1.0, name="global_step")
        stage.attempt(tf.train.get_global_step)
    with tf.Session() as session:
        session.run(step.initializer)
        stage.say(tf.train.global_step(session, step))


def coordinators(tf, stage):
    coord = tf.train.Coordinator()
    stage.say(coord.should_stop(), coord.joined, coord.wait_for_stop(0.001))
    coord.request_stop()
    stage.say(coord.should_stop(), coord.wait_for_stop(0.001))
    stage.attempt(coord.join, [])
    stage.say(coord.joined)
    coord.clear_stop()
    stage.say(coord.should_stop(), coord.joined)
    stage.attempt(coord.request_stop, ValueError("of no block"))
    stage.attempt(coord.raise_requested_exception)
    coord.clear_stop()
    for error in (ValueError("first"), KeyError("second")):
        try:
            raise error
        except (KeyError, ValueError):
            stage.attempt(coord.request_stop, error)
    stage.attempt(coord.raise_requested_exception)
    stage.attempt(coord.join, [])
    coord.clear_stop()
    stage.attempt(coord.join, [])
    with stage.failing():
        with coord.stop_on_exception():
            raise KeyError("inside")
    stage.say(coord.should_stop())
    stage.attempt(coord.join)
    clean = tf.train.Coordinator()
    stage.attempt(clean.request_stop, tf.errors.OutOfRangeError(None, None, "end"))
    stage.attempt(clean.join)
    others = tf.train.Coordinator(clean_stop_exception_types=(KeyError,))
    stage.attempt(others.request_stop, KeyError("fine"))
    stage.attempt(others.join)
    try:
        raise ValueError("being handled")
    except ValueError:
        stage.attempt(others.request_stop, "text")


def threads_that_do_not_end(tf, stage):
    coord, end = tf.train.Coordinator(), threading.Event()
    thread = threading.Thread(target=end.wait, name="mine")
    thread.start()
    coord.register_thread(thread)
    coord.request_stop()
    stage.attempt(coord.join, stop_grace_period_secs=0.01)
    coord.clear_stop()
    coord.request_stop()
    stage.attempt(coord.join, stop_grace_period_secs=0.01, ignore_live_threads=True)
    end.set()
    thread.join()
    looper = tf.train.LooperThread(tf.train.Coordinator(), 0.001)
    stage.attempt(tf.train.LooperThread, None, 1)
    stage.say(looper.daemon, looper.is_alive())


def queue_runners(tf, stage):
    queue = tf.FIFOQueue(3, tf.float32, [()], name="q")
    x = tf.get_variable("x", initializer=1.0)
    bad = tf.log(x) / (x - 1.0)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.check_numerics(bad, "bad"))])
    stage.say(runner.name, runner.exceptions_raised, [op.name for op in runner.enqueue_ops])
    tf.train.add_queue_runner(runner)
    with tf.Session() as session:
        session.run(x.initializer)
        for _ in range(2):
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coord)
            try:
                coord.join(threads)
            except tf.errors.InvalidArgumentError as error:
                stage.say(error.message.split("\n")[0])
            stage.say(len(runner.exceptions_raised), len(threads))
        stage.attempt(session.run, queue.dequeue())
    stage.attempt(tf.train.QueueRunner, None, [])
    stage.attempt(tf.train.QueueRunner, queue, [])
    stage.attempt(tf.train.QueueRunner, queue, [1], queue_closed_exception_types=[1])
    stage.attempt(tf.train.start_queue_runners)
    stage.attempt(tf.train.start_queue_runners, "text")
    with tf.Graph().as_default(), tf.Session() as session:
        stage.say(tf.train.start_queue_runners(session))


def savers_that_keep_some(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as session:
        stage.attempt(saver.save, session, stage.folder + "/m")
        session.run(v.initializer)
        for step in (1, 2, 3, 2, 3):
            stage.say(saver.save(session, stage.folder + "/m", global_step=step))
            stage.say(saver.last_checkpoints)
        stage.files()
        stage.attempt(saver.save, session, stage.folder + "/none/m")
        stage.attempt(saver.save, session, stage.folder + "/m", global_step="a")
        stage.attempt(saver.save, session, stage.folder + "/m", latest_filename="a/b")
        stage.attempt(saver.restore, session, stage.folder + "/m-1")
        stage.attempt(saver.restore, session, None)
        saver.set_last_checkpoints([stage.folder + "/m-3"])
        saver.save(session, stage.folder + "/m", global_step=9, write_meta_graph=False)
        saver.save(session, stage.folder + "/m", global_step=10, write_state=False)
        stage.say(saver.last_checkpoints, tf.train.latest_checkpoint(stage.folder))
        saver.recover_last_checkpoints([stage.folder + "/m-9", stage.folder + "/gone"])
        stage.say(saver.last_checkpoints)
        stage.files()
        os_state = tf.train.get_checkpoint_state(stage.folder)
        stage.say(os_state.model_checkpoint_path, list(os_state.all_model_checkpoint_paths))
        tf.train.update_checkpoint_state(stage.folder, "x", ["y"])
        stage.say(tf.train.latest_checkpoint(stage.folder))
        tf.train.remove_checkpoint(stage.folder + "/m-9")
        tf.train.remove_checkpoint(stage.folder + "/m-9")
        stage.files()
        stage.say(tf.train.checkpoint_exists(stage.folder + "/m-10"))


def savers_of_what_is_there(tf, stage):
    stage.attempt(tf.train.Saver)
    stage.attempt(lambda: tf.train.Saver(allow_empty=True).save(tf.Session(), stage.folder + "/x"))
    v = tf.get_variable("v", initializer=1.0)
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    for given in (
        [v, v],
        {v, w},
        (w, v),
        {"a": 1},
        [1],
        {"a": v, "b": v},
        [],
        {"v": tf.constant(1.0)},
        v,
    ):
        stage.attempt(lambda given=given: tf.train.Saver(given).saver_def.save_tensor_name)
    late = tf.train.Saver(defer_build=True)
    stage.attempt(lambda: late.saver_def.filename_tensor_name)
    stage.attempt(late.save, tf.Session(), stage.folder + "/x")
    late.build()
    stage.attempt(late.build)
    x = tf.get_variable("x", initializer=1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = late.save(session, stage.folder + "/m")
        stage.attempt(tf.train.Saver().restore, session, path)
        stage.attempt(tf.train.Saver([v]).restore, session, path)
        stage.attempt(tf.train.Saver({"w": v}).restore, session, path)
        stage.attempt(tf.train.Saver({"w": v}, reshape=True).restore, session, path)
        stage.attempt(tf.train.Saver({"v": w}, reshape=True).restore, session, path)
        stage.attempt(tf.train.Saver({"v": x}).restore, session, path)
        stage.say(session.run([v, w, x]))
    reader = tf.train.NewCheckpointReader(path)
    stage.say(sorted(reader.get_variable_to_shape_map().items()), reader.has_tensor("x"))
    stage.attempt(reader.get_tensor, "none")
    stage.attempt(tf.train.load_variable, path, "none")
    stage.attempt(tf.train.list_variables, stage.folder)
    stage.attempt(tf.train.list_variables, stage.folder + "/none")
    stage.attempt(tf.train.init_from_checkpoint, path, {"v": "none"})
    stage.attempt(tf.train.init_from_checkpoint, path, {"w": v})
    stage.attempt(tf.train.init_from_checkpoint, path, {"v": v})
    with tf.Session() as session:
        session.run(v.initializer)
        stage.say(session.run(v))


def meta_graphs_imported_again(tf, stage):
    with tf.variable_scope("a"):
        v = tf.get_variable("v", initializer=1.0)
    tf.add_to_collection("mine", v * 2.0)
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(v.initializer)
        path = saver.save(session, stage.folder + "/m")
    with tf.Graph().as_default() as other:
        one = tf.train.import_meta_graph(path + ".meta")
        stage.attempt(tf.train.import_meta_graph, path + ".meta")
        two = tf.train.import_meta_graph(path + ".meta", import_scope="in")
        stage.say(
            [x.name for x in tf.global_variables()], [x.name for x in tf.get_collection("mine")]
        )
        with tf.Session() as session:
            one.restore(session, path)
            stage.attempt(session.run, "in/a/v:0")
            stage.attempt(two.restore, session, path)
            stage.attempt(session.run, ["a/v:0", "in/a/v:0"])
        stage.attempt(tf.train.import_meta_graph, path)
        stage.attempt(tf.train.import_meta_graph, path + ".meta", input_map={"none:0": v})
        clear = tf.train.import_meta_graph(path + ".meta", clear_devices=True, import_scope="x")
        stage.say(clear.saver_def.filename_tensor_name)
    stage.left(other)
    for options in (
        {"collection_list": ["mine"]},
        {"export_scope": "a"},
        {"clear_devices": True, "strip_default_attrs": True},
        {"as_text": True},
        {"clear_extraneous_savers": True},
    ):
        with stage.failing():
            made = tf.train.export_meta_graph(stage.folder + "/e", **options)
            stage.say(len(made.graph_def.node), sorted(made.collection_def))
    stage.files()
