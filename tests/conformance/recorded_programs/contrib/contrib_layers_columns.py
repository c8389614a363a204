"""The older columns: a network's inputs and linear models of them, shared vectors, sequences."""

import warnings

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return of_columns(tf)


def of_columns(tf):
    of = tf.contrib.layers
    age = of.real_valued_column("age", normalizer=lambda x: x / 10.0)
    size = of.real_valued_column("size", 2, default_value=1.5)
    buckets = of.bucketized_column(age, [1.5, 3.0, 3.0])
    wide = of.bucketized_column(size, [1, 5])
    city = of.sparse_column_with_hash_bucket("city", 5, combiner="sqrtn")
    kind = of.sparse_column_with_keys("kind", ["a", "b", "c"])
    number = of.sparse_column_with_integerized_feature("number", 4)
    weighted = of.weighted_sparse_column(kind, "much")
    features = {
        "age": tf.constant([[12.0], [33.0], [20.0]]),
        "size": tf.constant([[1, 7], [3, 4], [5, 6]]),
        "kind": tf.constant([["a", "c"], ["b", "d"], ["b", "a"]]),
        "much": tf.constant([[0.5, 2.0], [2.0, 1.0], [3.0, 1.5]]),
        "city": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["x", "y", "z"], [3, 2]),
        "number": tf.constant([[3], [9], [2]], tf.int64),
    }
    deep = [
        *(age, size, buckets, wide, of.one_hot_column(kind), of.one_hot_column(weighted)),
        of.embedding_column(city, 3),
        of.embedding_column(number, 2, combiner="sum", max_norm=0.5),
    ]
    parts = {}
    inputs = of.input_from_feature_columns(features, deep, ["mine"], cols_to_outs=parts)
    linear = [age, buckets, wide, city, weighted, number]
    sums, variables, bias = of.weighted_sum_from_feature_columns(features, linear, 2, ["w"])
    joint, joined, _ = of.joint_weighted_sum_from_feature_columns(features, [buckets, wide], 1)
    left = of.sparse_column_with_integerized_feature("left", 4)
    shared = of.shared_embedding_columns([left, number], 2)
    features["left"] = features["number"] + 1
    both = of.input_from_feature_columns(features, shared, scope="shared")
    steps = {
        "speed": tf.constant([[[1.0, 2.0], [3.0, 4.0]]]),
        "word": tf.SparseTensor([[0, 0, 0], [0, 1, 0]], ["a", "b"], [1, 2, 1]),
    }
    word = of.sparse_column_with_keys("word", ["a", "b"])
    sequence = of.sequence_input_from_feature_columns(
        steps, [of.real_valued_column("speed", 2), of.embedding_column(word, 2)]
    )
    transformed = of.transform_features(features, [buckets, kind])
    outputs = [inputs, sums, joint, both, sequence]
    loss = sum(tf.reduce_sum(x**2) for x in outputs) + tf.reduce_sum(sums + joint)
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    columns = sorted(deep + linear[3:] + [kind], key=lambda c: c.name)
    return {
        "facts": {
            "names": [v.name for v in tf.global_variables()],
            "w": sorted(v.name for v in tf.get_collection("w")),
            "model": [v.name for v in tf.contrib.framework.get_model_variables()],
            "of": sorted([c.name, [v.name for v in vs]] for c, vs in variables.items()),
            "bias": [bias.name, [v.name for v in joined]],
            "parts": sorted([c.name, t.name] for c, t in parts.items()),
            "transformed": sorted(c.name for c in transformed),
            "spec": sorted(
                [k, str(v)] for k, v in of.create_feature_spec_for_parsing(columns).items()
            ),
            "inferred": str(of.infer_real_valued_columns(features["size"])[0]),
        },
        "steps": [
            ("init", [tf.global_variables_initializer(), tf.tables_initializer()]),
            ("first", outputs),
            ("train", train),
            ("then", outputs),
        ],
    }
