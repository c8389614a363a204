"""Strategies on two CPUs: inputs, all reductions, other strategies, cluster resolvers."""

import os

import numpy as np

from tests.conformance.scenes.distribute_strategies import _session, _strategy


def reductions(tf, stage):
    op = tf.distribute.ReduceOp
    of = tf.distribute
    for make in (
        lambda: of.ReductionToOneDevice(),
        lambda: of.ReductionToOneDevice("/cpu:1"),
        lambda: of.ReductionToOneDevice(accumulation_fn=lambda xs: xs[0] * xs[1]),
        lambda: of.HierarchicalCopyAllReduce(),
        lambda: of.HierarchicalCopyAllReduce(num_packs=0),
        lambda: of.HierarchicalCopyAllReduce(num_packs=3),
        lambda: of.HierarchicalCopyAllReduce(-1),
        lambda: of.NcclAllReduce(-1),
        of.CrossDeviceOps,
    ):
        with tf.Graph().as_default(), stage.failing(), _session(tf) as session:
            cross = make()
            strategy = _strategy(tf, cross_device_ops=cross)
            with strategy.scope():
                a = tf.Variable([1.0, 2.0], name="a")
                b = tf.Variable([[1.0], [3.0], [4.0]], name="b")

                def replica(a=a, b=b):
                    n = tf.cast(
                        tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32
                    )
                    rows = tf.IndexedSlices(
                        tf.stack([[n + 5.0]]), tf.constant([1]), tf.constant([3, 1])
                    )
                    return n + a, n + b, rows

                x, y, rows = strategy.experimental_run_v2(replica)
                extended = strategy.extended
                sums = [
                    *extended.batch_reduce_to(op.SUM, [(x, a), (y, b)]),
                    *extended.batch_reduce_to(op.MEAN, [(x, a), (rows, b), (y, b)]),
                    *extended.batch_reduce_to(op.MEAN, [(x, a), (y, "/cpu:0")]),
                    extended.reduce_to(op.SUM, y, b),
                ]
                stage.brief_graph()
                session.run(tf.global_variables_initializer())
                for each in sums:
                    values = getattr(each, "values", each)
                    values = (
                        values
                        if isinstance(each, tf.IndexedSlices) or isinstance(values, tuple)
                        else each
                    )
                    stage.say(
                        [(str(v.dtype.name)) for v in tf.contrib.framework.nest.flatten(values)]
                    )
                    parts = tf.contrib.framework.nest.flatten(values, expand_composites=True)
                    stage.say(session.run(parts))
                stage.attempt(cross.broadcast, tf.constant(1.0), "")
                stage.attempt(cross.reduce, op.SUM, 3, "/cpu:0")
                stage.attempt(cross.reduce, op.SUM, [tf.constant(1.0)], "/cpu:0")
                stage.attempt(cross.reduce, "none", x, "/cpu:0")


def resolvers(tf, stage):
    of = tf.distribute.cluster_resolver
    spec = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": {1: "c:3"}})
    simple = of.SimpleClusterResolver(spec, "", "worker", 1, "google", {"GPU": 2}, rpc_layer="grpc")
    stage.say(simple.cluster_spec().as_dict(), simple.task_type, simple.task_id, simple.environment)
    stage.attempts(
        simple.master,
        lambda: simple.master("worker", 0),
        lambda: simple.master("worker", 0, "other"),
        lambda: simple.master("ps", 0),
        lambda: simple.master("worker"),
        lambda: simple.num_accelerators("worker", 5),
        lambda: of.SimpleClusterResolver(3),
        lambda: of.SimpleClusterResolver(spec).num_accelerators(),
        lambda: of.SimpleClusterResolver(spec, master="m:1").master(),
    )
    more = of.SimpleClusterResolver(
        tf.train.ClusterSpec({"worker": ["d:4"], "chief": ["e:5"]}), "m", rpc_layer="x"
    )
    same = of.SimpleClusterResolver(tf.train.ClusterSpec({"ps": {1: "f:6"}}))
    union = of.UnionResolver(simple, more)
    stage.say(union.task_type, union.task_id, union.rpc_layer, union.environment)
    union.task_id, union.task_type = 3, "chief"
    stage.say(union.task_type, union.task_id, simple.task_id)
    stage.attempts(
        lambda: sorted(union.cluster_spec().as_dict().items()),
        union.master,
        lambda: union.master("worker", 2),
        lambda: union.master("worker", 2, "y"),
        lambda: union.num_accelerators("worker", 0),
        lambda: of.UnionResolver(simple, same).cluster_spec().as_dict(),
        lambda: of.UnionResolver(),
        lambda: of.UnionResolver(simple, 3),
        lambda: of.UnionResolver(simple, nothing=3),
    )
    before = os.environ.get("TF_CONFIG")
    try:
        for text in (
            "{}",
            '{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": "1"}}',
            '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}',
            '{"cluster": {"worker": ["a:1", "b:2"]}, "rpc_layer": "grpc"}',
            '{"cluster": {"worker": ["a:1", "b:2"]}, "session_master": "m", "task": {"index": 0}}',
            '{"cluster": 3}',
            "text",
        ):
            os.environ["TF_CONFIG"] = text
            for options in (
                {},
                {"task_type": "worker", "task_id": 0, "rpc_layer": "x", "environment": "e"},
            ):
                resolver = of.TFConfigClusterResolver(**options)
                stage.attempts(
                    lambda r=resolver: (r.task_type, r.task_id, r.rpc_layer, r.environment),
                    lambda r=resolver: r.cluster_spec().as_dict(),
                    resolver.master,
                    lambda r=resolver: r.master("worker", 0),
                )
            resolver.task_type, resolver.task_id, resolver.rpc_layer = "worker", 1, "w"
            stage.attempts(resolver.master)
        os.environ.update(
            TF_CONFIG="{}", SLURM_PROCID="1", SLURM_NTASKS="3", SLURM_NTASKS_PER_NODE="2"
        )
        os.environ.pop("OMPI_COMM_WORLD_RANK", None)
        make = of.SlurmClusterResolver
        for jobs, options in (
            ({"worker": 1, "ps": 2}, {}),
            ({"worker": 1, "ps": 2}, {"gpus_per_node": 2}),
            ({"worker": 1, "ps": 1}, {"gpus_per_node": 2}),
            (
                {"worker": 1, "ps": 2},
                {"gpus_per_node": 8, "gpus_per_task": 3, "port_base": 7, "rpc_layer": "x"},
            ),
            (
                {"worker": 2, "ps": 1},
                {"gpus_per_node": 8, "auto_set_gpu": False, "tasks_per_node": 1},
            ),
            ({"worker": 3}, {"gpus_per_node": 8, "gpus_per_task": 2, "tasks_per_node": 1}),
        ):
            os.environ.pop("CUDA_VISIBLE_DEVICES", None)
            with stage.failing():
                resolver = make(jobs, **options)
                resolver._resolve_hostnames = lambda: ["h1", "h2", "h3"]
                stage.say(resolver.get_task_info())
                stage.say(
                    sorted(resolver.cluster_spec().as_dict().items()), resolver.get_task_info()
                )
                stage.say(os.environ.get("CUDA_VISIBLE_DEVICES"), resolver.num_accelerators())
                stage.say(resolver.master(), resolver.master("worker", 0, "y"))
    finally:
        for name in (
            "TF_CONFIG",
            "SLURM_PROCID",
            "SLURM_NTASKS",
            "SLURM_NTASKS_PER_NODE",
            "CUDA_VISIBLE_DEVICES",
        ):
            os.environ.pop(name, None)
        if before is not None:
            os.environ["TF_CONFIG"] = before


def other_strategies(tf, stage):
    for make in (
        lambda: tf.distribute.OneDeviceStrategy("/cpu:1"),
        lambda: tf.distribute.OneDeviceStrategy("cpu"),
        lambda: tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0"),
        lambda: tf.distribute.experimental.CentralStorageStrategy(["/cpu:0"]),
        tf.distribute.experimental.ParameterServerStrategy,
        lambda: tf.distribute.MirroredStrategy(["/cpu:0"]),
        lambda: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:0"]),
        lambda: tf.distribute.MirroredStrategy([]),
        tf.distribute.get_strategy,
    ):
        with tf.Graph().as_default(), stage.failing():
            strategy = make()
            extended = strategy.extended
            stage.say(strategy.num_replicas_in_sync)
            stage.attempts(lambda e=extended: e.non_slot_devices([]))
            with strategy.scope():
                v = tf.Variable([1.0, 2.0], name="v", aggregation=tf.VariableAggregation.SUM)
                stage.say(type(v).__name__, v.device, v.name)
                local = tf.Variable(
                    0.0,
                    name="local",
                    trainable=False,
                    synchronization=tf.VariableSynchronization.ON_READ,
                    aggregation=tf.VariableAggregation.SUM,
                )
                stage.say(type(local).__name__, local.device)

                def replica(x, v=v, local=local):
                    return v.assign_add(x), local.assign_add(1.0), x * 2.0

                out = strategy.experimental_run_v2(replica, (tf.constant([1.0, 1.0]),))
                stage.say([type(x).__name__.strip("_") for x in out])
                total = strategy.reduce("mean", out[2], axis=None)
                plain = strategy.reduce("sum", out[2], axis=0)
                data = tf.data.Dataset.from_tensor_slices(np.arange(8.0)).batch(4)
                iterator = strategy.make_dataset_iterator(data)
                element = iterator.get_next()
                stage.say(type(element).__name__, strategy.unwrap(element))
                with _session(tf) as session:
                    session.run([tf.global_variables_initializer(), iterator.initialize()])
                    parts = strategy.unwrap(element)
                    stage.say(session.run([total, plain]), session.run(parts), session.run(parts))
                    session.run(strategy.unwrap(out[0]))
                    stage.say(session.run(v), session.run(local))
                stage.brief_graph()


def inputs(tf, stage):
    strategy = _strategy(tf)
    data = tf.data.Dataset.from_tensor_slices(np.arange(10.0)).batch(4)
    contexts = []

    def input_fn(context):
        contexts.append(context)
        stage.say(
            context.num_input_pipelines, context.input_pipeline_id, context.num_replicas_in_sync
        )
        stage.attempt(context.get_per_replica_batch_size, 4)
        stage.attempt(context.get_per_replica_batch_size, 3)
        return data

    with strategy.scope():
        for make in (
            lambda: strategy.make_dataset_iterator(data),
            lambda: strategy.make_dataset_iterator(data.repeat()),
            lambda: strategy.make_dataset_iterator(tf.data.Dataset.range(5).batch(3)),
            lambda: strategy.make_dataset_iterator(tf.data.Dataset.range(3)),
            lambda: strategy.make_input_fn_iterator(input_fn),
            lambda: strategy.make_input_fn_iterator(input_fn, 7),
            lambda: strategy.make_input_fn_iterator(lambda context: lambda: tf.constant([1.0])),
            lambda: strategy.make_input_fn_iterator(lambda context: 3),
            lambda: strategy.experimental_distribute_dataset(data).make_initializable_iterator(),
        ):
            with stage.failing(), _session(tf) as session:
                iterator = make()
                element = strategy.unwrap(iterator.get_next())
                stage.say(element, iterator.initialize())
                session.run(iterator.initialize())
                for _ in range(4):
                    stage.say(session.run(element))
        with _session(tf) as session:
            rows = strategy.experimental_make_numpy_dataset(
                (np.arange(3), {"a": np.ones([3, 2])}), session
            )
            iterator = tf.data.make_initializable_iterator(rows)
            element = iterator.get_next()
            session.run(iterator.initializer)
            stage.say(element, session.run(element))
            stage.say(
                [(v.name, str(v.dtype)) for v in tf.local_variables() + tf.global_variables()]
            )
