"""Keras without models: losses, metrics, optimizers, schedules, texts and sequences."""

import numpy as np

X = np.array([[0.2, 0.7, 0.1], [0.5, 0.3, 0.2]], np.float32)
Y = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], np.float32)


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    K = tf.keras
    L, M, opt = K.losses, K.metrics, K.optimizers
    texts, sequences = K.preprocessing.text, K.preprocessing.sequence

    def after(metric, *updates):
        made = [metric.update_state(*[tf.constant(v) for v in update]) for update in updates]
        result = metric.result()
        with tf.Session() as session:
            session.run(tf.variables_initializer(metric.variables))
            for update in made:
                session.run(update)
            return session.run(result)

    def stepped(optimizer, gradient=None, constraint=None):
        with tf.Graph().as_default():  # a tape's gradients are other nodes
            v = tf.Variable([1.0, 2.0], use_resource=True, constraint=constraint)
            loss = (lambda: tf.reduce_sum(v * v)) if gradient is None else gradient(v)
            update = optimizer.minimize(loss, [v])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(update)
                return session.run(v)

    def sparse_gradient(v):
        return lambda: tf.reduce_sum(tf.gather(v, [1]) ** 2)

    def made_again(optimizer):
        return sorted(type(optimizer).from_config(optimizer.get_config()).get_config().items())

    def tokens(**options):
        made = texts.Tokenizer(**options)
        made.fit_on_texts(["a b b c", "b, d!"])
        return made

    def of_sequences(mode):
        made = texts.Tokenizer(num_words=4)
        made.fit_on_sequences([[1, 2, 2], [1, 3]])
        return made.sequences_to_matrix([[1, 2, 2], [3]], mode).tolist()

    pad = sequences.pad_sequences
    schedules = (
        opt.schedules.ExponentialDecay(0.1, 2, 0.5, True),
        opt.schedules.PiecewiseConstantDecay([1, 2], [0.1, 0.2, 0.3]),
        opt.schedules.PolynomialDecay(0.1, 4, 0.01, 2.0, True),
        opt.schedules.InverseTimeDecay(0.1, 2, 0.5),
    )
    add(
        "losses",
        *[
            lambda f=f: getattr(L, f)()(Y, X, np.array([1.0, 3.0], np.float32))
            for f in (
                "MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError "
                "BinaryCrossentropy CategoricalCrossentropy Hinge SquaredHinge CategoricalHinge Poisson LogCosh "
                "KLDivergence Huber CosineSimilarity"
            ).split()
        ],
    )
    add(
        "lost",
        lambda: L.serialize(L.mean_squared_error),
        lambda: sorted(L.serialize(L.Huber(2.0))["config"].items()),
        lambda: L.deserialize("mse")(Y, X),
        lambda: L.deserialize({"class_name": "Huber", "config": {"delta": 2.0}})(Y, X),
        lambda: L.get("some"),
        lambda: L.get(3),
        lambda: L.get(None),
        lambda: L.get({"class_name": "Hinge", "config": {}})(Y, X),
        lambda: L.BinaryCrossentropy(label_smoothing=0.2)(Y, X),
        lambda: L.CategoricalCrossentropy(True, 0.2)(Y, X),
        lambda: L.SparseCategoricalCrossentropy(True)([1, 0], X),
        lambda: L.MeanSquaredError("sum")(Y, X),
        lambda: L.MeanSquaredError("none")(Y, X),
        lambda: L.MeanSquaredError("some"),
        lambda: L.Huber(0.1)(Y, X),
    )
    one_column = (
        "Accuracy BinaryAccuracy MeanSquaredError RootMeanSquaredError MeanAbsoluteError LogCoshError Poisson "
        "AUC Precision Recall TruePositives FalsePositives TrueNegatives FalseNegatives CosineSimilarity "
        "MeanSquaredLogarithmicError Hinge SquaredHinge CategoricalHinge KLDivergence BinaryCrossentropy "
        "CategoricalCrossentropy CategoricalAccuracy TopKCategoricalAccuracy"
    )
    add(
        "metrics", *[lambda f=f: after(getattr(M, f)(), (Y, X), (X, X)) for f in one_column.split()]
    )
    weights = np.array([1.0, 3.0], np.float32)
    add(
        "weighted",
        *[
            lambda f=f: after(getattr(M, f)(), (Y, X, weights))
            for f in (
                "BinaryAccuracy",
                "MeanSquaredError",
                "CategoricalAccuracy",
                "RootMeanSquaredError",
            )
        ],
    )
    add(
        "measured",
        lambda: after(M.Mean(), (X, weights)),
        lambda: after(M.Sum(), (X, weights)),
        lambda: after(M.Sum(), (X,)),
        lambda: M.MeanTensor().result(),
        lambda: M.MeanTensor().total,
        lambda: after(M.MeanRelativeError([1.0, 3.0]), ([1.0, 2.0], [3.0, 4.0])),
        lambda: after(M.MeanRelativeError([1.0, 3.0]), ([1.0], [3.0])),
        lambda: after(M.MeanIoU(2), ([0, 1, 1], [1, 1, 0])),
        lambda: after(M.MeanIoU(2), ([[0], [1]], [[1], [1]], [[0.5], [0.25]])),
        lambda: sorted(M.MeanIoU(2).get_config().items(), key=str),
        lambda: after(M.SensitivityAtSpecificity(0.5), ([0, 1, 1], [0.1, 0.9, 0.4])),
        lambda: after(M.SpecificityAtSensitivity(0.5), ([0, 1, 1], [0.1, 0.9, 0.4])),
        lambda: M.SensitivityAtSpecificity(1.5),
        lambda: M.SensitivityAtSpecificity(0.5, 0),
        lambda: after(M.AUC(4, "PR", "minoring"), ([0, 1, 1], [0.1, 0.9, 0.4])),
        lambda: after(M.AUC(thresholds=[0.3, 0.6]), ([0, 1, 1], [0.1, 0.9, 0.4])),
        lambda: M.AUC(1),
        lambda: M.AUC(curve="some"),
        lambda: M.AUC(summation_method="some"),
        lambda: M.AUC(thresholds=[2.0]),
        lambda: after(M.Precision(top_k=1), (Y, X)),
        lambda: after(M.Recall(class_id=1, thresholds=[0.1, 0.5]), (Y, X)),
        lambda: M.Precision(2.0),
        lambda: after(M.SparseCategoricalAccuracy(), ([1, 0], X)),
        lambda: after(M.SparseTopKCategoricalAccuracy(1), ([1, 0], X)),
        lambda: after(M.SparseCategoricalCrossentropy(), ([1, 0], X)),
        lambda: after(M.Accuracy(), (np.array([1, 2]), np.array([1.0, 3.0]))),
        lambda: M.serialize(M.binary_accuracy),
        lambda: sorted(M.serialize(M.BinaryAccuracy(threshold=0.3))["config"].items(), key=str),
        lambda: M.deserialize("mse")(Y, X),
        lambda: M.get("some"),
        lambda: M.get(3),
        lambda: type(M.get({"class_name": "Mean", "config": {}})).__name__,
        lambda: M.Metric().result(),
    )
    add(
        "optimizers",
        *[
            lambda f=f, g=g: stepped(getattr(opt, f)(0.1), g)
            for f in "SGD RMSprop Adagrad Adadelta Adam Adamax Nadam Ftrl".split()
            for g in (None, sparse_gradient)
        ],
    )
    add(
        "optimized",
        *[lambda s=s: stepped(opt.SGD(s)) for s in schedules],
        *[lambda s=s: [s(0), s(3), s(tf.constant(9))] for s in schedules],
        *[lambda s=s: sorted(s.get_config().items(), key=str) for s in schedules],
        *[
            lambda s=s: sorted(type(s).from_config(s.get_config()).get_config().items(), key=str)
            for s in schedules
        ],
    )
    add(
        "updates",
        lambda: made_again(opt.SGD(0.1, clipnorm=1.0)),
        lambda: made_again(opt.SGD(lr=0.1, decay=0.5, clipvalue=1.0)),
        lambda: made_again(opt.SGD(lambda: 0.5)),
        lambda: made_again(opt.Adam(schedules[0])),
        lambda: stepped(opt.SGD(0.1, clipnorm=1.0)),
        lambda: stepped(opt.SGD(0.1, clipvalue=1.0)),
        lambda: stepped(opt.SGD(lambda: 0.5)),
        lambda: stepped(opt.SGD(0.1, momentum=0.9, nesterov=True)),
        lambda: stepped(opt.SGD(0.1, decay=0.5)),
        lambda: stepped(opt.RMSprop(0.1, momentum=0.9, centered=True)),
        lambda: stepped(opt.Adam(0.1, amsgrad=True)),
        lambda: stepped(opt.SGD(0.1), constraint=tf.keras.constraints.NonNeg()),
        lambda: stepped(opt.SGD(0.1), sparse_gradient, tf.keras.constraints.NonNeg()),
        lambda: stepped(opt.SGD(0.1), lambda v: lambda: tf.constant(1.0)),
        lambda: stepped(opt.SGD(0.1), lambda v: lambda: tf.reduce_sum(tf.round(v))),
        lambda: opt.SGD(0.1).get_updates(tf.constant(1.0), [tf.Variable(1.0, use_resource=True)]),
        lambda: opt.SGD(0.1).get_gradients(tf.constant(1.0), [tf.Variable(1.0, use_resource=True)]),
        lambda: opt.SGD(0.1, some=3),
        lambda: opt.SGD(0.1, clipnorm=-1.0),
        lambda: opt.SGD(0.1, momentum=2.0),
        lambda: opt.SGD(0.1).some,
        lambda: opt.SGD(0.1).set_weights([1.0]),
        lambda: opt.SGD(0.1).get_weights(),
        lambda: [v.name for v in opt.SGD(0.1).variables()],
        lambda: opt.get("some"),
        lambda: opt.get(3),
        lambda: type(opt.get({"class_name": "SGD", "config": {}})).__name__,
        lambda: type(opt.get(tf.train.GradientDescentOptimizer(0.1))).__name__,
        lambda: opt.get(tf.train.GradientDescentOptimizer(0.1)).get_config(),
        lambda: opt.get(tf.train.GradientDescentOptimizer(0.1)).weights,
        lambda: opt.serialize(opt.Adagrad(0.1))["class_name"],
        lambda: opt.deserialize({"class_name": "adam", "config": {"lr": 0.5}}).get_config()[
            "learning_rate"
        ],
        lambda: opt.schedules.LearningRateSchedule()(1),
        lambda: opt.schedules.PiecewiseConstantDecay([1, 2], [0.1]),
        lambda: sorted(opt.schedules.serialize(schedules[0])["config"].items(), key=str),
        lambda: opt.schedules.deserialize({"class_name": "Some", "config": {}}),
    )
    add(
        "texts",
        lambda: texts.text_to_word_sequence("A b, c!", lower=False, split=","),
        lambda: len(texts.one_hot("a b c", 5)),
        lambda: texts.hashing_trick("a b c", 5, "md5"),
        lambda: texts.Tokenizer(some=3),
        lambda: sorted(tokens().word_index.items()),
        lambda: tokens(num_words=3).texts_to_sequences(["a b c d"]),
        lambda: tokens(num_words=3, oov_token="?").texts_to_sequences(["a b c e"]),
        lambda: tokens(num_words=3, oov_token="?").sequences_to_texts([[1, 2, 3, 9]]),
        lambda: tokens(num_words=3).sequences_to_texts([[1, 2, 3, 9]]),
        lambda: tokens(char_level=True).texts_to_sequences(["ab"]),
        lambda: tokens(lower=False, char_level=True).texts_to_sequences(["aB"]),
        *[
            lambda m=m: tokens().texts_to_matrix(["a b b"], m).tolist()
            for m in ("binary", "count", "freq", "tfidf", "some")
        ],
        *[lambda m=m: of_sequences(m) for m in ("binary", "count", "freq", "tfidf")],
        lambda: texts.Tokenizer().sequences_to_matrix([[1]]),
        lambda: texts.Tokenizer(3).sequences_to_matrix([[1]], "tfidf"),
        lambda: pad([[1], [2, 3]]).tolist(),
        lambda: pad([[1], [2, 3]], 3, "float32", "post", "post", 7.0).tolist(),
        lambda: pad([[1], [2, 3]], 1, truncating="some").tolist(),
        lambda: pad([[1], [2, 3]], padding="some").tolist(),
        lambda: pad(3),
        lambda: pad([3]),
        lambda: pad([[1]], value="a"),
        lambda: [
            x.tolist()
            for x in sequences.TimeseriesGenerator(np.arange(6), np.arange(6), 2, batch_size=2)[1]
        ],
        lambda: sequences.TimeseriesGenerator(np.arange(6), np.arange(5), 2),
        lambda: sequences.TimeseriesGenerator(np.arange(6), np.arange(6), 7),
        lambda: sequences.make_sampling_table(4).tolist(),
        lambda: tf.keras.utils.to_categorical([0, 2], 3).tolist(),
        lambda: tf.keras.utils.to_categorical([[0], [2]]).tolist(),
        lambda: tf.keras.utils.normalize(X, 1, 1).tolist(),
    )
    return found
