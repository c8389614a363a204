"""Keras without models: losses, metrics, optimizers, schedules, texts and sequences."""

import numpy as np

from tests.conformance.short_programs import rows, table_of

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
        with tf.Graph().as_default():  # a tape's gradients are different nodes
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
    found.update(rows(
        table_of(__file__),
        tf=tf, L=L, M=M, X=X, Y=Y, after=after, made_again=made_again, np=np, opt=opt, schedules=schedules,
        sparse_gradient=sparse_gradient, stepped=stepped, weights=weights,
    ))  # fmt: skip
    return found
