"""Components of strategies: device maps, per-replica values, iterators, step loops; limits of the default strategy."""

import copy
import importlib
import types

import numpy as np

from tests.conformance.scenes.distribute_strategies import _session, _strategy


def _classes(tf):
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.python.distribute.values")
    ours = [
        importlib.import_module("tfmini._src.distribute." + name)
        for name in ("device_maps", "distributed_values")
    ]
    return types.SimpleNamespace(**{**vars(ours[0]), **vars(ours[1])})


def device_maps(tf, stage):
    values = _classes(tf)
    two = values.ReplicaDeviceMap(("/cpu:0", "/cpu:1"))
    one = values.SingleDeviceMap("/cpu:1")
    stage.attempts(
        lambda: (str(two), repr(two)),
        lambda: (two.all_devices, two.num_logical_devices, two.num_replicas_in_graph),
        lambda: list(two.devices_by_replica),
        lambda: two.logical_to_actual_devices(1),
        lambda: two.select_for_device([7, 8], "/cpu:1"),
        lambda: two.select_for_device([7], "/replica:0/task:0/device:CPU:1"),
        lambda: values.ReplicaDeviceMap(("/cpu:0", "/device:CPU:0")),
        lambda: (one.all_devices, one.num_logical_devices, one.num_replicas_in_graph),
        lambda: (repr(one), one.logical_to_actual_devices(0)),
        lambda: one.devices_by_replica,
        lambda: one.replica_for_device("/cpu:0"),
        lambda: one.select_for_device([7], "/replica:0/task:0/device:CPU:1"),
        lambda: one.select_for_device([7], "/cpu:0"),
        lambda: one.select_for_device([7, 8], "/cpu:0"),
        lambda: one.select_for_current_replica([7], None),
    )
    with tf.device("/job:worker/task:3"):
        stage.attempts(
            lambda: two.select_for_device([7, 8], "/gpu:1"),
            lambda: one.select_for_device([7], "/gpu:0"),
        )


def values_of_replicas(tf, stage):
    values = _classes(tf)
    two = values.ReplicaDeviceMap(("/cpu:0", "/cpu:1"))
    per = values.PerReplica(two, (1, 2))
    tensors = values.PerReplica(two, (tf.constant(1.0), tf.constant([2, 3])), 0)
    same = values.Mirrored(two, (5, 6))
    stage.attempts(
        lambda: (per.values, per.primary, per.devices, per.logical_device),
        lambda: (per.device_map is two, per.is_tensor_like, tensors.is_tensor_like),
        lambda: per.get("/cpu:2"),
        lambda: (same + 1, 1 - same, -same, same / 2, same**2, 2 < same),  # the first replica's
        lambda: same.real,
        lambda: same.nothing,
        lambda: same._nothing,
        lambda: values.PerReplica(3, (1,)),
    )
    strategy = _strategy(tf)
    with strategy.scope():
        stage.attempts(lambda: strategy.experimental_run_v2(lambda: same._missing))
    spec = tensors._type_spec
    stage.attempts(
        lambda: spec.value_type.__name__,
        lambda: [str(each) for each in spec._component_specs],
        lambda: spec._to_components(tensors)[1].name,
        lambda: spec._from_components((1, 2)).values,
        lambda: [x.name for x in tf.nest.flatten(tensors, expand_composites=True)],
    )
    with strategy.scope():
        stage.attempt(lambda: strategy.experimental_run_v2(lambda: spec._to_components(tensors)))
    with strategy.scope():
        stage.attempts(lambda: values.regroup(two, ([1], (1,))), lambda: values.regroup(two, (1,)))


def iterators(tf, stage):
    strategy = _strategy(tf)
    data = tf.data.Dataset.from_tensor_slices({"a": np.arange(6.0), "b": np.arange(6)}).batch(4)
    with strategy.scope():
        distribute = strategy.experimental_distribute_dataset
        from_function = strategy.experimental_distribute_datasets_from_function
        of = "output_classes", "output_shapes", "output_types"
        for facts, make in (
            (of, lambda: distribute(data).make_one_shot_iterator()),
            (of, lambda: iter(from_function(lambda context: data))),
        ):
            with stage.failing(), _session(tf) as session:
                iterator = make()
                for name in facts:
                    stage.attempt(lambda i=iterator, n=name: sorted(getattr(i, n).items()))
                stage.attempts(
                    lambda i=iterator: i.initializer.type,
                    lambda i=iterator: i.get_iterator("/nowhere"),
                    lambda i=iterator: tf.nest.flatten(i.next())[0].values,
                )
                element = tf.nest.flatten(iterator.get_next(name="own"))
                parts = [strategy.unwrap(x) for x in element]
                session.run(iterator.initialize())
                stage.attempts(*[lambda p=parts: session.run(p)] * 3)
                session.run(iterator.initialize())
                stage.attempt(session.run, parts)


def steps(tf, stage):
    op = tf.distribute.ReduceOp
    for make in (tf.distribute.get_strategy,):
        for how in ("cross", "replica", "other", "none"):
            with tf.Graph().as_default(), stage.failing(), _session(tf) as session:
                strategy = make()
                stage.say(strategy.num_replicas_in_sync, how)
                data = tf.data.Dataset.range(40).map(lambda x: tf.cast(x, tf.float32)).batch(4)
                iterator = strategy.make_dataset_iterator(data.repeat())

                def step(context, inputs, how=how, strategy=strategy, op=op):
                    if how == "cross":
                        total = strategy.experimental_run_v2(tf.reduce_sum, args=(inputs,))
                        context.set_last_step_output("total", total, op.SUM)
                        context.set_last_step_output("each", total)
                        context.set_non_tensor_output("text", "mine")
                        return strategy.group(total)

                    def replica(x):
                        total = tf.reduce_sum(x)
                        if how == "replica":
                            context.set_last_step_output("total", total, op.MEAN)
                            context.set_non_tensor_output("text", "mine")
                        elif how == "other":
                            context.set_last_step_output("total", total)
                        return total

                    return strategy.group(strategy.experimental_run_v2(replica, args=(inputs,)))

                first = {"total": tf.constant(0.0)}
                if how == "cross":
                    local = strategy.num_replicas_in_sync
                    zeros = tuple(tf.constant(0.0) for _ in range(local))
                    first["each"] = zeros if local > 1 else zeros[0]
                given = () if how == "none" else (3, first)
                with strategy.scope():
                    context = strategy.extended.experimental_run_steps_on_iterator(
                        step, iterator, *given
                    )
                session.run(iterator.initialize())
                stage.say(context.run_op.type, sorted(context.last_step_outputs))
                stage.say(context.non_tensor_outputs)
                made = {
                    name: strategy.unwrap(value)
                    for name, value in context.last_step_outputs.items()
                }
                stage.attempts(*[lambda m=made, c=context: session.run([c.run_op, m])[1]] * 2)


def the_default_strategy(tf, stage):
    strategy = tf.distribute.get_strategy()
    extended = strategy.extended
    v = tf.Variable(2.0, name="v")
    data = tf.data.Dataset.range(4).batch(2)
    with strategy.scope() as inside:
        stage.say(inside is strategy, tf.distribute.has_strategy(), tf.Variable(1.0).name)
    with _strategy(tf).scope():
        with stage.failing(), strategy.scope():
            stage.say("inside")
        stage.attempt(lambda: extended.colocate_vars_with(v))
    with extended.colocate_vars_with(v):
        stage.say(tf.zeros([2], name="near").op.colocation_groups())
    iterator = strategy.make_dataset_iterator(data)
    from_fn = strategy.make_input_fn_iterator(
        lambda context: data.take(context.num_input_pipelines)
    )
    stage.attempts(
        lambda: strategy.experimental_distribute_dataset(data) is data,
        lambda: strategy.experimental_distribute_datasets_from_function(
            lambda c: (c.num_input_pipelines, c.input_pipeline_id, c.num_replicas_in_sync)
        ),
        lambda: extended.broadcast_to(3.0, "/cpu:0"),
        lambda: extended._broadcast_to(3.0, None),
        lambda: (extended.variable_created_in_scope(v), extended.value_container(3)),
        lambda: strategy.experimental_run(lambda: tf.distribute.get_replica_context().devices),
        lambda: copy.deepcopy(strategy),
        lambda: extended.worker_devices,
        lambda: strategy.colocate_vars_with(3),
    )
    with tf.Session() as session:
        session.run(iterator.initialize() + from_fn.initialize())


def one_device(tf, stage):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:1")
    extended = strategy.extended
    data = tf.data.Dataset.range(6).batch(4)
    with strategy.scope(), _session(tf) as session:
        v = tf.Variable(2.0, name="v")
        op = tf.distribute.ReduceOp

        def replica(x):
            context = tf.distribute.get_replica_context()
            stage.say(context.devices, context.replica_id_in_sync_group.name, tf.zeros([]).device)
            return context.all_reduce(op.MEAN, x), context.merge_call(lambda s, y: y + 1, (x,))

        stage.attempts(
            lambda: [x.device for x in strategy.experimental_run_v2(replica, (tf.constant(3.0),))],
            lambda: extended.broadcast_to(3.0, "/cpu:0"),
            lambda: extended.broadcast_to(3.0, None),
            lambda: strategy.num_replicas_in_sync,
            lambda: extended.experimental_require_static_shapes,
        )
        with extended.colocate_vars_with(v):
            near = tf.Variable(1.0, name="near")
            stage.say(near.device, near.op.colocation_groups())
        rows = strategy.experimental_make_numpy_dataset(np.arange(3), session)
        iterators = [
            tf.data.make_initializable_iterator(rows),
            strategy.make_dataset_iterator(data),
            strategy.make_input_fn_iterator(lambda c: data),
            strategy.experimental_distribute_dataset(data).make_initializable_iterator(),
        ]
        for iterator in iterators:
            element = iterator.get_next()
            stage.say(strategy.unwrap(element)[0].device)
            session.run(iterator.initializer)
            stage.attempts(*[lambda e=element: session.run(strategy.unwrap(e))] * 3)
        stage.say(
            [x.name for x in tf.global_variables()], [x.device for x in tf.global_variables()]
        )


def central_storage(tf, stage):
    strategy = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")
    extended = strategy.extended
    with strategy.scope(), _session(tf) as session:
        ways = tf.VariableAggregation
        v = tf.Variable([1.0, 2.0], name="v", aggregation=ways.SUM)
        first = tf.Variable(1.0, name="first", aggregation=ways.ONLY_FIRST_REPLICA)
        plain = tf.Variable(1.0, name="plain", trainable=False, collections=["mine"])

        def replica():
            n = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
            stage.say(v.op.name, v.handle.name, v.name, v.device, v.get().name)
            stage.attempt(plain.assign, 1.0)
            return v.assign_add(tf.stack([n, 1.0])), first.assign(n + 5.0), n

        done = strategy.experimental_run_v2(replica)
        n = done[2]
        stage.attempts(
            lambda: (v.initializer.name, v.read_value().name, v.is_initialized("own").name),
            lambda: (extended.read_var(v).name, extended.value_container(v.get()) is v),
            lambda: extended.value_container(3),
            lambda: extended.update(v, lambda x, by: x.assign_add(by), (n,)),
            lambda: extended.update(tf.constant(1.0), lambda x: x),
            lambda: extended.broadcast_to(3.0, "/cpu:0"),
            lambda: (extended.worker_devices, extended.parameter_devices),
            lambda: list(extended.worker_devices_by_replica),
        )
        with extended.colocate_vars_with(v):
            slot = tf.Variable([0.0], name="slot")
            stage.say(slot.device, slot.op.colocation_groups(), type(slot).__name__)
        saver = tf.train.Saver([v, first])
        session.run(tf.global_variables_initializer())
        session.run([strategy.unwrap(x) for x in done])
        path = saver.save(session, stage.folder + "/c")
        stage.say(tf.train.list_variables(path))
        session.run(v.initializer)
        saver.restore(session, path)
        stage.attempt(session.run, [v, v.get()])
