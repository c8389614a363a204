"""Feature column layers: configs, nested crosses, shared tables, sequences of any rank."""

import numpy as np

from tests.conformance.scenes import in_own_graph


def _doubled(x):
    return x * 2.0


@in_own_graph
def described(tf, stage):
    of = tf.feature_column
    layers = tf.keras.layers.DenseFeatures
    numeric = of.numeric_column
    ids = of.categorical_column_with_identity("k", 4, default_value=1)
    deep = of.crossed_column([of.crossed_column(["a", ids], 5, hash_key=3), "b"], 7)
    half = tf.constant_initializer(0.5)
    weighted = of.weighted_categorical_column(ids, "w")
    listed = of.categorical_column_with_vocabulary_list("v", ["p", "q"], num_oov_buckets=1)
    cases = {
        "numeric": [numeric("x", (2,), default_value=(1.0, 2.0))],
        "normalized": [numeric("x", normalizer_fn=_doubled)],
        "bucketized": [of.bucketized_column(numeric("x"), [0.0, 1.0])],
        "crossed": [of.indicator_column(deep)],
        "embedded": [of.embedding_column(weighted, 2, "sum", half, max_norm=0.5, trainable=False)],
        "listed": [of.indicator_column(listed)],
        "hashed": [of.indicator_column(of.categorical_column_with_hash_bucket("h", 9, tf.int64))],
        "several": [of.indicator_column(ids), of.embedding_column(ids, 2)],
    }
    for name, columns in cases.items():
        stage.say(name)
        with stage.failing():
            layer = layers(columns, name="layer_" + name, trainable=name != "several")
            config = layer.get_config()
            stage.say(config)
            own = {"_doubled": lambda x: x * 3.0}
            for custom in (own, {}) if name != "normalized" else (own,):
                again = layers.from_config(config, custom_objects=custom)
                stage.say([c == d for c, d in zip(again._feature_columns, columns)], again.name)
                stage.say(again.get_config() == config, again.trainable)
                features = {"x": tf.constant([[0.5], [1.5]])}
                if name == "normalized":
                    with tf.Session() as session:
                        stage.say(session.run(again(features)))
            with tf.keras.utils.custom_object_scope(own):
                again = layers.from_config(config)
                stage.say([c == d for c, d in zip(again._feature_columns, columns)])


@in_own_graph
def crossed(tf, stage):
    of = tf.feature_column
    ids = of.categorical_column_with_identity("k", 4)
    inner = of.crossed_column(["a", ids], 5)
    middle = of.crossed_column([inner, "b"], 6, hash_key=2)
    outer = of.crossed_column([middle, "c"], 50)
    texts = lambda *rows: tf.constant([[row] for row in rows])  # noqa: E731
    features = {
        "a": texts("x", "y"),
        "b": texts("u", "v"),
        "c": texts("s", ""),
        "k": tf.constant([[1], [3]], tf.int64),
        "w": tf.constant([[0.5], [2.0]]),
    }
    for column in (inner, middle, outer):
        stage.say(column.name, sorted(of.make_parse_example_spec([column]).items()))
        with tf.Session() as session:
            made = of.input_layer(features, [of.indicator_column(column)])
            stage.say(np.argmax(session.run(made), axis=1), made.shape)
    weighted = of.weighted_categorical_column(ids, "w")
    wrong = of.indicator_column(of.crossed_column([weighted, "a"], 5))
    stage.attempt(of.input_layer, features, [wrong])
    stage.attempt(of.weighted_categorical_column, ids, "w", tf.string)
    stage.attempt(lambda: of.make_parse_example_spec([of.weighted_categorical_column(ids, "k")]))


@in_own_graph
def shared(tf, stage):
    of = tf.feature_column
    half = tf.constant_initializer(0.5)
    first, second = (of.categorical_column_with_identity(key, 3) for key in "jk")
    columns = of.shared_embedding_columns([second, first], 2, "sum", half, max_norm=0.5)
    stage.say([c.name for c in columns])
    newer = tf.compat.v2.feature_column.shared_embeddings
    others = newer([second, first], 2, "sum", half, "mine", max_norm=0.5, trainable=False)
    stage.say([c.name for c in others], [c.variable_shape for c in others])
    layer = tf.keras.layers.DenseFeatures
    for make in (
        lambda features: [layer(others)(features), layer(others[:1])(features)],
        lambda features: of.input_layer(features, others),
    ):
        for _ in range(2):
            with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
                ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 2], [2, 2])
                made = make({"j": ids, "k": tf.constant([[0], [1]])})
                session.run(tf.global_variables_initializer())
                stage.say(session.run(made), [v.name for v in tf.global_variables()])
                stage.say([v.name for v in tf.trainable_variables()])
                keys = sorted(str(key) for key in graph.get_all_collection_keys())
                stage.say([key for key in keys if "embedding" in key])
    stage.attempt(newer, [first, of.categorical_column_with_identity("i", 4)], 2)
    stage.attempt(newer, [first, second], 0)
    stage.attempt(newer, [first, second], 2, initializer=3)
    stage.attempt(newer, [first, of.weighted_categorical_column(second, "w")], 2)
