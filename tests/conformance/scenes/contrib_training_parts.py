"""tf.contrib.training: segmented sequences, sampling, buckets, devices, hyperparameters; receptive fields."""

import numpy as np


def _run(tf, stage, build, steps=2, names=False):
    """Records several runs of a graph with queues."""
    with tf.Graph().as_default() as graph, stage.failing():
        tf.set_random_seed(1)
        made = build()
        shapes = [
            (str(t.shape), t.dtype.name) for t in tf.nest.flatten(made) if hasattr(t, "shape")
        ]
        stage.say(shapes)
        stage.brief_graph(names=names)
        stage.say(
            len(graph.get_collection("queue_runners")), len(graph.get_collection("summaries"))
        )
        if not steps:
            return
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            with stage.failing():
                for _ in range(steps):
                    stage.say(session.run(made))
            coordinator.request_stop()
            session.run([r.cancel_op for r in graph.get_collection("queue_runners")])
            coordinator.join(threads, ignore_live_threads=True)


def segments(tf, stage):
    of = tf.contrib.training
    sparse = lambda: tf.SparseTensor([[0, 1], [2, 0], [3, 1]], [1.0, 2.0, 3.0], [4, 2])  # noqa: E731
    x = np.arange(8.0, dtype=np.float32).reshape(4, 2)

    def batches(sequences=None, context=None, states=None, unroll=2, size=1, **options):
        def build():
            given = {
                "input_key": "key",
                "input_sequences": {"x": tf.constant(x)} if sequences is None else sequences(),
                "input_context": {"c": tf.constant([7])} if context is None else context(),
                "input_length": None,
                "initial_states": {"s": tf.zeros([2])} if states is None else states(),
                "num_unroll": unroll,
                "batch_size": size,
                "make_keys_unique": False,
            }
            batch = of.batch_sequences_with_states(**{**given, **options})
            saved = batch.save_state("s", batch.state("s") + 1.0) if states is None else tf.no_op()
            told = [batch.sequences, batch.context, batch.length, batch.total_length]
            told += [batch.key, batch.next_key, batch.sequence, batch.sequence_count]
            told += [batch.insertion_index, batch.batch_size]
            with tf.control_dependencies([saved]):
                return tf.nest.map_structure(
                    lambda t: t if isinstance(t, tf.SparseTensor) else tf.identity(t), told
                )

        return build

    for build in (
        batches(),
        batches(unroll=3),
        batches(unroll=3, pad=False),
        batches(unroll=2, pad=False, input_length=tf.constant(3)),
        batches(sequences=lambda: {"x": sparse(), "y": tf.constant(["a", "b", "c", "d"])}),
        batches(sequences=lambda: {"x": sparse()}, unroll=3),
        batches(context=lambda: {"c": sparse(), "d": tf.constant(1.0)}),
        batches(make_keys_unique=True, make_keys_unique_seed=3, allow_small_batch=False),
        batches(size=2, num_threads=2, capacity=7, name="own"),
    ):
        _run(tf, stage, build, 0)
    for build in (
        batches(unroll=2.5),
        batches(sequences=lambda: [tf.constant(x)]),
        batches(sequences=lambda: {3: tf.constant(x)}),
        batches(sequences=lambda: {}),
        batches(sequences=lambda: {}, pad=False),
        batches(sequences=lambda: {"x": object()}, pad=False),
        batches(sequences=lambda: {"x": tf.constant(x), "y": tf.ones([3])}),
        batches(sequences=lambda: {"a:b": tf.constant(x)}),
        batches(context=lambda: {"a:b": tf.constant(1)}),
        batches(context=lambda: {1: tf.constant(1)}),
        batches(context=lambda: [1]),
        batches(context=lambda: {"c": tf.placeholder(tf.float32)}),
        batches(sequences=lambda: {"x": tf.placeholder(tf.float32, [None, None])}),
        batches(states=lambda: {}),
        batches(states=lambda: [1]),
        batches(states=lambda: {"a:b": tf.zeros([])}),
        batches(states=lambda: {4: tf.zeros([])}),
        batches(states=lambda: {"s": tf.placeholder(tf.float32, [None])}),
        batches(input_key=3),
        batches(input_key=["a"]),
        batches(input_length=tf.constant([3])),
        batches(input_length=tf.constant(3, tf.int64)),
        batches(unroll=0),
        batches(size=0),
    ):
        _run(tf, stage, build, 0)


def savers_of_states(tf, stage):
    of = tf.contrib.training

    def make(size=2, unroll=2, **options):
        given = {
            "input_length": tf.constant(3),
            "input_key": tf.constant("k"),
            "input_sequences": {"x": tf.ones([4, 2]), "a": tf.ones([4])},
            "input_context": {"c": tf.constant(1)},
            "initial_states": {"s": tf.zeros([3]), "t": tf.zeros([], tf.int64)},
        }
        return of.SequenceQueueingStateSaver(size, unroll, **{**given, **options})

    saver = make(name="own")
    batch = saver.next_batch
    stage.attempts(
        lambda: saver.name,
        lambda: saver.barrier.name,
        lambda: saver.batch_size.name,
        lambda: saver.num_unroll.name,
        lambda: saver.prefetch_op.name,
        lambda: saver.next_batch is batch,
        lambda: batch.save_state("s", tf.zeros([3, 3])),
        lambda: batch.save_state("s", tf.zeros([2, 3], tf.float64)),
        lambda: (batch.length.shape, batch.total_length.shape, batch.sequence.dtype),
        lambda: make(2, -1),
        lambda: make(capacity="a"),
    )
    stage.brief_graph(names=False)


def buckets(tf, stage):
    of = tf.contrib.training
    one = lambda: tf.constant(3.0)  # noqa: E731
    which = lambda n: tf.constant(n)  # noqa: E731
    for build, steps in (
        (
            lambda: of.bucket(
                [one()],
                which(1),
                2,
                2,
                keep_input=tf.constant(True),
                allow_smaller_final_batch=True,
                shared_name="shared",
            ),
            1,
        ),
        (lambda: of.bucket([one()], tf.constant([1]), 2, 2), 0),
    ):
        _run(tf, stage, build, steps)


def devices_and_settings(tf, stage):
    of = tf.contrib.training
    random, greedy = (
        of.RandomStrategy(3, seed=4),
        of.GreedyLoadBalancingStrategy(3, of.byte_size_load_fn),
    )
    with tf.device(tf.train.replica_device_setter(3, ps_strategy=greedy)):
        made = [tf.get_variable(f"v{i}", [size]) for i, size in enumerate((9, 2, 3, 4, 1))]
    stage.say([v.device for v in made], [random(v.op) for v in made])
    stage.attempts(
        lambda: of.byte_size_load_fn(tf.no_op("nothing")),
        lambda: of.GreedyLoadBalancingStrategy(0, of.byte_size_load_fn)(made[0].op),
    )
    hparams = of.HParams(a=1, b=0.5, c="x", d=[1, 2], e=True, f=[0.5], g=["p"])
    stage.attempts(
        lambda: hparams.parse("a=1.5"),
        lambda: hparams.parse("c"),
        lambda: hparams.set_hparam("d", 2),
        lambda: hparams.set_hparam("a", True),
        lambda: hparams.add_hparam("values", 2),
        lambda: hparams.add_hparam("h", []),
        lambda: hparams.add_hparam("i", None) or hparams.parse("i=3").i,
        lambda: str(hparams),
        lambda: repr(hparams),
        lambda: hparams.set_model_structure("m") or hparams.get_model_structure(),
        lambda: of.HParams(hparam_def=hparams.to_proto(), a=1),
        lambda: of.parse_values("a[0]=1,a=2", {"a": int}),
        lambda: of.parse_values("a=[1,2", {"a": int}),
        lambda: of.parse_values("=1", {"a": int}),
        lambda: 3 in hparams,
        lambda: hparams.none,
    )


def fields_of_view(tf, stage):
    of = tf.contrib.receptive_field
    x = lambda *shape: tf.placeholder(tf.float32, shape or [1, None, None, 3], "in")  # noqa: E731

    def k(h, w=None, name="w"):
        kernel = tf.constant(np.ones([h, w or h, 3, 3]), tf.float32, name=name)
        return tf.identity(kernel, kernel.op.name + "/read")

    def conv(x, h, stride=1, padding="SAME", w=None, name=None):
        return tf.nn.conv2d(
            x, k(h, w, (name or "layer") + "_w"), [1, stride, stride, 1], padding, name=name
        )

    cases = {"conv": lambda: conv(x(), 3)}
    for name, make in cases.items():
        with tf.Graph().as_default() as graph:
            stage.say(name)
            with stage.failing():
                out = make().op.name
            for options in ({}, {"input_resolution": [11, 12]}):
                with stage.failing():
                    field = of.compute_receptive_field_from_graph_def(graph, "in", out, **options)
                    stage.say(tuple(field))
                    stage.say(field.compute_input_center_coordinates(np.array([[0, 1], [2, 2]])))
                    stage.say(field.compute_feature_coordinates(np.array([[3, 4]])))
                    stage.say(field.compute_input_center_coordinates(np.array([[1]]), [1]))
                    stage.attempt(field.compute_input_center_coordinates, np.array([[1]]))
                    stage.attempt(field.compute_feature_coordinates, np.array([[1, 2]]), [0])
                    stage.attempt(field.compute_feature_coordinates, np.array([[9]]), [0])
    with tf.Graph().as_default() as graph:
        y = conv(conv(x(1, 9, 9, 3), 3, name="one"), 3, name="two").op.name
        compute = of.compute_receptive_field_from_graph_def
        stage.attempts(
            lambda: tuple(compute(graph, "in", y, stop_propagation=["one"])),
            lambda: tuple(compute(graph, "none", y)),
            lambda: tuple(compute(graph, "in", "none")),
        )
