"""Strategies on two CPUs: variables of either kind, reductions, updates, invalid devices."""

import copy


def _strategy(tf, **options):
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"], **options)


def _session(tf):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))


def mirrored_variables(tf, stage):
    strategy = _strategy(tf)
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], name="v", aggregation=tf.VariableAggregation.MEAN)
        plain = tf.get_variable("plain", [2], initializer=tf.ones_initializer())
        stage.attempts(
            lambda: (v.name, v.dtype, v.shape, v.device, v.trainable, v.op.name, v.op.type),
            lambda: (
                v.devices,
                v.logical_device,
                str(v.device_map),
                len(v.values),
                v.is_tensor_like,
            ),
            lambda: v.distribute_strategy is strategy,
            lambda: v.get("/gpu:0"),
            lambda: v.handle,
            lambda: (v.initializer.name, v.initial_value.name, v.initialized_value().name),
            lambda: strategy.extended.value_container(v.values[1]) is v,
            lambda: strategy.extended.value_container(3),
        )
        with tf.device("/cpu:1"):
            stage.say(v.value().device, v.device, v.get().name)
        for update in (
            v.assign([3.0, 4.0]),
            v.assign_add([1.0, 1.0]),
            v.assign_sub([0.5, 0.5]),
            v.assign(v + 1.0),
        ):
            stage.say(type(update).__name__, [str(x) for x in update.values])

        def replica():
            number = tf.cast(
                tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32
            )
            with stage.failing():
                stage.say(v.device, v.op.name, v.handle.name, v.get().name)
            with stage.failing():
                plain.assign([1.0, 1.0])
            return v.assign_add(tf.stack([number, 2 * number])), v * 2.0

        stage.attempt(strategy.experimental_run_v2, lambda: v.assign_add([1.0, 1.0]))
        done, doubled = strategy.experimental_run_v2(replica)
        stage.say(type(done).__name__, type(doubled).__name__)
        saver = tf.train.Saver()
    with _session(tf) as session:
        stage.attempt(session.run, v)
        stage.attempt(session.run, v.is_initialized())
        session.run(v.values[0].initializer)
        stage.attempt(session.run, v.is_initialized())
        session.run(tf.global_variables_initializer())
        stage.attempts(lambda: v.eval(session))
        path = saver.save(session, stage.folder + "/c")
        stage.say(tf.train.list_variables(path))
        session.run(v.assign([0.0, 0.0]).values)
        saver.restore(session, path)
        stage.say(session.run(list(v.values)))


def variables_reduced_when_read(tf, stage):
    strategy = _strategy(tf)
    ways = tf.VariableAggregation
    with strategy.scope():
        made = {}
        for name in ("SUM", "MEAN", "ONLY_FIRST_REPLICA", "NONE"):
            made[name] = tf.Variable(
                1.0,
                trainable=False,
                name=name.lower(),
                aggregation=getattr(ways, name),
                synchronization=tf.VariableSynchronization.ON_READ,
            )
        for name, v in made.items():
            stage.say(name, v.name, type(v).__name__, v.aggregation)
            stage.attempts(
                lambda v=v: v.read_value().name,
                lambda v=v: v.assign_add(4.0).name,
                lambda v=v: v.assign_sub(4.0).name,
            )

        def replica():
            number = tf.cast(
                tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32
            )
            return [v.assign_add(1.0 + number) for v in made.values()]

        done = strategy.experimental_run_v2(replica)
        reads = {name: made[name].read_value() for name in ("SUM", "MEAN", "ONLY_FIRST_REPLICA")}
        assigns = [made["SUM"].assign(10.0), made["MEAN"].assign(3.0)]
        saver = tf.train.Saver([made["SUM"], made["MEAN"]])
        stage.attempt(lambda: tf.train.Saver([made["NONE"]]))
        stage.attempt(tf.Variable, 1.0, synchronization=7)
        stage.attempt(tf.Variable, 1.0, aggregation=7)
        on_read = {"synchronization": tf.VariableSynchronization.ON_READ}
        stage.attempt(lambda: tf.get_variable("t", [], **on_read).trainable)
    with _session(tf) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run([x.values for x in done])
        stage.say(session.run(reads), session.run([list(v.values) for v in made.values()]))
        stage.say(session.run([made["SUM"], made["MEAN"]]))
        path = saver.save(session, stage.folder + "/c")
        stage.say([tf.train.load_variable(path, name) for name, _ in tf.train.list_variables(path)])
        session.run(assigns)
        stage.say(session.run([list(v.values) for v in made.values()]))
        saver.restore(session, path)
        stage.say(session.run([list(v.values) for v in made.values()]))


def reduced(tf, stage):
    strategy = _strategy(tf)
    op = tf.distribute.ReduceOp
    with strategy.scope():
        v = tf.Variable([0.0, 0.0], name="v")

    def replica():
        context = tf.distribute.get_replica_context()
        n = tf.cast(context.replica_id_in_sync_group, tf.float32)
        stage.say(context.num_replicas_in_sync, context.strategy is strategy)
        total = context.all_reduce(op.SUM, n + 2.0)
        pair = context.all_reduce(op.MEAN, [n, {"a": n + 1.0}])
        stage.attempt(context.all_reduce, "sum", n)
        x = tf.constant(3.0)
        grads = tf.gradients(context.all_reduce(op.SUM, x * (n + 1.0)), x)
        return tf.stack([n, n * 10.0]), total, pair, grads, tf.reshape(tf.range(4.0), [2, 2])

    with strategy.scope():
        n, total, pair, grads, rows = strategy.experimental_run_v2(replica)
        vague = strategy.experimental_run_v2(
            lambda: tf.placeholder_with_default([[1.0, 2.0]], None)
        )
        cases = {
            "vague_first": lambda: strategy.reduce(op.MEAN, vague, axis=0),
            "to_list": lambda: strategy.extended.reduce_to(op.SUM, n, ["/cpu:1"]),
            "batch_list": lambda: strategy.extended.batch_reduce_to(op.SUM, [[n, v]]),
        }
        with _session(tf) as session:
            session.run(tf.global_variables_initializer())
            for name, case in cases.items():
                stage.say(name)
                with stage.failing():
                    made = case()
                    stage.say(made)
                    if tf.contrib.framework.nest.flatten(made)[0] not in (0, 3, 3.0):
                        stage.say(session.run(made))


def updated(tf, stage):
    strategy = _strategy(tf)
    extended = strategy.extended
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], name="v")
        w = tf.Variable(0.0, name="w")
        amounts = extended.broadcast_to(tf.constant([1.0, 1.0]), v)

    def add(variable, amount, scale=1.0):
        stage.say(variable.name, amount.device, tf.contrib.framework.get_name_scope() or "-")
        return variable.assign_add(amount * scale)

    with _session(tf) as session, strategy.scope():
        session.run(tf.global_variables_initializer())
        for options in ({}, {"group": False}, {"kwargs": {"scale": 2.0}}):
            with stage.failing():
                done = extended.update(v, add, args=(amounts,), **options)
                stage.say(type(done).__name__, done)
                session.run(done if isinstance(done, tuple) else list(done.values))
                stage.say(session.run(list(v.values)))
        per = strategy.experimental_run_v2(lambda: tf.constant([1.0, 1.0]))
        with stage.failing():
            extended.update(v, add, args=(per,))
        stage.attempt(extended.update, tf.constant(1.0), add, args=(amounts,))
        where = extended.non_slot_devices([v, w])
        stage.say(where, extended.worker_devices, extended.parameter_devices)
        stage.attempt(lambda: extended.update_non_slot(where, lambda: tf.no_op(name="n")).name)
        stage.attempt(
            lambda: extended.update_non_slot(where, lambda a: w.device, (v,), group=False)
        )
        for facts in (
            "experimental_between_graph",
            "experimental_should_init",
            "should_checkpoint",
        ):
            stage.say(facts, getattr(extended, facts))
        stage.say(extended.should_save_summary, extended.experimental_require_static_shapes)
        stage.say(extended.read_var(v).name, extended.read_var(w).name)
        with extended.colocate_vars_with(v):
            stage.say([x.op.colocation_groups() for x in tf.Variable([0.0], name="slot").values])
    for each in (v.values[0], tf.constant(1.0), 3):
        with stage.failing(), strategy.scope(), extended.colocate_vars_with(each):
            stage.say("inside")


def wrong_places(tf, stage):
    one, other = _strategy(tf), tf.distribute.OneDeviceStrategy("/cpu:0")
    with one.scope():
        v = tf.Variable(1.0, name="v")
        stage.say(tf.distribute.get_strategy() is one, tf.distribute.has_strategy())
        with one.scope() as again:
            stage.say(again is one)
        with stage.failing(), other.scope():
            pass
        stage.attempt(tf.distribute.experimental_set_strategy, other)
        stage.attempt(lambda: other.experimental_run_v2(lambda: 1))
        stage.attempt(lambda: other.extended.call_for_each_replica(lambda: 1))
    stage.say(tf.distribute.has_strategy(), tf.distribute.in_cross_replica_context())
    kept = []
    with other.scope():
        stage.attempt(lambda: v.read_value())
        stage.attempt(lambda: v.assign(2.0))

    def replica():
        context = tf.distribute.get_replica_context()
        kept.append(context)
        if len(kept) == 1:
            return tf.constant(1.0)
        stage.attempt(lambda: one.extended.reduce_to("sum", 0, "/cpu:0"))
        stage.attempt(lambda: one.extended.update(v, lambda x: x))
        stage.attempt(lambda: other.extended.read_var(v))
        with stage.failing(), one.scope():
            stage.say("inside")
        stage.attempt(lambda: kept[0].merge_call(lambda strategy: 1))
        stage.attempt(lambda: kept[0].replica_id_in_sync_group)
        return tf.constant(1.0)

    stage.attempt(lambda: one.experimental_run_v2(replica).values)
    stage.attempt(lambda: kept[1].replica_id_in_sync_group)
    stage.attempt(lambda: kept[1].merge_call(lambda strategy: 1))
    stage.attempt(copy.copy, one)
    again = copy.deepcopy(one)
    stage.say(again.extended is one.extended, again.num_replicas_in_sync)
    with again.scope():
        stage.say(tf.Variable(1.0, name="again").devices)
    tf.distribute.experimental_set_strategy(one)
    stage.say(tf.distribute.get_strategy() is one, len(tf.Variable(1.0).values))
    tf.distribute.experimental_set_strategy(other)
    stage.say(tf.distribute.get_strategy() is other)
    tf.distribute.experimental_set_strategy(None)
    stage.say(tf.distribute.has_strategy())


def three_copies(tf, stage):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1", "/cpu:2"])
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], name="v")
        known = v.is_initialized()
        added = v.assign_add([1.0, 1.0])
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 3})) as session:
        for each in v.values:
            stage.say(session.run(known))
            session.run(each.initializer)
        stage.say(session.run(known), session.run(added.values))
