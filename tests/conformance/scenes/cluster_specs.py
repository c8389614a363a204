"""Cluster specs, replica device setters, server definitions: accepted, stored and rejected values."""

SPARSE = {"worker": {1: "a:1", 3: "b:1"}, "ps": ["c:1"], "empty": []}


def specs(tf, stage):
    make = tf.train.ClusterSpec
    spec = make(SPARSE)
    stage.attempt(make, {"ps": ("a:1", b"b:2"), b"worker": {0: "c:3", 1: "d:4"}})
    dense = make({b"ps": ("a:1", b"b:2"), b"worker": {0: "c:3", 1: "d:4"}})
    message = tf.train.ClusterDef()
    job = message.job.add(name="later")
    job.tasks[2], job.tasks[0] = "x:2", "x:0"
    stage.attempts(
        lambda: str(spec),
        lambda: str(make(message)),
        lambda: sorted(dense.as_dict().items(), key=str),
        lambda: [spec.num_tasks(name) for name in ("worker", "ps", "empty")],
        lambda: [spec.task_indices(name) for name in ("worker", "ps", "empty")],
        lambda: [spec.job_tasks(name) for name in ("worker", "ps")],
        lambda: spec.job_tasks("empty"),
        lambda: sorted(spec.jobs),
        lambda: (spec.task_address("worker", 3), make(message).task_address("later", 2)),
        lambda: spec.task_address("worker", 0),
        lambda: spec.task_address("worker", "1"),
        lambda: spec.task_address("none", 0),
        lambda: spec.task_indices("none"),
        lambda: spec.num_tasks(job_name="none"),
        lambda: spec.job_tasks("none"),
        lambda: sorted((j.name, sorted(j.tasks.items())) for j in spec.as_cluster_def().job),
        lambda: (bool(spec), bool(make({})), bool(make({"a": []}))),
        lambda: (spec == make(SPARSE), spec == SPARSE, spec != make({}), make({}) == {}),
        lambda: (make(spec) == spec, make(spec.as_cluster_def()) == spec, spec == 3),
        lambda: make(make({"a": ["x:1"]})).as_dict(),
        lambda: make({}).as_dict(),
        lambda: make(None),
        lambda: make([("a", ["x:1"])]),
        lambda: make({"a": "x:1"}),
        lambda: make({"a": None}),
        lambda: make({"a": {"0": "x:1"}}),
        lambda: make({"a": {0: 1}}),
        lambda: make({"a": [None]}),
        lambda: make({3: ["x:1"]}),
        lambda: make({"a": {1.5: "x:1"}}),
    )
    kept = spec.as_dict()
    kept["worker"][1] = "changed"
    stage.say(spec.as_dict()["worker"])


def devices_of_replicas(tf, stage):
    setter = tf.train.replica_device_setter
    cluster = {"ps": ["a:1", "b:1", "c:1"], "worker": ["d:1"], "store": ["e:1"]}
    for options in (
        {"ps_tasks": 2},
        {"cluster": cluster},
        {"cluster": tf.train.ClusterSpec(cluster), "ps_tasks": 1},
        {"cluster": tf.train.ClusterSpec(cluster).as_cluster_def(), "ps_device": "/job:store"},
        {"ps_tasks": 2, "ps_device": "/job:ps/cpu:0", "worker_device": "/job:worker/task:1/gpu:0"},
        {"ps_tasks": 2, "ps_device": "/cpu:1"},
        {"ps_tasks": 2, "ps_device": ""},
        {"ps_tasks": 2, "worker_device": ""},
        {"ps_tasks": 2, "worker_device": None},
        {"ps_tasks": 2, "merge_devices": False},
        {"ps_tasks": 2, "ps_ops": ["Const", "Add"]},
        {"ps_tasks": 2, "ps_ops": []},
        {"ps_tasks": 3, "ps_strategy": lambda op: len(op.name)},
        {"ps_tasks": 0},
        {"cluster": {"worker": ["a:1"]}},
        {"cluster": {"ps": [], "worker": ["a:1"]}},
        {"cluster": 3},
        {"ps_tasks": 1, "ps_strategy": 3},
        {"ps_tasks": 1, "ps_strategy": lambda op: 1 / 0},
    ):
        with tf.Graph().as_default() as graph, stage.failing():
            stage.say(sorted((k, v) for k, v in options.items() if k != "ps_strategy"))
            made = setter(**options)
            if made is None:
                stage.say("none")
                continue
            with tf.device(made):
                tf.Variable(1.0, name="a")
                tf.get_variable("b", [2], use_resource=True)
                tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, 0, name="table")
                with tf.device("/job:other/task:7"):
                    tf.get_variable("c", [])
                with tf.device("/gpu:3"):
                    tf.get_variable("d", [])
                with tf.device("/job:ps/task:1"):
                    tf.get_variable("e", [])
                with tf.device(None):
                    tf.get_variable("f", [])
                with tf.device("/job:worker/task:2"):
                    tf.constant(3.0, name="own") + tf.constant(4.0, name="other")
                tf.no_op(name="plain")
            stage.say([(op.name, op.device) for op in graph.get_operations() if "/" not in op.name])
            stage.say(
                [(op.name, op.device) for op in graph.get_operations() if "Assign" in op.name]
            )
    first, second = setter(2), setter(2)
    with tf.device(first):
        one = [tf.Variable(0.0, name="x").device for _ in range(3)]
    with tf.device(second):
        two = [tf.Variable(0.0, name="y").device for _ in range(2)]
    with tf.device(first):
        one.append(tf.Variable(0.0, name="z").device)
    stage.say(one, two)
    strategies = tf.contrib.training
    with stage.failing():
        greedy = strategies.GreedyLoadBalancingStrategy(2, strategies.byte_size_load_fn)
        with tf.device(setter(2, ps_strategy=greedy)):
            for shape in ([100], [10], [10], [95], []):
                stage.say(tf.get_variable(f"g{shape}".strip("g[]") or "s", shape).device)
    stage.attempt(strategies.byte_size_load_fn, tf.placeholder(tf.float32, [None]).op)
    stage.attempt(strategies.byte_size_load_fn, tf.placeholder(tf.float64, [3, 2]).op)


def servers_that_cannot_be(tf, stage):
    serve = tf.train.Server
    two = {"ps": ["localhost:0"], "worker": ["localhost:0", "localhost:0"]}
    definition = tf.train.ServerDef(
        cluster=tf.train.ClusterSpec(two).as_cluster_def(),
        job_name="ps",
        task_index=4,
        protocol="grpc",
    )
    stage.attempts(
        lambda: serve(3),
        lambda: serve(None),
        lambda: serve(two),
        lambda: serve(two, job_name="worker"),
        lambda: serve(two, job_name="none"),
        lambda: serve({}, start=False),
        lambda: serve(two, "worker", 0, "http"),
        lambda: serve(tf.train.ServerDef(), start=False),
        lambda: serve({"local": {3: "localhost:0"}}, protocol="other"),
        lambda: serve({"local": {3: "localhost:0"}}, task_index=2, protocol="other"),
        lambda: serve(definition, protocol="other"),
        lambda: serve(definition, "worker", 1, "other"),
    )
    config = tf.ConfigProto(inter_op_parallelism_threads=2)
    server = serve({"local": ["localhost:0"]}, config=config, start=False)
    found = server.server_def
    stage.say(found.job_name, found.task_index, found.protocol, found.default_session_config)
    stage.say([(j.name, dict(j.tasks)) for j in found.cluster.job])
    stage.say(server.target.rpartition(":")[0], server.server_def == found)
    again = serve(found, config=tf.ConfigProto(log_device_placement=True), start=False)
    stage.say(again.server_def.default_session_config.inter_op_parallelism_threads)
    stage.say(again.server_def.default_session_config.log_device_placement)
