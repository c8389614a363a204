"""`input_layer`: numeric, bucketized, indicator and embedding columns together, and their gradients."""

import numpy as np

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order():
        return of_columns(tf)


def of_columns(tf):
    columns = tf.feature_column
    age = columns.numeric_column("age", normalizer_fn=lambda x: x / 10.0)
    size = columns.numeric_column("size", shape=(2,), dtype=tf.int32, default_value=[1, 2])
    kind = columns.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
    city = columns.categorical_column_with_hash_bucket("city", 7)
    month = columns.categorical_column_with_identity("month", 12)
    day = columns.categorical_column_with_identity("day", 5, default_value=2)
    code = columns.categorical_column_with_hash_bucket("code", 4, tf.int64)
    number = columns.categorical_column_with_vocabulary_list(
        "number", [10, 20, 30], num_oov_buckets=2
    )
    weighted = columns.weighted_categorical_column(kind, "much")
    buckets = columns.bucketized_column(age, [1.5, 3.0])
    wide = columns.bucketized_column(size, [1, 5])
    cross = columns.crossed_column(["city", buckets, kind], 11)
    start = tf.constant_initializer(np.arange(28).reshape(7, 4))
    used = [
        *(age, size, buckets, wide, columns.indicator_column(kind)),
        columns.indicator_column(month),
        columns.indicator_column(day),
        columns.indicator_column(cross),
        columns.indicator_column(weighted),
        columns.embedding_column(city, 4, initializer=start, combiner="sqrtn"),
        columns.embedding_column(code, 2, max_norm=0.5),
        columns.embedding_column(number, 3, trainable=False),
    ]
    features = {
        "age": tf.constant([12.0, 33.0, 20.0]),
        "size": tf.constant([[1, 7], [3, 4], [5, 6]]),
        "kind": tf.constant([["a", "c"], ["", "d"], ["b", "b"]]),
        "much": tf.constant([[0.5, 2.0], [0.0, 1.0], [3.0, 1.5]]),
        "city": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["x", "y", "z"], [3, 2]),
        "month": tf.constant([0, 11, -1]),
        "day": tf.constant([7, 4, 0], tf.int32),
        "code": tf.constant([[1], [5], [-1]], tf.int64),
        "number": tf.constant([30, 20, 5], tf.int64),
    }
    variables, parts = {}, {}
    outputs = columns.input_layer(
        features, used, ["mine"], cols_to_vars=variables, cols_to_output_tensors=parts
    )
    grads = tf.gradients(tf.reduce_sum(outputs**2), tf.trainable_variables())
    facts = {
        "names": [v.name for v in tf.global_variables()],
        "trained": [v.name for v in tf.trainable_variables()],
        "of": [
            [c.name, [v.name for v in variables[c]]]
            for c in sorted(variables, key=lambda c: c.name)
        ],
        "parts": [[c.name, parts[c].name] for c in sorted(parts, key=lambda c: c.name)],
        "spec": [[k, str(v)] for k, v in sorted(columns.make_parse_example_spec(used).items())],
        "repr": [str(c) for c in (age, buckets, kind, city, month, weighted, cross, used[4])][1:],
    }
    facts["repr"] = [r for r in facts["repr"] if "<lambda>" not in r]
    return {
        "facts": facts,
        "steps": [
            ("init", [tf.global_variables_initializer(), tf.tables_initializer()]),
            ("outputs", outputs),
            ("gradients", [tf.convert_to_tensor(g) for g in grads]),
        ],
    }
