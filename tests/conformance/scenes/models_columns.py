"""Feature columns: layers of every kind of column, tables, weights, collections, errors."""

import numpy as np

from tests.conformance.scenes import in_own_graph


def _features(tf):
    return {
        "age": tf.constant([[1.0], [3.0]]),
        "ids": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([2, 0, 1], tf.int64), [2, 2]),
        "weight": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0.5, 2.0, 3.0], [2, 2]),
        "words": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "zz"], [2, 2]),
        "whole": tf.constant([[1, -1], [2, 0]]),
        "text": tf.constant([["a", ""], ["zz", "b"]]),
    }


def _each(tf, stage, cases, layer, filled=False):
    """Records a layer's results for columns, its variables and graph; `filled` initializes them to one half."""
    for name, make in cases.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            tf.set_random_seed(1)
            made = layer(_features(tf), make())
            session.run(tf.global_variables_initializer())
            session.run(tf.tables_initializer())
            stage.say([(v.name, str(v.shape)) for v in tf.global_variables()], made.shape)
            if filled:
                session.run([v.assign(tf.fill(v.shape, 0.5)) for v in tf.global_variables()])
            stage.say(session.run(made))
            stage.brief_graph(names=False)


def _cases(tf, stage):
    of = tf.feature_column
    ones = tf.ones_initializer()
    with open(stage.folder + "/words", "w") as file:
        file.write("a\nb\nc\n")
    path = stage.folder + "/words"

    def ids(**options):
        return of.categorical_column_with_identity("ids", 3, **options)

    def words(**options):
        return of.categorical_column_with_vocabulary_list("words", ["a", "b"], **options)

    def embedded(column, *given, **options):
        return of.embedding_column(column, 2, *given, **{"initializer": ones, **options})

    weighted = lambda **given: of.weighted_categorical_column(ids(), "weight", **given)  # noqa: E731
    file = of.categorical_column_with_vocabulary_file
    return {
        "numbers": lambda: [of.numeric_column("age", normalizer_fn=lambda x: x * 2.0)],
        "buckets": lambda: [of.bucketized_column(of.numeric_column("age"), [1.0, 2.0])],
        "embedding_weighted": lambda: [embedded(weighted())],
        "words_beyond": lambda: [of.indicator_column(words(num_oov_buckets=2))],
        "file": lambda: [of.indicator_column(file("words", path))],
        "two_sorted": lambda: [of.numeric_column("age"), embedded(ids())],
        "same_twice": lambda: [of.numeric_column("age")] * 2,
        "categorical": lambda: [ids()],
        "none": lambda: [],
        "missing": lambda: [of.numeric_column("no")],
        "floats_as_ids": lambda: [
            of.indicator_column(of.categorical_column_with_identity("age", 3))
        ],
        "outside": lambda: [of.indicator_column(of.categorical_column_with_identity("ids", 2))],
        "words_as_ids": lambda: [
            of.indicator_column(of.categorical_column_with_identity("words", 3))
        ],
    }


@in_own_graph
def dense_layers(tf, stage):
    cases = _cases(tf, stage)
    kept = ("buckets", "embedding_weighted", "words_beyond", "two_sorted", "categorical", "missing")
    cases = {name: cases[name] for name in (*kept, "none", "same_twice")}
    _each(tf, stage, cases, lambda f, c: tf.keras.layers.DenseFeatures(c, name="d")(f))
    newer = tf.compat.v2.keras.layers.DenseFeatures
    cases = {name: cases[name] for name in kept[:4]}
    _each(tf, stage, cases, lambda f, c: newer(c, trainable=False, name="d")(f))
    age = tf.feature_column.numeric_column("age")
    stage.attempts(
        lambda: tf.keras.layers.DenseFeatures(3),
        lambda: tf.keras.layers.DenseFeatures(iter([age]))({"age": tf.ones([2, 1])}).shape,
    )


@in_own_graph
def refused(tf, stage):
    of = tf.feature_column
    age, ids = of.numeric_column("age"), of.categorical_column_with_identity("ids", 3)
    vocabulary = of.categorical_column_with_vocabulary_list
    file = of.categorical_column_with_vocabulary_file
    with open(stage.folder + "/words", "w") as written:
        written.write("a\nb\n")
    path = stage.folder + "/words"
    stage.attempts(
        lambda: of.numeric_column("a", shape=(1.5,)),
        lambda: of.numeric_column("a", dtype=tf.string),
        lambda: of.numeric_column("a", shape=2, default_value=[1.0]),
        lambda: of.numeric_column("a", dtype=tf.int64, default_value=1.5),
        lambda: of.numeric_column("a", default_value="x"),
        lambda: of.categorical_column_with_identity("a", 3, 3),
        lambda: of.categorical_column_with_identity("a", 3, -1),
        lambda: of.categorical_column_with_hash_bucket("a", None),
        lambda: of.categorical_column_with_hash_bucket("a", 0),
        lambda: vocabulary("a", []),
        lambda: vocabulary("a", ["x"], num_oov_buckets=1, default_value=0),
        lambda: vocabulary("a", ["x"], dtype=tf.int32),
        lambda: vocabulary("a", [1.5]),
        lambda: file("a", None),
        lambda: file("a", path, 0),
        lambda: file("a", path, num_oov_buckets=-1),
        lambda: of.embedding_column(ids, 2, initializer=3),
        lambda: of.make_parse_example_spec([3]),
        lambda: of.make_parse_example_spec([age, of.numeric_column("age", 2)]),
        lambda: age > of.numeric_column("b"),
        lambda: of.sequence_numeric_column("a", shape=0),
        lambda: of.sequence_categorical_column_with_identity("a", 0),
        lambda: of.sequence_categorical_column_with_vocabulary_list("a", ["x", "x"]),
    )


@in_own_graph
def tables_from_checkpoints(tf, stage):
    of = tf.feature_column
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.get_variable("t", initializer=np.arange(6, dtype=np.float32).reshape(3, 2))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver([table]).save(session, stage.folder + "/c")

    def column(name, **options):
        ids = of.categorical_column_with_identity(name, 3)
        given = {"ckpt_to_load_from": path, "tensor_name_in_ckpt": "t", **options}
        return of.embedding_column(ids, 2, "sum", **given)

    parts = tf.fixed_size_partitioner(2)

    def in_parts(features, columns):
        with tf.variable_scope("p", partitioner=parts):
            return of.input_layer(features, columns)

    _each(tf, stage, {"parts": lambda: [column("ids")]}, in_parts)
    cases = {
        "none": lambda: [column("ids", tensor_name_in_ckpt="none")],
        "no_file": lambda: [column("ids", ckpt_to_load_from=stage.folder + "/none")],
    }
    _each(tf, stage, cases, of.input_layer)
    _each(
        tf,
        stage,
        {"layer": lambda: [column("ids")]},
        lambda f, c: tf.keras.layers.DenseFeatures(c)(f),
    )
