"""tf.keras: losses, metrics, layers, callbacks and utilities with options that are not the default."""

import numpy as np

X = np.random.RandomState(3).rand(4, 3).astype(np.float32)
Y = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]
STEPS = np.random.RandomState(4).randn(2, 3, 4).astype(np.float32)


def programs(tf):
    K = tf.keras
    L, losses, metrics, backend = K.layers, K.losses, K.metrics, K.backend
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def metric(made, *args, **options):
        update = made.update_state(*args, **options)
        with tf.Session() as session:
            session.run([v.initializer for v in made.variables])
            session.run(update)
            session.run(update)
            return session.run(made.result())

    def config(layer):
        return {k: str(v) for k, v in layer.get_config().items() if k != "name"}

    def model():
        given = L.Input([3])
        left, right = L.Dense(2)(given), L.Dense(2, use_bias=False)(given)
        return K.Model(given, L.Add()([left, right]))

    def lines(made, **options):
        said = []
        made.summary(print_fn=said.append, **options)
        return said

    weights = [1.0, 0.0, 2.0, 0.5]
    kinds = (
        *("MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "Poisson"),
        *("MeanSquaredLogarithmicError", "KLDivergence", "CosineSimilarity", "LogCosh", "Huber"),
        *(
            "Hinge",
            "SquaredHinge",
            "CategoricalHinge",
            "BinaryCrossentropy",
            "CategoricalCrossentropy",
        ),
    )
    add(
        "losses",
        *[
            lambda k=k, r=r: getattr(losses, k)(reduction=r)(Y, X, weights)
            for k in kinds
            for r in ("sum", "none", "sum_over_batch_size")
        ],
        lambda: losses.Huber(0.1)(Y, X),
        lambda: losses.BinaryCrossentropy(True, 0.2)(Y, X),
        lambda: losses.CategoricalCrossentropy(True, 0.2)(Y, X),
        lambda: losses.SparseCategoricalCrossentropy(True)([0, 2, 1, 1], X),
        lambda: losses.CosineSimilarity(axis=0)(Y, X),
        lambda: losses.MeanSquaredError(reduction="other"),
        lambda: losses.MeanSquaredError()(Y, X, [1.0, 2.0]),
        lambda: losses.get("none"),
        lambda: losses.get(3),
        lambda: losses.get({"class_name": "Huber", "config": {"delta": 3.0}}).get_config(),
    )
    add(
        "metrics",
        *[
            lambda k=k: metric(getattr(metrics, k)(), Y, X, sample_weight=weights)
            for k in (
                "MeanSquaredError",
                "MeanAbsoluteError",
                "RootMeanSquaredError",
                "CosineSimilarity",
                "LogCoshError",
                "Poisson",
                "KLDivergence",
                "Hinge",
                "CategoricalAccuracy",
                "CategoricalCrossentropy",
            )
        ],
        lambda: metric(metrics.BinaryAccuracy(threshold=0.3), Y, X),
        lambda: metric(metrics.TopKCategoricalAccuracy(2), Y, X, sample_weight=weights),
        lambda: metric(metrics.SparseTopKCategoricalAccuracy(2), [0, 2, 1, 1], X),
        lambda: metric(metrics.Precision([0.2, 0.6]), Y, X),
        lambda: metric(metrics.Precision(top_k=1, class_id=1), Y, X),
        lambda: metric(metrics.Recall(0.4, class_id=2), Y, X, sample_weight=weights),
        lambda: metric(metrics.TruePositives([0.3, 0.8]), Y, X, sample_weight=weights),
        lambda: metric(metrics.FalseNegatives(0.7), Y, X),
        lambda: metric(metrics.AUC(5, "PR"), Y, X),
        lambda: metric(metrics.AUC(5, summation_method="majoring"), Y, X),
        lambda: metric(metrics.AUC(thresholds=[0.2, 0.6]), Y, X),
        lambda: metric(metrics.SensitivityAtSpecificity(0.4, 5), Y, X),
        lambda: metric(metrics.SpecificityAtSensitivity(0.4, 5), Y, X),
        lambda: metric(metrics.MeanIoU(3), [0, 1, 2], [0, 2, 2], sample_weight=[1, 2, 3]),
        lambda: metric(metrics.MeanRelativeError(Y + 1), Y, X),
        lambda: metric(metrics.MeanTensor(), X, sample_weight=[[1.0], [0.0], [2.0], [3.0]]),
        lambda: metric(metrics.Sum(), X, sample_weight=[[1.0], [0.0], [2.0], [3.0]]),
        lambda: metrics.AUC(1),
        lambda: metrics.AUC(curve="XY"),
        lambda: metrics.AUC(summation_method="some"),
        lambda: metrics.AUC(thresholds=[-0.1]),
        lambda: metrics.Precision(1.5),
        lambda: metrics.SensitivityAtSpecificity(2.0),
        lambda: metrics.SensitivityAtSpecificity(0.5, 0),
        lambda: metrics.get("none"),
        lambda: {
            k: str(v) for k, v in metrics.Precision([0.2, 0.6], 2, 1, "n").get_config().items()
        },
    )
    add(
        "layers",
        *[
            lambda c=c, o=o: c(2, kernel_initializer="ones", recurrent_initializer="ones", **o)(
                tf.constant(STEPS)
            )
            for c in (L.SimpleRNN, L.GRU, L.LSTM)
            for o in (
                {"return_sequences": True, "go_backwards": True},
                {"activation": "relu", "use_bias": False},
                {"unroll": True, "bias_initializer": "ones"},
                {"return_state": True},
            )
        ],
        lambda: L.GRU(
            2, reset_after=True, recurrent_activation="sigmoid", kernel_initializer="ones"
        )(STEPS),
        lambda: L.LSTM(
            2,
            unit_forget_bias=False,
            implementation=2,
            kernel_initializer="ones",
            recurrent_initializer="ones",
        )(STEPS),
        lambda: L.Bidirectional(
            L.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones"), "mul"
        )(tf.constant(STEPS)),
        lambda: L.Bidirectional(L.SimpleRNN(2), "some"),
        lambda: L.TimeDistributed(L.Dense(2, kernel_initializer="ones"))(tf.constant(STEPS)),
        lambda: L.TimeDistributed(3),
        lambda: L.Embedding(5, 2, "ones", mask_zero=True).compute_mask(tf.constant([[0, 3]])),
        lambda: L.Embedding(5, 2, input_length=3)(tf.constant([[0, 3]])),
        lambda: L.Masking(2.0)(tf.constant([[[2.0, 2.0], [1.0, 2.0]]])),
        lambda: L.Dot(1, normalize=True)([tf.constant(X), tf.constant(Y)]),
        lambda: L.Dot("a"),
        lambda: L.Concatenate(0)([tf.constant(X), tf.constant(Y)]),
        lambda: L.Concatenate()([tf.constant(X)]),
        lambda: L.Subtract()([tf.constant(X)] * 3),
        lambda: L.Average()([tf.constant(X), tf.constant(Y)]),
        lambda: L.Minimum()([tf.constant(X), tf.constant(Y)]),
        lambda: L.Add()([tf.constant(X), tf.constant(STEPS)]),
        lambda: L.Permute([2, 1])(tf.constant(STEPS)),
        lambda: L.Permute([0, 1]),
        lambda: L.Reshape([-1, 2])(tf.constant(STEPS)),
        lambda: L.Reshape([5])(tf.constant(STEPS)),
        lambda: L.RepeatVector(2)(tf.constant(X)),
        lambda: L.Cropping1D([1, 0])(tf.constant(STEPS)),
        lambda: L.Cropping1D([1, 0, 2]),
        lambda: L.ZeroPadding1D([1, 0])(tf.constant(STEPS)),
        lambda: L.UpSampling1D(3)(tf.constant(STEPS)),
        lambda: L.Cropping2D(((1, 0), (0, 1)))(tf.constant(STEPS[None])),
        lambda: L.ZeroPadding2D((1, 2), "channels_first")(tf.constant(STEPS[None])),
        lambda: L.UpSampling2D((2, 1), interpolation="bilinear")(tf.constant(STEPS[None])),
        lambda: L.UpSampling2D(2, interpolation="some"),
        lambda: L.GlobalAveragePooling1D()(tf.constant(STEPS)),
        lambda: L.GlobalMaxPooling1D("channels_first")(tf.constant(STEPS)),
        lambda: L.SeparableConv1D(
            2,
            2,
            2,
            "same",
            depth_multiplier=2,
            depthwise_initializer="ones",
            pointwise_initializer="ones",
        )(tf.constant(STEPS)),
        lambda: L.Conv1D(2, 2, padding="causal", dilation_rate=2, kernel_initializer="ones")(
            tf.constant(STEPS)
        ),
        lambda: L.DepthwiseConv2D(2, 1, "same", 2, depthwise_initializer="ones")(
            tf.constant(STEPS[None])
        ),
        lambda: L.LocallyConnected1D(2, 2, 1, kernel_initializer="ones")(tf.constant(STEPS)),
        lambda: L.LocallyConnected1D(2, 2, padding="same"),
        lambda: L.Attention(use_scale=True)([tf.constant(STEPS), tf.constant(STEPS)]),
        lambda: L.AdditiveAttention(use_scale=False)([tf.constant(STEPS), tf.constant(STEPS)]),
        lambda: L.ActivityRegularization(0.1, 0.2)(tf.constant(X)),
        lambda: [
            config(layer)
            for layer in (
                L.Dense(3, "relu", False, "ones", kernel_regularizer="l2"),
                L.LSTM(2, dropout=0.3, stateful=True),
                L.Conv2D(2, 3, (1, 2), "same", "channels_first"),
                L.BatchNormalization(2, 0.5, 0.1, False),
                L.Dropout(0.3, [1, None], 5),
            )
        ],
        lambda: (
            lambda layer: (
                setattr(layer, "activity_regularizer", tf.nn.l2_loss),
                layer(tf.constant(X)),
                layer.losses,
            )[2]
        )(L.Dense(1, kernel_initializer="ones")),
    )
    add(
        "models",
        lambda: lines(model()),
        lambda: lines(model(), line_length=60, positions=[0.3, 0.6, 0.8, 1.0]),
        lambda: lines(
            K.Sequential(
                [L.Dense(2, input_shape=[3], name="a"), L.Dense(1, trainable=False, name="b")]
            )
        ),
        lambda: model().count_params(),
        lambda: model().get_layer("none"),
        lambda: model().get_layer(),
        lambda: model().get_layer(index=9),
        lambda: model().compile("none", "mse"),
        lambda: model().compile("sgd", "none"),
        lambda: model().compile("sgd", ["mse", "mse"]),
        lambda: model().compile("sgd", {"other": "mse"}),
        lambda: model().compile("sgd", "mse", loss_weights=[1.0, 2.0]),
        lambda: model().compile("sgd", "mse", sample_weight_mode="some"),
        lambda: model().fit(X, X),
        lambda: K.Model(3, 3),
        lambda: K.Sequential([3]),
        lambda: K.Sequential().pop(),
        lambda: K.Model(L.Input([3]), L.Input([3])),
        lambda: model()(tf.ones([1, 4])),
        lambda: L.InputLayer([3], 2, tf.int32, sparse=True).get_config()["batch_input_shape"],
        lambda: L.Input(),
        lambda: L.Input([3], batch_shape=[1, 3]),
        lambda: K.callbacks.ModelCheckpoint("a").load_weights_on_restart,
        lambda: K.callbacks.ModelCheckpoint("a", mode="some").monitor_op.__name__,
        lambda: K.callbacks.ModelCheckpoint("a", "val_acc").monitor_op.__name__,
        lambda: K.callbacks.ModelCheckpoint("a", save_freq="day"),
        lambda: K.callbacks.EarlyStopping("val_acc", -0.5, 3).min_delta,
        lambda: K.callbacks.EarlyStopping("loss", 0.5, mode="max").min_delta,
        lambda: K.callbacks.ReduceLROnPlateau(factor=1.5),
        lambda: K.callbacks.LearningRateScheduler(lambda e: "a").on_epoch_begin(1),
        lambda: K.callbacks.CSVLogger("a", ";", True).sep,
    )
    add(
        "parts",
        *[
            lambda n=n: getattr(K.initializers, n)(seed=5)([3, 2], tf.float32)
            for n in (
                "he_normal",
                "he_uniform",
                "lecun_normal",
                "lecun_uniform",
                "glorot_normal",
                "glorot_uniform",
                "Orthogonal",
            )
        ],
        lambda: K.initializers.VarianceScaling(2.0, "fan_avg", "uniform", 5)([3, 2], tf.float32),
        lambda: K.initializers.VarianceScaling(0.0),
        lambda: K.initializers.VarianceScaling(mode="some"),
        lambda: K.initializers.VarianceScaling(distribution="some"),
        lambda: K.initializers.Identity(2.0)([3, 2], tf.float32),
        lambda: K.initializers.Identity()([3, 2, 1], tf.float32),
        lambda: K.initializers.get("none"),
        lambda: K.regularizers.l1_l2(0.1, 0.2)(tf.constant(X)),
        lambda: K.regularizers.get("none"),
        lambda: K.constraints.MaxNorm(0.5, 1)(tf.constant(X)),
        lambda: K.constraints.MinMaxNorm(0.2, 0.5, 0.7, 1)(tf.constant(X)),
        lambda: K.constraints.UnitNorm(1)(tf.constant(X)),
        lambda: K.constraints.NonNeg()(tf.constant(X - 0.5)),
        lambda: K.activations.relu(tf.constant(X - 0.5), 0.1, 0.3, 0.05),
        lambda: K.activations.elu(tf.constant(X - 0.5), 0.3),
        lambda: K.activations.softmax(tf.constant(X), 0),
        lambda: K.activations.softmax(tf.constant([1.0])),
        lambda: K.activations.hard_sigmoid(tf.constant(X * 9 - 4)),
        lambda: K.activations.get("none"),
        lambda: K.utils.to_categorical([1, 2], 4, "int32"),
        lambda: K.utils.normalize(X, 0, 1),
        lambda: K.preprocessing.sequence.pad_sequences(
            [[1, 2, 3], [4]], 2, padding="post", truncating="post", value=9
        ),
        lambda: K.preprocessing.sequence.pad_sequences([[1]], 2, padding="some"),
        lambda: K.preprocessing.sequence.pad_sequences([1]),
        lambda: K.preprocessing.sequence.skipgrams([1, 2, 3], 4, 1, 0.0, shuffle=False),
        lambda: K.preprocessing.text.text_to_word_sequence("A, b!c", "!", False, ","),
        lambda: K.preprocessing.text.one_hot("a b a", 9, hash_function="md5"),
        lambda: backend.temporal_padding(tf.constant(STEPS), (0, 2)),
        lambda: backend.resize_images(tf.constant(STEPS[None]), 2, 1, "channels_last", "bilinear"),
        lambda: backend.spatial_2d_padding(tf.constant(STEPS[None]), ((1, 0), (0, 1))),
        lambda: backend.categorical_crossentropy(tf.constant(Y), tf.constant(X), True, 0),
        lambda: backend.sparse_categorical_crossentropy(
            tf.constant([0, 2, 1, 1]), tf.constant(X), True
        ),
        lambda: backend.sparse_categorical_crossentropy(
            tf.constant([0, 2, 1, 1]), tf.constant(X), axis=5
        ),
        lambda: backend.binary_crossentropy(tf.constant(Y), tf.constant(Y)),
        lambda: backend.categorical_crossentropy(tf.constant(Y), tf.constant(Y)),
        lambda: backend.in_top_k(tf.constant(X), [0, 1, 2, 0], 2),
        lambda: backend.clip(tf.constant(X), 0.3, 0.2),
        lambda: backend.std(tf.constant(X), 1, True),
        lambda: backend.var(tf.constant(X), 0),
        lambda: backend.logsumexp(tf.constant(X), 1, True),
        lambda: backend.dot(tf.constant(STEPS), tf.ones([4, 2])),
        lambda: backend.batch_dot(tf.constant(STEPS), tf.constant(STEPS), [1, 1]),
        lambda: backend.repeat_elements(tf.constant(X), 2, 1),
        lambda: backend.arange(5, 1, -2, "float32"),
        lambda: backend.one_hot(tf.constant([1]), 3),
        lambda: backend.l2_normalize(tf.constant(X), 1),
        lambda: backend.hard_sigmoid(tf.constant(X)),
        lambda: backend.pool2d(tf.constant(STEPS[None]), (2, 2), (1, 2), "same", pool_mode="avg"),
        lambda: backend.pool2d(tf.constant(STEPS[None]), (2, 2), pool_mode="sum"),
        lambda: backend.bias_add(tf.constant(STEPS), tf.ones([4, 4])),
        lambda: backend.permute_dimensions(tf.constant(STEPS), (2, 0, 1)),
        lambda: backend.switch(tf.constant(True), tf.constant(X), tf.constant(Y)),
    )
    return found
