"""Feature columns: fields, specs, names; dense and unknown features, legacy classes, sequences, eager layers."""

import numpy as np

from tests.conformance.scenes import eager_mode, in_own_graph


def _columns(tf, path):
    of = tf.feature_column
    age = of.numeric_column("age", (2,), default_value=(1.0, 2.0), dtype=tf.float64)
    ids = of.categorical_column_with_identity("ids", 4, default_value=1)
    one = tf.ones_initializer()
    return {
        "numeric": age,
        "bucketized": of.bucketized_column(of.numeric_column("x"), [0, 1.5, 2]),
        "bucketized wide": of.bucketized_column(of.numeric_column("x", 2), (0.0, 1.0)),
        "identity": ids,
        "hashed": of.categorical_column_with_hash_bucket("h", 7),
        "hashed numbers": of.categorical_column_with_hash_bucket("h", 7, tf.int64),
        "listed": of.categorical_column_with_vocabulary_list("v", ("a", "b"), num_oov_buckets=2),
        "listed default": of.categorical_column_with_vocabulary_list(
            "v", ["a", "b"], default_value=1
        ),
        "listed numbers": of.categorical_column_with_vocabulary_list("v", [3, 1], tf.int32, -1),
        "file": of.categorical_column_with_vocabulary_file("f", path, default_value=2),
        "file part": of.categorical_column_with_vocabulary_file("f", path, 2, 1, dtype=tf.string),
        "file v2": tf.compat.v2.feature_column.categorical_column_with_vocabulary_file(
            "f", path, 2
        ),
        "weighted": of.weighted_categorical_column(ids, "w"),
        "weighted numbers": of.weighted_categorical_column(ids, "w", tf.int64),
        "crossed": of.crossed_column(["a", ids, "b"], 9, 5),
        "indicator": of.indicator_column(ids),
        "embedding": of.embedding_column(ids, 2, "sqrtn", one, max_norm=0.5, trainable=False),
        "sequence": of.sequence_numeric_column("s", 2, -1.0, tf.float64),
        "sequence ids": of.sequence_categorical_column_with_identity("k", 3, 2),
        "sequence words": of.sequence_categorical_column_with_vocabulary_list("q", ["a"], None, 0),
        "sequence file": of.sequence_categorical_column_with_vocabulary_file("q", path, 2, 1),
        "sequence hashed": of.sequence_categorical_column_with_hash_bucket("q", 5, tf.int32),
    }


def _words(stage):
    path = stage.folder + "/words"
    with open(path, "w") as file:
        file.write("a\nb\nc\n")
    return path


@in_own_graph
def fields(tf, stage):
    for name, column in _columns(tf, _words(stage)).items():
        values = [repr(v) for v in column._asdict().values() if not hasattr(v, "get_config")]
        stage.say(name, type(column).__name__, column._fields, *values)
        stage.say(column.name, sorted(column.parse_example_spec.items()))
        for attribute in ("num_buckets", "_num_buckets", "variable_shape", "_variable_shape"):
            stage.attempt(lambda: getattr(column, attribute))  # noqa: B023  called here
        stage.say(column == type(column)(*column), column in {column: 1}, len(column))
    of = tf.feature_column
    specs = _columns(tf, _words(stage))
    stage.say(sorted(of.make_parse_example_spec(list(specs.values())[:1]).items()))
    stage.attempts(
        lambda: of.make_parse_example_spec([specs["hashed"], specs["hashed numbers"]]),
        lambda: of.make_parse_example_spec("a"),
        lambda: tf.compat.v2.feature_column.make_parse_example_spec([specs["identity"]]),
    )


@in_own_graph
def dense_and_unknown_features(tf, stage):
    of, path = tf.feature_column, _words(stage)
    column = _columns(tf, path)
    indicator = of.indicator_column
    fed = tf.placeholder_with_default
    cases = (
        ({"x": tf.constant([0.5, 1.5, 2.0])}, column["bucketized"]),
        ({"x": tf.constant([[0.5], [np.nan], [2.5]])}, column["bucketized"]),
        ({"x": fed(np.array([[1.0], [3.0]], np.float32), [None, 1])}, column["bucketized"]),
        ({"x": fed(np.array([[1.0], [3.0]], np.float32), None)}, column["bucketized"]),
        ({"x": tf.constant([[0.0, 1.0], [-1.0, 0.5]])}, column["bucketized wide"]),
        ({"x": tf.constant([1, 3])}, of.numeric_column("x")),
        ({"x": tf.constant(["a"])}, of.numeric_column("x")),
        ({"x": tf.SparseTensor([[0, 0]], [1.0], [1, 1])}, of.numeric_column("x")),
        ({"ids": tf.constant([0, 3, 9, -1])}, indicator(column["identity"])),
        ({"ids": tf.constant([[0, 3], [3, -1]], tf.int64)}, indicator(column["identity"])),
        ({"ids": tf.constant([[[0], [3]], [[3], [-1]]])}, indicator(column["identity"])),
        ({"ids": fed(np.array([[0], [3]]), [None, 1])}, indicator(column["identity"])),
        ({"ids": fed(np.array([0, 3]), None)}, indicator(column["identity"])),
        ({"h": tf.constant(["a", "", "b"])}, indicator(column["hashed"])),
        ({"h": tf.constant([1, -1, 5])}, indicator(column["hashed numbers"])),
        ({"h": tf.constant([1, -1, 5])}, indicator(column["hashed"])),
        ({"h": tf.constant(["1"])}, indicator(column["hashed numbers"])),
        ({"v": tf.constant([["a", "zz"], ["", "b"]])}, indicator(column["listed"])),
        ({"v": tf.constant([["a", "zz"], ["", "b"]])}, indicator(column["listed default"])),
        ({"v": tf.constant([[3, 1], [7, -1]])}, indicator(column["listed numbers"])),
        ({"v": tf.constant([["3"]])}, indicator(column["listed numbers"])),
        ({"f": tf.constant([["a", "zz"], ["", "c"]])}, indicator(column["file"])),
        ({"f": tf.constant([["a", "zz"], ["", "c"]])}, indicator(column["file part"])),
        (
            {"ids": tf.constant([[0, 3]]), "w": tf.constant([[0.5, 0.0]])},
            indicator(column["weighted"]),
        ),
        (
            {"ids": tf.constant([[0, 3]]), "w": tf.constant([[2, 3]], tf.int64)},
            indicator(column["weighted numbers"]),
        ),
        ({"ids": tf.constant([[0, 3]])}, indicator(column["weighted"])),
        (
            {"ids": tf.constant([[0, 3], [2, 2]]), "w": tf.constant([[0.5, 2.0], [1.0, 3.0]])},
            of.embedding_column(column["weighted"], 2, "mean", tf.ones_initializer()),
        ),
        (
            {"ids": tf.constant([[0, 3], [-1, -1]])},
            of.embedding_column(column["identity"], 2, "sum", tf.ones_initializer()),
        ),
        ({"ids": tf.constant([[0, 3], [1, -1]])}, column["embedding"]),
    )
    for layer in (of.input_layer, lambda f, c: tf.keras.layers.DenseFeatures(c)(f)):
        for features, one in cases:
            with tf.Session() as session, stage.failing():
                made = layer(features, [one])
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                stage.say(one.name, str(made.shape), session.run(made))


@in_own_graph
def options_of_layers(tf, stage):
    of = tf.feature_column
    ids = of.categorical_column_with_identity("ids", 3)
    age = of.numeric_column("age")
    table = of.embedding_column(ids, 2, initializer=tf.ones_initializer())
    features = {"ids": tf.constant([[0], [2]]), "age": tf.constant([[1.0], [2.0]])}
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        variables, tensors = {}, {}
        made = of.input_layer(features, [table, age], ["c"], True, variables, tensors)
        stage.say(made.name, sorted((c.name, [v.name for v in vs]) for c, vs in variables.items()))
        stage.say(sorted((c.name, t.name) for c, t in tensors.items()))
    with tf.variable_scope("s", reuse=True):
        stage.attempt(lambda: of.linear_model(features, [ids, age]).name)
    found = {}
    made = of.linear_model(features, [ids, age, table], 2, "sqrtn", ["d"], True, found)
    stage.say(made.name, str(made.shape))
    stage.say(sorted((getattr(c, "name", c), [v.name for v in vs]) for c, vs in found.items()))
    for key in ("c", "d", "trainable_variables", "model_variables"):
        stage.say(key, *[v.name for v in tf.get_collection(key)])
    layer = tf.keras.layers.DenseFeatures([table, age], trainable=False, name="layer")
    parts = {}
    stage.say(layer(features).name, layer(features, cols_to_output_tensors=parts).name)
    stage.say(sorted((c.name, t.name) for c, t in parts.items()), [v.name for v in layer.weights])
    stage.say(len(layer.trainable_weights), layer.compute_output_shape((None, 1)), layer.built)
    stage.attempts(
        lambda: of.input_layer(
            {"age": tf.ones([2, 1]), "x": tf.ones([3, 1])}, [age, of.numeric_column("x")]
        ),
        lambda: tf.keras.layers.DenseFeatures([3]),
        lambda: tf.keras.layers.DenseFeatures([age])({}),
    )


@in_own_graph
def sequences_as_layers(tf, stage):
    of = tf.feature_column
    layer = tf.keras.experimental.SequenceFeatures
    ids = of.sequence_categorical_column_with_identity("k", 3)
    steps = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([1, 2, 0], tf.int64), [3, 2])
    numbers = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0]], [1.0, 2.0, 3.0, 4.0], [3, 4])
    features = {"k": steps, "x": numbers, "y": numbers}
    one = tf.ones_initializer()
    with tf.Session() as session:
        for columns in (
            [of.sequence_numeric_column("x")],
            [of.sequence_numeric_column("x", (2,), default_value=-1.0)],
            [of.sequence_numeric_column("x"), of.sequence_numeric_column("y", default_value=9.0)],
            [of.indicator_column(ids)],
            [of.embedding_column(ids, 2, initializer=one)],
            [of.sequence_numeric_column("x"), of.indicator_column(ids)],
            [of.numeric_column("x")],
            [of.embedding_column(of.categorical_column_with_identity("k", 3), 2)],
            [],
            [of.sequence_numeric_column("missing")],
        ):
            with stage.failing():
                made = layer(columns)
                outputs, lengths = made(features)
                session.run(tf.global_variables_initializer())
                stage.say(str(outputs.shape), str(lengths.shape), session.run([outputs, lengths]))
                stage.say(made.name, made.compute_output_shape((2, None, 3)), len(made.weights))
                stage.say(sorted(made.get_config()))
        stage.attempts(
            lambda: tf.keras.layers.DenseFeatures([of.indicator_column(ids)])(features),
            lambda: of.input_layer(features, [of.embedding_column(ids, 2)]),
        )
    with tf.Graph().as_default(), eager_mode(tf):
        stage.attempts(
            lambda: layer([of.sequence_numeric_column("x")])(
                {"x": tf.SparseTensor([[0, 0], [1, 0]], [1.0, 2.0], [2, 1])}
            ),
            lambda: of.shared_embedding_columns([ids.categorical_column], 2)[0].name,
            lambda: tf.compat.v2.feature_column.shared_embeddings([ids.categorical_column], 2),
        )
