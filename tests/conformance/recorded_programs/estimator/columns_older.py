"""`tf.contrib.layers` columns in place of `tf.feature_column`'s: layers, linear models, parsing, Estimators."""

import warnings

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return of_columns(tf)


def of_columns(tf):
    older, columns = tf.contrib.layers, tf.feature_column
    age = older.real_valued_column("age", normalizer=lambda x: x / 10.0)
    size = older.real_valued_column("size", 2)
    buckets = older.bucketized_column(age, [1.5, 3.0])
    wide = older.bucketized_column(size, [1, 5])
    city = older.sparse_column_with_hash_bucket("city", 5, combiner="sqrtn")
    kind = older.sparse_column_with_keys("kind", ["a", "b", "c"])
    weighted = older.weighted_sparse_column(kind, "much")
    cross = older.crossed_column([city, buckets], 7, hash_key=3)
    features = {
        "age": tf.constant([[12.0], [33.0], [20.0]]),
        "size": tf.constant([[1, 7], [3, 4], [5, 6]]),
        "kind": tf.constant([["a", "c"], ["b", "d"], ["b", "a"]]),
        "much": tf.constant([[0.5, 2.0], [2.0, 1.0], [3.0, 1.5]]),
        "city": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["x", "y", "z"], [3, 2]),
        "word": tf.SparseTensor([[0, 0], [2, 0]], ["u", "v"], [3, 1]),
    }
    newer = columns.numeric_column("size", 2)
    deep = [
        *(age, newer, buckets, wide, older.one_hot_column(kind), older.one_hot_column(weighted)),
        older.embedding_column(city, 3, initializer=tf.constant_initializer(0.5)),
        older.scattered_embedding_column("word", 12, 2, 9),
    ]
    inputs = columns.input_layer(features, deep, ["mine"])
    linear = columns.linear_model(features, [age, buckets, wide, city, weighted, cross], 2)
    network = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=[city, cross],
        dnn_feature_columns=[age, older.embedding_column(kind, 2)],
        dnn_hidden_units=[3],
    )
    tf.train.create_global_step()
    with tf.variable_scope("network"):
        spec = network._call_model_fn(features, tf.constant([0, 1, 1]), "train", network.config)
    parsed = columns.make_parse_example_spec([c for c in [*deep, cross] if c is not newer])
    return {
        "facts": {
            "names": [v.name for v in tf.global_variables()],
            "mine": [v.name for v in tf.get_collection("mine")],
            "parsed": sorted(map(str, parsed.items())),
        },
        "steps": [
            ("init", [tf.global_variables_initializer(), tf.tables_initializer()]),
            ("outputs", [inputs, linear]),
            ("train", [spec.loss, spec.train_op]),
            ("variables", tf.trainable_variables()),
        ],
    }
