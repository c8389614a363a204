"""How methods are called that programs override, or pass: by position, or by name."""

import numpy as np

from tests.conformance.scenes import in_own_graph

X = np.float32([[1.0, 2.0], [3.0, 5.0]])


def _shown(args, kwargs):
    return f"{len(args)} {sorted(kwargs)}"


def _recording(stage, kind, *methods):
    """A subclass that says how each of these methods is called."""

    def overriding(name):
        def method(self, *args, **kwargs):
            said = dict(kwargs)
            if (
                name == "add_weight"
            ):  # whose name is passed either way, and the default of `trainable` or not
                said.pop("trainable", None)
                said.update(zip(("name",), args))
            stage.say(name, _shown(args[len(args) * (name == "add_weight") :], said))
            return getattr(super(Recording, self), name)(*args, **kwargs)

        return method

    Recording = type(kind.__name__, (kind,), {name: overriding(name) for name in methods})
    return Recording


def _said(stage, name, function):
    """The function, which says how it is called."""

    def called(*args, **kwargs):
        stage.say(name, _shown(args, kwargs))
        return function(*args, **kwargs)

    return called


OPTIMIZER = (
    *("compute_gradients", "apply_gradients", "minimize", "_prepare", "_create_slots", "_finish"),
    *("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse"),
    *("_apply_sparse_duplicate_indices", "_resource_apply_sparse_duplicate_indices"),
    *("_valid_dtypes", "_assert_valid_dtypes", "get_slot", "_get_or_make_slot", "_zeros_slot"),
)


@in_own_graph
def optimizers(tf, stage):
    for use_resource in (False, True):
        v = tf.get_variable(f"v{use_resource}", initializer=X, use_resource=use_resource)
        loss = tf.reduce_sum(tf.gather(v, [0, 0])) + tf.reduce_sum(v)
        rows = tf.reduce_sum(tf.gather(v, [0, 0]))
        for kind in (
            tf.train.AdamOptimizer,
            tf.train.GradientDescentOptimizer,
            tf.train.MomentumOptimizer,
        ):
            for target in (loss, rows):
                arguments = (0.1, 0.9) if kind is tf.train.MomentumOptimizer else (0.1,)
                stage.say(kind.__name__, use_resource)
                step = tf.train.get_or_create_global_step()
                _recording(stage, kind, *OPTIMIZER)(*arguments).minimize(target, step, [v])


@in_own_graph
def optimizers_inside_of_others(tf, stage):
    methods = ("compute_gradients", "apply_gradients", "minimize")
    v = tf.Variable([1.0, 2.0])
    loss = tf.reduce_sum(v * v)

    def inner():
        return _recording(stage, tf.train.AdamOptimizer, *methods)(0.1)

    opt = tf.contrib.opt
    for name, make in (
        ("averages", lambda: opt.MovingAverageOptimizer(inner())),
        ("clipped", lambda: opt.VariableClippingOptimizer(inner(), {v: [0]}, 1.0)),
        ("replicas", lambda: tf.train.SyncReplicasOptimizer(inner(), 1, total_num_replicas=1)),
        ("task", lambda: opt.MultitaskOptimizerWrapper(inner())),
        ("external", lambda: opt.LazyAdamOptimizer(0.1)),
        ("scaled", lambda: tf.contrib.mixed_precision.LossScaleOptimizer(
            inner(), tf.contrib.mixed_precision.FixedLossScaleManager(2.0))),
        ("graph rewrite", lambda: tf.train.experimental.MixedPrecisionLossScaleOptimizer(inner(), 2.0)),
    ):  # fmt: skip
        stage.say(name)
        with stage.failing():
            make().minimize(loss, tf.train.get_or_create_global_step())
    stage.say("optimize_loss")
    with stage.failing():
        tf.contrib.layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 0.1, inner())
    stage.say("create_train_op")
    with stage.failing():
        tf.contrib.training.create_train_op(loss, inner())
    with stage.failing():
        tf.contrib.slim.learning.create_train_op(loss, inner())


def _getting(tf, stage):
    def getter(getter, *args, **kwargs):
        stage.say("custom_getter", _shown(args, kwargs))
        return getter(*args, **kwargs)

    def creator(next_creator, **kwargs):
        stage.say("creator", sorted(kwargs))
        return next_creator(**kwargs)

    return getter, creator


@in_own_graph
def getters_and_initializers(tf, stage):
    getter, creator = _getting(tf, stage)
    initializer = _said(stage, "initializer", tf.zeros_initializer())
    partitioner = _said(stage, "partitioner", lambda shape, dtype: [1] * len(shape))
    regularizer = _said(stage, "regularizer", tf.nn.l2_loss)
    constraint = _said(stage, "constraint", lambda x: x)
    with tf.variable_creator_scope(creator):
        with tf.variable_scope(
            "s", custom_getter=getter, initializer=initializer, regularizer=regularizer,
            partitioner=partitioner, constraint=constraint,
        ):  # fmt: skip
            tf.get_variable("a", [2, 2])
            tf.get_variable("b", [2], trainable=False, use_resource=True)
            tf.layers.dense(X, 2)
            tf.contrib.layers.fully_connected(X, 2)
            tf.nn.rnn_cell.BasicLSTMCell(2)(X, tf.nn.rnn_cell.LSTMStateTuple(X, X))
            tf.keras.layers.Dense(2)(tf.constant(X))
        tf.Variable(initializer([2], tf.float32), constraint=constraint)
        stage.attempt(
            tf.get_variable, "d", initializer=_said(stage, "without", lambda: tf.zeros([2]))
        )
        Own = _recording(stage, tf.initializers.random_normal, "__call__", "get_config")
        tf.get_variable("f", [2], initializer=Own())
        tf.layers.dense(X, 2, kernel_initializer=Own(), bias_initializer=Own(), name="own")
        tf.keras.layers.Dense(2, kernel_initializer=_recording(
            stage, tf.keras.initializers.RandomNormal, "__call__")())(tf.constant(X))  # fmt: skip
        tf.get_variable(
            "g",
            [4, 2],
            initializer=Own(),
            partitioner=tf.fixed_size_partitioner(2),
            use_resource=True,
        )


CELL = (
    "call",
    "__call__",
    "build",
    "zero_state",
    "get_initial_state",
    "add_variable",
    "add_weight",
)


@in_own_graph
def cells(tf, stage):
    rnn = tf.nn.rnn_cell
    x = tf.constant(np.ones([2, 3, 4], np.float32))
    for kind in (
        rnn.BasicLSTMCell,
        rnn.GRUCell,
        rnn.LSTMCell,
        rnn.BasicRNNCell,
        tf.contrib.rnn.LayerNormBasicLSTMCell,
    ):
        stage.say(kind.__name__)
        with tf.variable_scope(kind.__name__):
            cell = _recording(stage, kind, *CELL)(4)
            tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        with tf.variable_scope(kind.__name__ + "_static"):
            tf.nn.static_rnn(
                _recording(stage, kind, *CELL)(4), tf.unstack(x, axis=1), dtype=tf.float32
            )
    stage.say("wrapped")
    for wrap in (
        lambda c: rnn.DropoutWrapper(c, 0.5, variational_recurrent=True, input_size=4, dtype=tf.float32),
        rnn.ResidualWrapper, lambda c: rnn.DeviceWrapper(c, "/cpu:0"), lambda c: rnn.MultiRNNCell([c]),
        lambda c: tf.contrib.rnn.InputProjectionWrapper(c, 4),
        lambda c: tf.contrib.rnn.OutputProjectionWrapper(c, 4),
        lambda c: tf.contrib.rnn.AttentionCellWrapper(c, 2, state_is_tuple=True),
    ):  # fmt: skip
        cell = _recording(stage, rnn.BasicLSTMCell, *CELL)(4)
        with tf.variable_scope(None, "w"), stage.failing():
            tf.nn.dynamic_rnn(wrap(cell), x, dtype=tf.float32, sequence_length=[1, 2])
    stage.say("raw_rnn")
    loop = _said(stage, "loop_fn", lambda time, output, state, loop_state: (
        time >= 2, x[:, 0], cell.zero_state(2, tf.float32) if state is None else state, output, None))  # fmt: skip
    with stage.failing():
        tf.nn.raw_rnn(_recording(stage, rnn.BasicLSTMCell, *CELL)(4), loop)


DECODER = ("initialize", "step", "finalize")
HELPER = ("initialize", "sample", "next_inputs")


@in_own_graph
def decoders(tf, stage):
    seq = tf.contrib.seq2seq
    x = tf.constant(np.ones([2, 3, 4], np.float32))
    for kind, arguments in (
        (seq.TrainingHelper, (x, [3, 2])),
        (seq.GreedyEmbeddingHelper, (tf.ones([4, 4]), [1, 1], 2)),
    ):
        with tf.variable_scope(None, "d"), stage.failing():
            helper = _recording(stage, kind, *HELPER)(*arguments)
            cell = _recording(stage, tf.nn.rnn_cell.GRUCell, *CELL)(4)
            decoder = _recording(stage, seq.BasicDecoder, *DECODER)(cell, helper, tf.zeros([2, 4]))
            seq.dynamic_decode(decoder, maximum_iterations=3)
    with tf.variable_scope("attention"), stage.failing():
        mechanism = _recording(
            stage, seq.LuongAttention, "__call__", "initial_state", "initial_alignments"
        )(4, x)
        cell = _recording(stage, tf.nn.rnn_cell.GRUCell, *CELL)(4)
        wrapper = _recording(stage, seq.AttentionWrapper, "zero_state", "call")(
            cell,
            mechanism,
            cell_input_fn=_said(stage, "cell_input_fn", lambda a, b: tf.concat([a, b], -1)),
        )
        wrapper(x[:, 0], wrapper.zero_state(2, tf.float32))
    with tf.variable_scope("beams"), stage.failing():
        cell = _recording(stage, tf.nn.rnn_cell.GRUCell, *CELL)(4)
        layer = _recording(stage, tf.layers.Dense, "call", "__call__", "compute_output_shape")(4)
        decoder = _recording(stage, seq.BeamSearchDecoder, *DECODER)(
            cell,
            _said(stage, "embedding", lambda ids: tf.one_hot(ids, 4)),
            [1, 1],
            2,
            tf.zeros([4, 4]),
            2,
            layer,
        )
        seq.dynamic_decode(decoder, maximum_iterations=2)


HOOK = ("begin", "after_create_session", "before_run", "after_run", "end")
LISTENER = ("begin", "before_save", "after_save", "end")


@in_own_graph
def hooks(tf, stage):
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1)
    hook = _recording(stage, tf.train.SessionRunHook, *HOOK)()
    listener = _recording(stage, tf.train.CheckpointSaverListener, *LISTENER)()
    saver = tf.train.CheckpointSaverHook(
        stage.folder, save_steps=1, saver=tf.train.Saver([step]), listeners=[listener]
    )
    scaffold = tf.train.Scaffold(
        init_fn=_said(stage, "init_fn", lambda scaffold, session: None), saver=_recording(
            stage, tf.train.Saver, "save", "restore", "build")(),
    )  # fmt: skip
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=stage.folder, scaffold=scaffold, hooks=[hook], chief_only_hooks=[saver],
        save_checkpoint_secs=None, save_checkpoint_steps=None,
    ) as session:  # fmt: skip
        session.run(train)
    stage.say("steps")
    for kind, arguments in (
        (tf.train.LoggingTensorHook, ([step], 1)), (tf.train.StepCounterHook, (1,)),
        (tf.train.SummarySaverHook, (1, None, stage.folder, None, None, tf.constant(b""))),
    ):  # fmt: skip
        methods = (
            "begin",
            "after_create_session",
            "before_run",
            "after_run",
            "end",
            "_log_tensors",
        )
        methods += ("_log_and_record",)
        own = _recording(stage, kind, *[m for m in methods if hasattr(kind, m)])(*arguments)
        with stage.failing(), tf.train.SingularMonitoredSession([own]) as session:
            session.run(train)
            session.run(train)


DISTRIBUTION = (
    *(
        "_log_prob",
        "_prob",
        "_sample_n",
        "_cdf",
        "_entropy",
        "_mean",
        "_variance",
        "_stddev",
        "_mode",
    ),
    *("log_prob", "sample"),
)
BIJECTOR = (
    "_forward",
    "_inverse",
    "_forward_log_det_jacobian",
    "_inverse_log_det_jacobian",
    "forward",
    "inverse",
)


@in_own_graph
def distributions(tf, stage):
    ds = tf.distributions
    own = _recording(stage, ds.Normal, *DISTRIBUTION)(tf.zeros([2]), tf.ones([2]))
    for call in (
        lambda: own.log_prob(1.0), lambda: own.prob(1.0), lambda: own.sample([3], seed=1), own.sample, own.mean,
        lambda: own.cdf(1.0), own.entropy, own.stddev, own.mode, lambda: own.log_cdf(1.0), own.batch_shape_tensor,
        lambda: own.kl_divergence(own), lambda: own.survival_function(1.0), lambda: own.quantile(0.5),
    ):  # fmt: skip
        with stage.failing():
            call()
    other = tf.contrib.distributions
    bijector = _recording(stage, other.bijectors.Exp, *BIJECTOR)()
    made = other.TransformedDistribution(own, bijector)
    for call in (
        lambda: made.log_prob([1.0, 2.0]),
        lambda: made.sample(2),
        lambda: made.prob([1.0, 2.0]),
    ):
        with stage.failing():
            call()
