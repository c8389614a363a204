"""tf.contrib: rare errors and warnings of distributions, cells, columns, graphs, optimizers and settings."""

import logging

import numpy as np


def _unknown(tf, kind=None):
    return tf.placeholder(kind or tf.float32, None)


def distributions(tf, stage):
    d = tf.contrib.distributions
    b = d.bijectors
    normal = lambda kind=np.float32: d.Normal(kind(0), kind(1))  # noqa: E731
    independent = d.Independent(d.Normal([0.0, 1.0], 1.0), 1)
    stage.attempts(
        lambda: d.BatchReshape(d.Normal(np.zeros(0, "f"), 1.0), [0, -2]),
        lambda: d.BatchReshape(d.Normal([0.0, 1.0], 1.0), [-2, -1]),
        lambda: d.BatchReshape(d.Normal([0.0, 1.0], 1.0), [-2, 2]),
        lambda: b.Exp().forward_log_det_jacobian(1.0, tf.placeholder(tf.int32, [1])),
        lambda: b.Exp(validate_args=True).inverse_log_det_jacobian(
            1.0, tf.placeholder(tf.int32, [1])
        ),
        lambda: b.Exp().inverse_log_det_jacobian(1.0, [0]),
        lambda: b.Chain([b.AffineScalar(np.float32(1)), b.AffineScalar(np.float64(2)), b.Exp()]),
        lambda: b.Chain([b.AffineScalar(np.float32(1)), b.AffineScalar(np.float64(2))]).dtype,
        lambda: b.Chain([b.AffineScalar(np.float64(2)), b.Exp()]).dtype,
        lambda: d.VectorSinhArcsinhDiag([0.0], [1.0], distribution=normal(np.float64)),
        lambda: d.VectorSinhArcsinhDiag([0.0], [1.0], distribution=d.Normal([0.0], 1.0)),
        lambda: d.VectorSinhArcsinhDiag([0.0], [1.0], distribution=independent),
        lambda: d.Mixture(d.Categorical([1.0]), [d.Deterministic(_unknown(tf))]),
        lambda: d.Mixture(d.Categorical([1.0]), [d.VectorDeterministic(_unknown(tf))]),
        lambda: d.Mixture(d.Categorical([1.0]), [d.Independent(d.Normal(_unknown(tf), 1.0))]),
        lambda: d.TransformedDistribution(normal(), b.Exp(), batch_shape=[2.0]),
        lambda: d.TransformedDistribution(normal(), b.Exp(), event_shape=_unknown(tf)),
        lambda: d.TransformedDistribution(normal(), b.Exp(), event_shape=[[2]]),
        lambda: d.MultivariateNormalDiag([1, 2], [1, 2]),
        lambda: d.MultivariateNormalTriL([1.0, 2.0], None, name="none"),
        lambda: d.MultivariateNormalTriL([1, 2], [[1, 0], [1, 1]]),
        lambda: d.MultivariateNormalFullCovariance([1, 2]),
        lambda: d.VectorExponentialDiag([1, 2], [1, 2]),
        lambda: d.VectorLaplaceDiag(scale_diag=[1, 2]),
        lambda: d.QuantizedDistribution(d.Categorical([1.0]), 0, 1),
        lambda: d.MixtureSameFamily(d.Categorical([1.0]), normal()),
        lambda: d.MixtureSameFamily(normal(), d.Normal([0.0], 1.0)),
        lambda: d.MixtureSameFamily(d.Categorical([1.0, 2.0, 3.0]), d.Normal([0.0, 1.0], 1.0)),
        lambda: d.kl_divergence(normal(), d.Geometric(0.5)),
        lambda: b.Reshape([3, -1, -1]),
        lambda: b.Reshape([2, 2], [3]).forward_event_shape(tf.TensorShape([3])),
        lambda: b.Permute([0, 0]),
        lambda: b.Permute([0.0, 1.0]),
        lambda: b.Affine(scale_tril=[[1, 0], [1, 1]]),
        lambda: b.Softsign().inverse_log_det_jacobian(0.5, -1),
        lambda: b.CholeskyOuterProduct().forward(_unknown(tf)),
        lambda: b.Invert(b.Exp()).forward_min_event_ndims,
        lambda: b.Inline(forward_fn=tf.exp).inverse(1.0),
        lambda: b.Ordered().forward(1.0),
    )


class _Told(logging.Handler):
    """Also records log messages with the word "deprecated", which a Stage drops."""

    def __init__(self, stage):
        super().__init__()
        self.stage = stage

    def emit(self, record):
        text = record.getMessage()
        if "input_size" in text or "concatenated state" in text:
            self.stage.say("told", record.levelname, text.replace("deprecated", "old"))


def cells(tf, stage):
    logging.getLogger("tensorflow").addHandler(_Told(stage))
    of = tf.contrib.rnn
    cell = tf.nn.rnn_cell
    wide = lambda: cell.BasicLSTMCell(2, state_is_tuple=False)  # noqa: E731

    def stepped(made):
        result, state = made(tf.ones([2, 3]), made.zero_state(2, tf.float32))
        return str(result.shape), str(
            tf.contrib.framework.nest.map_structure(lambda s: s.shape, state)
        )

    for make in (
        lambda: of.AttentionCellWrapper(cell.GRUCell(2), 2, state_is_tuple=False),
        lambda: of.AttentionCellWrapper(wide(), 2, 3, 4, 5, state_is_tuple=False),
        lambda: of.LayerNormBasicLSTMCell(2, input_size=3),
        lambda: of.LayerNormBasicLSTMCell(2, 0.5, 3, tf.sigmoid, False),
        lambda: of.InputProjectionWrapper(cell.GRUCell(2), 4, input_size=3),
        lambda: of.OutputProjectionWrapper(cell.GRUCell(2), 4),
        lambda: of.EmbeddingWrapper(cell.GRUCell(2), 0, 1),
        lambda: of.CoupledInputForgetGateLSTMCell(2, state_is_tuple=False),
        lambda: of.CoupledInputForgetGateLSTMCell(2, num_proj=3, state_is_tuple=False),
        lambda: of.GridLSTMCell(
            2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1], state_is_tuple=False
        ),
        lambda: of.BidirectionalGridLSTMCell(
            2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1], state_is_tuple=False
        ),
        lambda: of.GridLSTMCell(2),
        lambda: of.LSTMBlockCell(2, reuse=True),
        lambda: cell.MultiRNNCell([wide(), cell.GRUCell(2)], state_is_tuple=False),
        lambda: of.GLSTMCell(3, number_of_groups=2),
        lambda: of.GLSTMCell(4, num_proj=3, number_of_groups=2),
        lambda: of.GLSTMCell(4, number_of_groups=2),
        lambda: of.ConvLSTMCell(2, [3, 1], 2, [2]),
        lambda: of.UGRNNCell(2),
    ):
        with tf.Graph().as_default():
            stage.attempt(lambda: stepped(make()))  # noqa: B023  called here
    steps = tf.placeholder(tf.float32, [None, 2, None])
    stage.attempts(
        lambda: of.LSTMBlockFusedCell(2)(steps, dtype=tf.float32),
        lambda: of.LSTMBlockFusedCell(2)(tf.ones([2, 2, 2])),
        lambda: of.LSTMBlockFusedCell(2)(tf.ones([2, 2, 2]), tf.ones([2, 2])),
        lambda: of.LSTMBlockFusedCell(2)(tf.ones([2, 2]), dtype=tf.float32),
        lambda: of.TimeReversedFusedRNN(of.LSTMBlockFusedCell(2))(tf.ones([2, 2])),
        lambda: of.FusedRNNCellAdaptor(cell.GRUCell(2))(tf.ones([2, 2, 2])),
        lambda: of.stack_bidirectional_rnn([], [], []),
        lambda: of.stack_bidirectional_rnn(None, [], []),
        lambda: of.stack_bidirectional_rnn([cell.GRUCell(2)], None, []),
        lambda: of.stack_bidirectional_rnn([cell.GRUCell(2)], [cell.GRUCell(2)] * 2, []),
        lambda: of.stack_bidirectional_rnn([cell.GRUCell(2)], [cell.GRUCell(2)], [], [1, 2]),
        lambda: of.stack_bidirectional_rnn([cell.GRUCell(2)], [cell.GRUCell(2)], [], None, 3),
        lambda: of.transpose_batch_time(tf.ones([2])),
    )


def sequences(tf, stage):
    of = tf.contrib.seq2seq
    memory = tf.ones([2, 3, 4])

    class Own(of.Helper):
        batch_size = property(lambda self: super().batch_size)
        sample_ids_shape = property(lambda self: super().sample_ids_shape)
        sample_ids_dtype = property(lambda self: super().sample_ids_dtype)
        initialize = sample = next_inputs = None

    own = Own()
    step = lambda: of.LuongAttention(4, memory)  # noqa: E731
    cell = tf.nn.rnn_cell.GRUCell(4)
    stage.attempts(
        lambda: of.Helper(),
        lambda: own.batch_size,
        lambda: own.sample_ids_shape,
        lambda: own.sample_ids_dtype,
        lambda: of.LuongAttention(4, memory, probability_fn=3),
        lambda: of.BahdanauAttention(4, memory, probability_fn="none"),
        lambda: of.LuongAttention(4, tf.placeholder(tf.float32, [2, 3, None])),
        lambda: of.LuongAttention(3, memory)(tf.ones([2, 4]), tf.zeros([2, 3])),
        lambda: of.AttentionWrapper(cell, 3),
        lambda: of.AttentionWrapper(cell, [step(), 3]),
        lambda: of.AttentionWrapper(3, step()),
        lambda: of.AttentionWrapper(cell, step(), cell_input_fn=3),
        lambda: of.AttentionWrapper(cell, step(), attention_fn=3),
        lambda: of.AttentionWrapper(cell, [step(), step()], attention_layer_size=[1]),
        lambda: of.AttentionWrapper(cell, [step(), step()], attention_layer=[tf.layers.Dense(3)]),
        lambda: of.AttentionWrapper(cell, step(), initial_cell_state=tf.ones([3, 4])).zero_state(
            2, tf.float32
        ),
        lambda: of.AttentionWrapper(cell, step()).call(tf.ones([2, 4]), 3),
        lambda: of.TrainingHelper(tf.ones([2, 3, 4]), [[3]]),
        lambda: of.ScheduledEmbeddingTrainingHelper(memory, [3, 3], memory[0], [0.5]),
        lambda: of.ScheduledOutputTrainingHelper(memory, [3, 3], [0.5]),
        lambda: of.ScheduledOutputTrainingHelper(memory, [3, 3], 0.5, next_inputs_fn=None),
        lambda: of.GreedyEmbeddingHelper(memory[0], [[1]], 1),
        lambda: of.GreedyEmbeddingHelper(memory[0], [1], [1]),
        lambda: of.SampleEmbeddingHelper(memory[0], [1, 1], 1).sample(0, 3, None),
        lambda: of.InferenceHelper(None, [4], tf.float32, [[1]], None),
        lambda: of.BasicDecoder(3, None, None),
        lambda: of.BasicDecoder(cell, None, None),
        lambda: of.BasicDecoder(cell, own, None, output_layer=3),
        lambda: of.dynamic_decode(3),
        lambda: of.dynamic_decode(
            of.BasicDecoder(
                cell, of.TrainingHelper(memory, [3, 3]), cell.zero_state(2, tf.float32)
            ),
            maximum_iterations=[2],
        ),
        lambda: of.BeamSearchDecoder(3, memory[0], [1, 1], 1, None, 2),
        lambda: of.BeamSearchDecoder(cell, memory[0], [1, 1], 1, None, 2, output_layer=3),
        lambda: of.BeamSearchDecoder(cell, memory[0], [[1]], 1, None, 2),
        lambda: of.BeamSearchDecoder(cell, memory[0], [1, 1], [1], None, 2),
        lambda: of.tile_batch(3.0, 2),
        lambda: of.tile_batch(_unknown(tf), 2),
        lambda: of.monotonic_attention(memory, memory, "none"),
        lambda: of.safe_cumprod(memory, axis=9),
    )


def columns(tf, stage):
    of = tf.contrib.layers
    real = of.real_valued_column("x", 2)
    word = of.sparse_column_with_hash_bucket("word", 4)
    parts = of.bucketized_column(of.real_valued_column("x"), [0.0, 1.0])
    weighted = of.weighted_sparse_column(word, "w")
    crossed = of.crossed_column([word, parts], 5)
    whole = of.sparse_column_with_integerized_feature("number", 3)
    embedded = of.embedding_column(word, 2)
    one_hot, crossed_one_hot = of.one_hot_column(word), of.one_hot_column(crossed)
    series = {"x": tf.ones([2, 3, 2]), "word": tf.SparseTensor([[0, 0, 0]], ["a"], [2, 3, 1])}
    given = {
        "x": tf.ones([2, 2]),
        "word": tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1]),
        "w": tf.SparseTensor([[0, 0], [1, 0]], [0.5, 2.0], [2, 1]),
        "number": tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 2], tf.int64), [2, 1]),
    }
    columns = [real, word, parts, weighted, crossed, whole, embedded, one_hot, crossed_one_hot]
    for column in columns:
        stage.say(column.name)
        stage.attempts(
            lambda: [x.shape for x in [of.input_from_feature_columns(given, [column])]],  # noqa: B023
            lambda: of.weighted_sum_from_feature_columns(given, [column], 2)[0].shape,  # noqa: B023
            lambda: of.joint_weighted_sum_from_feature_columns(given, [column], 2)[0].shape,  # noqa: B023
            lambda: of.sequence_input_from_feature_columns(series, [column]).shape,  # noqa: B023
            lambda: of.input_from_feature_columns({}, [column]),  # noqa: B023
            lambda: of.weighted_sum_from_feature_columns({}, [column], 2),  # noqa: B023
            lambda: of.one_hot_column(column).name,  # noqa: B023
            lambda: of.bucketized_column(column, [0.0]).name,  # noqa: B023
            lambda: of.weighted_sparse_column(column, "w").name,  # noqa: B023
            lambda: of.crossed_column([column, "y"], 3),  # noqa: B023
            lambda: of.check_feature_columns([column, column]),  # noqa: B023
            lambda: [c.name for c in of.shared_embedding_columns([column, word], 2)],  # noqa: B023
        )


def optimizers(tf, stage):
    of = tf.contrib.opt
    descent = tf.train.GradientDescentOptimizer(0.5)
    clip = of.VariableClippingOptimizer
    for make in (
        lambda v: of.ShampooOptimizer(gbar_decay=0.5),
        lambda v: of.ShampooOptimizer(mat_gbar_decay=0.5),
        lambda v: of.MultitaskOptimizerWrapper(3),
        lambda v: of.LazyAdamGSOptimizer(0, 0.1),
        # A reference variable may be decayed before or after it is gathered.
        lambda v: of.MomentumWOptimizer(0.01, 0.1, 0.9) if v.op.type == "VarHandleOp" else descent,
        lambda v: clip(descent, {v: [1]}, 0.5),
        lambda v: clip(descent, {v: [0, 1]}, 0.5, True),
        lambda v: clip(descent, {v: [0]}, 0.5, colocate_clip_ops_with_vars=True),
        lambda v: of.DropStaleGradientOptimizer(descent, 0),
    ):
        for held in (False, True):
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                v = tf.get_variable("v", initializer=np.ones([3, 2], np.float32), use_resource=held)
                step = tf.train.get_or_create_global_step()
                loss = tf.reduce_sum(tf.nn.embedding_lookup(v, [0, 2]) ** 2)
                train = make(v).minimize(loss, step, [v])
                session.run(tf.global_variables_initializer())
                session.run(train)
                stage.say(session.run([v, step]))
                stage.brief_graph(names=False)
    v = tf.get_variable("v", initializer=np.ones([3, 2], np.float32))
    for options in ({"jac": 1}, {"bounds": 1}, {"method": "none"}):
        with tf.Session() as session, stage.failing():
            session.run(tf.global_variables_initializer())
            made = of.ScipyOptimizerInterface(tf.reduce_sum(v**2), [v])
            made.optimizer_kwargs.update(options)
            made.minimize(session)


def settings(tf, stage):
    H = tf.contrib.training.HParams
    parse = tf.contrib.training.parse_values
    stage.attempts(
        lambda: parse("a[0]=[1,2]", {"a": int}),
        lambda: parse("a[0]=1,a[0]=2", {"a": int}),
        lambda: parse("a[0]=1,a=[2]", {"a": int}),
        lambda: parse("a=[2],a[0]=1", {"a": int}),
        lambda: parse("a[x]=1", {"a": int}),
        lambda: parse("a=[1", {"a": int}),
        lambda: parse("b=1", {"a": int}, ignore_unknown=True),
        lambda: parse("a=1.5", {"a": int}),
        lambda: parse("a=yes", {"a": bool}),
        lambda: parse("a=true,b=0", {"a": bool, "b": bool}),
        lambda: H(a=[1, 2]).parse("a[1]=5").a,
        lambda: H(a=1).parse("a[0]=5").a,
        lambda: H(a=1.0).set_hparam("a", 3),
        lambda: H(a=True).set_hparam("a", 3),
        lambda: H(a="x").set_hparam("a", 3),
        lambda: H(a=None).parse("a=3"),
        lambda: H(a=[]),
        lambda: H(get=3),
        lambda: H(a=[1]).get("a", 2),
        lambda: H(a=[1]).get("a", [1.5]),
        lambda: H(a=1).get("a", []),
    )
    states = {"s": tf.zeros([2])}
    batch = tf.contrib.training.batch_sequences_with_states
    whole = {
        "input_key": "k",
        "input_sequences": {"x": tf.ones([4, 2])},
        "input_context": {},
        "input_length": 4,
    }
    whole.update(initial_states=states, num_unroll=2, batch_size=1)
    for changed in (
        {"input_sequences": [tf.ones([4, 2])]},
        {"input_sequences": {3: tf.ones([4, 2])}},
        {"num_unroll": "2"},
        {"num_unroll": 0},
        {"batch_size": -1},
        {"input_sequences": {"x": tf.constant(3.0)}},
        {"input_sequences": {"x": tf.ones([5, 2])}, "pad": False},
        {"input_length": [4]},
        {"input_length": 4.0},
        {"initial_states": {}},
        {"initial_states": {3: tf.zeros([2])}},
        {"input_context": {"c": 3}, "input_key": 3},
        {"capacity": -1},
        {"input_sequences": {}},
    ):
        with stage.failing():
            stage.say(type(batch(**{**whole, **changed})).__name__)


def graphs(tf, stage):
    edit = tf.contrib.graph_editor
    a = tf.constant([1.0], name="a")
    b = tf.add(a, 1.0, name="b")
    c = tf.add(b, 1.0, name="c")
    with tf.control_dependencies([a]):
        d = tf.add(c, b, name="d")
    tf.square(d, name="e")
    graph, fuse = tf.get_default_graph(), tf.contrib.framework.fuse_op
    outputs = edit.ControlOutputs(graph)
    stage.attempts(
        lambda: edit.get_walks_union_ops(
            [a.op], [d.op], control_ios=outputs, control_outputs=outputs
        ),
        lambda: edit.get_within_boundary_ops([a.op, b.op, c.op, d.op], [b.op], [b.op, d.op]),
        *[
            lambda given=given: fuse(graph.as_graph_def(), *given, [1], False, "new", "Own").node[
                -1
            ]
            for given in (
                (["b"], ["e"]),
                (["a", "b"], ["e"]),
                (["a", "b", "c"], ["e"]),
                (["none"], ["e"]),
            )
        ],
    )
    field = tf.contrib.receptive_field.compute_receptive_field_from_graph_def
    x = tf.placeholder(tf.float32, [1, 8, 8, 1], name="x")
    weights = tf.ones([3, 3, 1, 1])
    two = tf.Variable(tf.ones([3, 3, 1, 1]), name="two")
    moved = tf.Variable(tf.ones([3, 3, 1, 1]), name="moved", use_resource=True)
    sizes = tf.placeholder_with_default([[0, 0], [1, 1], [1, 1], [0, 0]], [4, 2])
    named = tf.identity(sizes, name="named/paddings")
    for y in (
        tf.nn.conv2d(x, weights, 1, "SAME"),
        tf.nn.conv2d(x, tf.identity(two, name="two/own/read"), 1, "SAME"),
        tf.nn.conv2d(x, two, 1, "SAME"),
        tf.nn.conv2d(x, moved, 2, "VALID"),
        tf.nn.conv2d(x, two, 1, [[0, 0], [1, 1], [1, 1], [0, 0]]),
        tf.pad(x, sizes),
        tf.pad(x, named),
        tf.pad(x, [[1, 0], [1, 1], [1, 1], [0, 0]]),
        tf.pad(x, [[0, 0], [1, 2], [3, 4], [0, 0]]),
        tf.nn.max_pool2d(x, [1, 2, 3, 1], [1, 2, 2, 1], "SAME"),
        tf.nn.max_pool2d(x, [1, 3, 3, 1], [1, 3, 2, 1], "SAME"),
        tf.nn.conv3d(x[None], weights[None], [1] * 5, "SAME"),
        tf.reshape(x, [1, 64]),
    ):
        stage.attempt(lambda: list(field(tf.get_default_graph().as_graph_def(), "x", y.op.name)))  # noqa: B023
    stage.attempts(
        lambda: tf.contrib.image.dense_image_warp(tf.ones([1, 3, 3]), tf.ones([1, 3, 3, 2])),
        lambda: tf.contrib.image.dense_image_warp(tf.ones([1, 1, 3, 1]), tf.ones([1, 1, 3, 2])),
        lambda: tf.contrib.image.dense_image_warp(tf.ones([1, 3, 3, 1]), tf.ones([1, 3, 3, 3])),
    )
    pruned = tf.contrib.model_pruning
    for options in (
        "begin_pruning_step=-1",
        "begin_pruning_step=3,end_pruning_step=2",
        "sparsity_function_begin_step=-1",
        "sparsity_function_begin_step=5,sparsity_function_end_step=5",
        "threshold_decay=1.0",
        "initial_sparsity=-0.5",
        "target_sparsity=1.5",
        "begin_pruning_step=3,end_pruning_step=-1",
    ):
        stage.attempt(
            lambda: type(pruned.Pruning(pruned.get_pruning_hparams().parse(options))).__name__  # noqa: B023
        )
    with tf.variable_scope("masked"):
        w = tf.get_variable("w", [2, 2])
        pruned.apply_mask(w)
    tf.add_to_collection("thresholds", w)
    stage.attempt(lambda: pruned.Pruning().mask_update_op())
