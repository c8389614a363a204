"""The older columns: crosses, embeddings scattered over one weight vector, parsed sequences; model heads."""

import warnings

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return of_columns(tf)


def of_columns(tf):
    of = tf.contrib.layers
    key = of.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
    age = of.bucketized_column(of.real_valued_column("age"), [15, 30])
    kind = of.sparse_column_with_keys("kind", ["a", "b", "c"])
    city = of.sparse_column_with_hash_bucket("city", 5)
    size = of.bucketized_column(of.real_valued_column("size", 2), [1, 5])
    cross = of.crossed_column([kind, city], 7)
    keyed = of.crossed_column([size, city], 11, combiner="sqrtn", hash_key=key)
    nested = of.crossed_column({cross, age}, 13)
    scattered = of.scattered_embedding_column("city", size=9, dimension=3, hash_key=key)
    features = {
        "age": tf.constant([[12.0], [33.0], [20.0]]),
        "size": tf.constant([[1.0, 7.0], [3.0, 4.0], [5.0, 6.0]]),
        "kind": tf.SparseTensor([[0, 0], [1, 0], [1, 1], [2, 0]], ["a", "c", "b", "d"], [3, 2]),
        "city": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["x", "y", "z"], [3, 2]),
        "heavy": tf.constant([[1.0], [0.5], [2.0]]),
    }
    linear = [cross, keyed, nested, city]
    sums, _, _ = of.weighted_sum_from_feature_columns(features, linear, 2)
    deep = [scattered, of.embedding_column(nested, 2), of.one_hot_column(cross)]
    inputs = of.input_from_feature_columns(features, deep)
    crosses = of.transform_features(features, [cross, keyed, nested])
    parsed = of.parse_feature_columns_from_sequence_examples(
        tf.constant([example(tf)]),
        [of.real_valued_column("far")],
        [of.real_valued_column("near", 2), kind],
    )
    heads, steps = of_heads(tf, features, sums[:, :1], inputs[:, :3])
    train = tf.train.AdagradOptimizer(0.1).minimize(
        tf.reduce_sum(sums**2) + tf.reduce_sum(inputs**2)
    )
    return {
        "facts": {
            "names": [column.name for column in linear[:3] + [scattered]],
            "lengths": [column.length for column in linear[:3]],
            "described": [str(cross), str(keyed), scattered.key],
            "specs": sorted(of.create_feature_spec_for_parsing([nested, scattered])),
            "heads": heads,
        },
        "steps": [
            ("initialize", [tf.global_variables_initializer(), tf.local_variables_initializer()]),
            ("tables", tf.tables_initializer()),
            ("crosses", [crosses[column] for column in linear[:3]]),
            ("parsed", [parsed[0]["far"], parsed[1]["near"], parsed[1]["kind"]]),
            ("outputs", [sums, inputs]),
            *[(f"train {i}", train) for i in range(2)],
            ("trained", [sums, inputs]),
            *steps,
        ],
    }


def of_heads(tf, features, logit, logits):
    of = tf.contrib.layers
    heads = [
        (of.regression_target(weight_column_name="heavy"), logit, tf.constant([1.0, 0.5, 2.0])),
        (of.regression_target(label_dimension=3), logits, tf.constant([[1.0, 0.5, 2.0]] * 3)),
        (of.multi_class_target(2, "two", "heavy"), logit, tf.constant([[1], [0], [1]])),
        (of.multi_class_target(3), logits, tf.constant([[2], [0], [1]], tf.int64)),
        (tf.contrib.slim.binary_svm_target(), logit, tf.constant([1, 0, 1])),
    ]
    made, updates, values = [], [], []
    for head, scores, labels in heads:
        metrics = head.get_eval_ops(features, scores, labels)
        made += [head.training_loss(scores, labels, features), head.logits_to_predictions(scores)]
        updates.append([metrics[name][1] for name in sorted(metrics)])
        values.append([metrics[name][0] for name in sorted(metrics)])
    told = [(head.num_label_columns, head.problem_type, head.label_name) for head, _, _ in heads]
    return told, [("heads", made), ("updates", updates), ("values", values)]


def example(tf):
    sequence = tf.train.SequenceExample()
    sequence.context.feature["far"].float_list.value.append(3.0)
    for numbers in ([1.0, 2.0], [3.0, 4.0]):
        sequence.feature_lists.feature_list["near"].feature.add().float_list.value.extend(numbers)
    for words in ([b"a", b"c"], [b"b"]):
        sequence.feature_lists.feature_list["kind"].feature.add().bytes_list.value.extend(words)
    return sequence.SerializeToString(deterministic=True)
