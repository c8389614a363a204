"""tf.contrib.layers: every function with rare arguments; nodes, collections, values."""

import numpy as np

_X = np.arange(6, dtype=np.float32).reshape(2, 3) / 10
_IMAGES = (np.arange(96, dtype=np.float32).reshape(2, 4, 4, 3) % 7) / 10


def _each(tf, stage, cases):
    """Also records the functions' additions to collections."""

    def with_collections(case):
        def called():
            made = case()
            graph = tf.get_default_graph()
            for key in sorted(graph.get_all_collection_keys(), key=str):
                found = [getattr(x, "name", x) for x in tf.get_collection(key)]
                if not str(key).startswith("__"):
                    stage.say(key, found)
            return made

        return called

    stage.each({name: with_collections(case) for name, case in cases.items()})


def dense(tf, stage):
    of = tf.contrib.layers
    x = lambda: tf.constant(_X)  # noqa: E731
    half = tf.constant_initializer(0.5)
    l2 = of.l2_regularizer(0.1)
    _each(
        tf,
        stage,
        {
            "normalized": lambda: of.fully_connected(
                x(), 2, normalizer_fn=of.batch_norm, normalizer_params={"is_training": False}
            ),
            "list": lambda: of.fully_connected(x(), 2, variables_collections=["all"]),
            "reuse_none": lambda: of.fully_connected(x(), 2, reuse=True),
            "legacy_plain": lambda: of.legacy_fully_connected(
                x(),
                2,
                weight_init=half,
                bias_init=None,
                weight_regularizer=l2,
                weight_collections=("w", "global_variables"),
                output_collections=("o",),
                trainable=False,
            ),
            "legacy_deep": lambda: of.legacy_fully_connected(
                tf.ones([1, 2, 3]), 2, bias_regularizer=l2
            ),
            "stack": lambda: of.stack(
                x(), of.fully_connected, [4, 2], scope="st", weights_initializer=half
            ),
            "stack_lists": lambda: of.stack(x(), of.dropout, [[0.5], (1.0,)], is_training=False),
            "bias": lambda: of.bias_add(x(), tf.nn.relu, half, l2, variables_collections=["b"]),
            "bias_images": lambda: of.bias_add(
                tf.ones([1, 2, 3, 3]), data_format="NCHW", initializer=half
            ),
            "bias_vector": lambda: of.bias_add(tf.ones([2]), data_format="NCHW"),
            "bias_unknown": lambda: of.bias_add(tf.placeholder(tf.float32)),
            "flatten": lambda: of.flatten(tf.ones([2, 3, 4]), outputs_collections="o", scope="f"),
            "flatten_scalar": lambda: of.flatten(tf.constant(1.0)),
            "softmax": lambda: of.softmax(tf.ones([2, 2, 3]), scope="s"),
            "softmax_vector": lambda: of.softmax(tf.ones([3])),
            "maxout_axis": lambda: of.maxout(tf.ones([2, 4, 3]), 2, axis=1, scope="m"),
            "unit_epsilon": lambda: of.unit_norm(x(), 0, 0.5, "u"),
            "unit_range": lambda: of.unit_norm(x(), 2),
            "recomputed": lambda: of.recompute_grad(lambda x: x * x)(x()),
            "embedded_reuse": lambda: of.embed_sequence([[0]], 3, 2, reuse=True, scope="e"),
            "embedded_regularized": lambda: of.embed_sequence(
                [[0]], 3, 2, regularizer=l2, scope="e", unique=True, trainable=False
            ),
            "sparse_text": lambda: of.dense_to_sparse([["a", ""]]),
            "unique": lambda: of.embedding_lookup_unique(
                tf.constant(_X), [[1, 1], [0, 1]], name="e"
            ),
            "unique_sparse": lambda: of.embedding_lookup_unique(
                tf.constant(_X), tf.SparseTensor([[0, 0]], [1], [1, 1])
            ),
            "safe_weights": lambda: of.safe_embedding_lookup_sparse(
                tf.constant(_X),
                tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 1], tf.int64), [2, 1]),
                tf.SparseTensor([[0, 0], [1, 0]], [2.0, -1.0], [2, 1]),
                "sum",
                max_norm=0.5,
            ),
            "safe_none": lambda: of.safe_embedding_lookup_sparse(None, None),
            "safe_empty": lambda: of.safe_embedding_lookup_sparse([], None),
            "sequence_first": lambda: of.images_to_sequence(tf.constant(_IMAGES), "NCHW", "o", "s"),
            "images": lambda: of.sequence_to_images(tf.ones([4, 8, 3]), 4),
            "images_first": lambda: of.sequence_to_images(
                tf.ones([4, 8, 3]), 4, "channels_first", "o", "s"
            ),
        },
    )


def norms(tf, stage):
    of = tf.contrib.layers
    x = lambda: tf.constant(_X)  # noqa: E731
    pictures = lambda: tf.constant(_IMAGES)  # noqa: E731
    l2 = of.l2_regularizer(0.1)
    _each(
        tf,
        stage,
        {
            "testing": lambda: of.batch_norm(
                pictures(), is_training=False, scope="b", activation_fn=tf.nn.relu
            ),
            "in_place": lambda: of.batch_norm(
                x(), updates_collections=None, outputs_collections="o"
            ),
            "initialized": lambda: of.batch_norm(
                x(),
                scale=True,
                param_initializers={
                    "gamma": tf.constant_initializer(2.0),
                    "moving_mean": tf.constant_initializer(1.0),
                },
                param_regularizers={"gamma": l2, "beta": l2},
            ),
            "weighted": lambda: of.batch_norm(x(), batch_weights=[1.0, 3.0], fused=False),
            "renormed": lambda: of.batch_norm(x(), renorm=True, renorm_decay=0.5, fused=False),
            "first": lambda: of.batch_norm(tf.ones([2, 3, 2, 2]), data_format="NCHW", fused=False),
            "fused_debias": lambda: of.batch_norm(
                pictures(), fused=True, zero_debias_moving_mean=True
            ),
            "instance_options": lambda: of.instance_norm(
                pictures(), False, False, 0.1, tf.nn.relu, outputs_collections="o", scope="i"
            ),
            "instance_initialized": lambda: of.instance_norm(
                pictures(),
                param_initializers={"beta": tf.constant_initializer(1.0)},
                variables_collections=["v"],
            ),
            "group_axis": lambda: of.group_norm(
                pictures(), 2, 1, (2, 3), mean_close_to_zero=True, epsilon=0.1
            ),
            "group_options": lambda: of.group_norm(
                pictures(),
                1,
                center=False,
                scale=False,
                activation_fn=tf.nn.relu,
                outputs_collections="o",
                scope="g",
            ),
            "group_many": lambda: of.group_norm(pictures(), 4),
            "group_axis_bad": lambda: of.group_norm(pictures(), 3, 4),
            "layer_options": lambda: of.layer_norm(
                x(),
                False,
                True,
                tf.nn.relu,
                variables_collections=["v"],
                outputs_collections="o",
                trainable=False,
            ),
            "layer_unknown": lambda: of.layer_norm(tf.placeholder(tf.float32, [2, None])),
        },
    )


def regularized(tf, stage):
    of = tf.contrib.layers
    w = lambda: tf.constant(_X, name="w")  # noqa: E731
    _each(
        tf,
        stage,
        {
            "l2_negative": lambda: of.l2_regularizer(-0.5),
            "both_integer": lambda: of.l1_l2_regularizer(1, 0.5),
            "sum_none": lambda: of.sum_regularizer([of.l1_regularizer(0.0)])(w()),
            "applied_zero": lambda: of.apply_regularization(of.l2_regularizer(0.0), [w()]),
            "scaled_mean": lambda: of.variance_scaling_initializer(
                mode="FAN_AVG", seed=3, dtype=tf.float64
            )([4]),
            "scaled_kernel": lambda: of.variance_scaling_initializer(2.0, uniform=True, seed=3)(
                [2, 2, 2, 1]
            ),
            "activations": lambda: [
                tf.add_to_collection("activations", tf.nn.relu6(w())),
                of.summarize_activations(name_filter="Relu"),
            ],
            "collection": lambda: [
                tf.add_to_collection("c", w()),
                of.summarize_collection("c", "^w"),
                of.summarize_collection("c", "z"),
            ],
        },
    )


def optimized(tf, stage):
    of = tf.contrib.layers

    def each(**options):
        def case():
            w = tf.Variable([1.0, 2.0], name="w")
            v = tf.Variable([3.0], name="v", trainable=False)
            step = tf.train.get_or_create_global_step()
            loss = tf.reduce_sum(w * w) + tf.reduce_sum(v * v)
            given = {"loss": loss, "global_step": step, "learning_rate": 0.25, "optimizer": "SGD"}
            given.update(
                {k: f(w, v) if callable(f) and k[0] == "_" else f for k, f in options.items()}
            )
            given = {k.lstrip("_"): f for k, f in given.items()}
            with tf.Session() as session:
                try:
                    done = of.optimize_loss(**given)
                    session.run(tf.global_variables_initializer())
                    for _ in range(2):
                        session.run(done)
                    stage.say(session.run([w, v, step]))
                finally:
                    summaries = [s.name for s in tf.get_collection("summaries")]
                    stage.say(summaries, [x.name for x in tf.global_variables()])

        return case

    stage.each(
        {
            "adagrad": each(optimizer=tf.train.AdagradOptimizer),
            "instance": each(
                optimizer=tf.train.GradientDescentOptimizer(0.125), learning_rate=None
            ),
            "function_alone": each(
                optimizer=lambda: tf.train.GradientDescentOptimizer(0.5), learning_rate=None
            ),
            "unknown": each(optimizer="none"),
            "number": each(optimizer=3),
            "function_bad": each(optimizer=lambda rate: 3),
            "no_rate": each(learning_rate=None),
            "bad_rate": each(learning_rate=[0.1]),
            "text_rate": each(learning_rate="a"),
            "not_incremented": each(increment_global_step=False),
            "clipped": each(clip_gradients=1.0),
            "clipped_bad": each(clip_gradients="text"),
            "noise": each(gradient_noise_scale=1e-9),
            "multiplied": each(gradient_multipliers={"w": 0.5}),
            "updates": each(_update_ops=lambda w, v: [v.assign_add([1.0])]),
            "named": each(name="mine", summaries=[]),
            "summaries": each(
                summaries=[
                    "gradients",
                    "gradient_norm",
                    "loss",
                    "learning_rate",
                    "global_gradient_norm",
                ]
            ),
            "summaries_bad": each(summaries=["none"]),
            "colocated": each(colocate_gradients_with_ops=True),
            "no_loss": each(loss=None),
        }
    )
