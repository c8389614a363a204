"""tf.contrib: weight pruning, integrals, solvers, scaled losses, kernels, image transforms; options and errors."""

import numpy as np


def integrals(tf, stage):
    of = tf.contrib.integrate
    turn = lambda y, t: tf.stack([y[1], -y[0]])  # noqa: E731
    down = lambda y, t: -y * tf.cast(t, y.dtype)  # noqa: E731
    start = lambda kind=np.float64: np.array([1.0, 0.5], kind)  # noqa: E731
    times = np.array([0.0, 0.5, 1.25])

    def adaptive(func=turn, y=start, t=times, **options):
        return lambda: of.odeint(func, y() if callable(y) else y, t, **options)

    def steps(func=turn, y=start, t=times, **options):
        return lambda: of.odeint_fixed(func, y() if callable(y) else y, t, **options)

    some = {"first_step": 0.1, "safety": 0.5, "ifactor": 2.0, "dfactor": 0.5}
    stage.each(
        {
            "plain": adaptive(),
            "told": adaptive(full_output=True),
            "complex": adaptive(down, lambda: start(np.complex128), full_output=True, name="own"),
            "slower": adaptive(down, method="dopri5", options=some, full_output=True),
            "few steps": adaptive(
                method="dopri5", options={"max_num_steps": 1, "first_step": 1e-3}
            ),
            "one time": adaptive(t=np.array([2.0])),
            "backwards": adaptive(t=np.array([2.0, 1.0])),
            "same time": adaptive(t=np.array([1.0, 1.0])),
            "not finite": adaptive(y=np.array([np.nan, 1.0])),
            "of integers": adaptive(y=np.array([1, 2])),
            "other method": adaptive(method="rk4"),
            "options alone": adaptive(options={"first_step": 1.0}),
            "other option": adaptive(method="dopri5", options={"first": 1.0}),
            "other shape": adaptive(lambda y, t: y[:1]),
            "fixed": steps(),
            "fixed, small": steps(dt=0.2),
            "fixed, each": steps(dt=[0.5, 0.25], method="midpoint"),
            "fixed, complex": steps(down, lambda: start(np.complex64), dt=0.3, name="own"),
            "fixed, one time": steps(t=np.array([1.0])),
            "fixed, backwards": steps(t=np.array([1.0, 0.5])),
            "fixed, steps of integers": steps(dt=[1, 2]),
            "fixed, other sizes": steps(dt=[0.5, 0.5, 0.5]),
            "fixed, matrix": steps(t=np.array([[0.0, 1.0]])),
            "fixed, other method": steps(method="dopri5"),
        },
        graph="sum",
    )


def pruned(tf, stage):
    of = tf.contrib.model_pruning

    def settings(text="", sparsities=None, blocks=None):
        made = of.get_pruning_hparams().parse(text)
        made.weight_sparsity_map = sparsities or [""]
        made.block_dims_map = blocks or [""]
        return made

    values = np.arange(1.0, 25.0, dtype=np.float32).reshape(4, 6) * [1, -1, 1, -1, 1, -1]
    cases = {
        "plain": ("target_sparsity=0.5",),
        "blocks": ("target_sparsity=0.5,block_height=2,block_width=3",),
        "odd blocks": ("block_height=3,block_width=4,block_pooling_function=MAX",),
        "whole rows": ("block_height=1,block_width=-1",),
        "own blocks": ("", ["dense:0.25"], ["dense:2x2"]),
        "decay": ("threshold_decay=0.5,initial_sparsity=0.25,sparsity_function_exponent=1.0",),
        "all of two": ("", ["dense:0.25", "weights:0.3"]),
        "two blocks": ("", None, ["dense:2x2", "weights:1x2"]),
        "other blocks": ("", None, ["dense:2"]),
        "all weights": ("", ["dense:1.0"]),
        "other function": ("block_height=2,block_pooling_function=SUM",),
        "tpu": ("block_height=2,block_width=2,use_tpu=true",),
    }
    for text in (
        *("threshold_decay=1.0", "initial_sparsity=-0.1", "target_sparsity=1.5"),
        *("sparsity_function_begin_step=-1", "sparsity_function_begin_step=100"),
        *("begin_pruning_step=3,end_pruning_step=3", "end_pruning_step=0", "none=3"),
    ):
        with tf.Graph().as_default():
            tf.train.create_global_step()
            stage.attempt(lambda: of.Pruning(settings(text)) and "fine")  # noqa: B023
    for name, given in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(1)
            stage.say(name)
            step = tf.train.create_global_step()
            with tf.variable_scope("dense"):
                w = tf.get_variable("weights", initializer=values.astype("f"))
                masked = of.apply_mask(w)
            with stage.failing():
                pruning = of.Pruning(settings(*given), sparsity=None)
                pruning.print_hparams()
                update = pruning.conditional_mask_update_op()
                pruning.add_pruning_summaries()
                session.run(tf.global_variables_initializer())
                for now in (0, 10, 15, 50, 200):
                    session.run(tf.assign(step, now))
                    session.run(update)
                    told = [
                        of.get_thresholds(),
                        pruning._last_update_step,
                        of.get_weight_sparsity(),
                    ]
                    stage.say(now, session.run(told))
                stage.say(session.run(masked))
            stage.say(len(graph.get_operations()))
            stage.brief_graph(names=False)


def masked_layers(tf, stage):
    of = tf.contrib.model_pruning
    images = lambda *shape: tf.ones(shape or [2, 5, 5, 3])  # noqa: E731
    cases = {
        "channels first": lambda: of.masked_conv2d(images(2, 3, 5, 5), 2, 1, data_format="NCHW"),
        "format of two": lambda: of.masked_conv2d(images(), 2, 1, data_format="NCDHW"),
        "dense of text": lambda: of.masked_fully_connected(tf.ones([2, 3]), "2"),
    }
    stage.each(cases, graph="sum")


def kernels(tf, stage):
    of = tf.contrib.kernel_methods
    loss = of.sparse_multiclass_hinge_loss
    mapper = of.RandomFourierFeatureMapper
    logits = np.array([[1.0, -0.5, 2.0], [0.2, 0.3, 0.1]], np.float32)
    some = lambda kind=tf.float32: tf.constant(logits, kind)  # noqa: E731
    stage.each(
        {
            "other labels": lambda: loss(tf.constant([0, 3]), some()),
        },
        graph="sum",
    )
    stage.say(
        [
            (m.name, m.input_dim, m.output_dim)
            for m in (mapper(3, 4, name="n"), mapper(1, 2, name="m"))
        ]
    )
    column = tf.contrib.layers.real_valued_column("x", 3)
    config = tf.contrib.learn.RunConfig(model_dir=stage.folder)
    linear = of.KernelLinearClassifier
    stage.attempts(
        lambda: linear(config=config),
        lambda: linear(kernel_mappers={column: 3}, config=config),
        lambda: linear(feature_columns=[column], n_classes=1, config=config),
    )
