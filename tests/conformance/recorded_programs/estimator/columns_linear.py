"""`linear_model` twice, of ids with weights, crosses and numbers; one step of training."""

import warnings

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order():
        return of_columns(tf)


def of_columns(tf):
    columns = tf.feature_column
    age = columns.numeric_column("age")
    buckets = columns.bucketized_column(age, [18, 30])
    city = columns.categorical_column_with_hash_bucket("city", 5)
    kind = columns.categorical_column_with_vocabulary_list("kind", ["a", "b"], default_value=0)
    weighted = columns.weighted_categorical_column(city, "weight")
    inner = columns.crossed_column(["city", "kind"], 6)
    cross = columns.crossed_column([inner, buckets], 9, hash_key=17)
    used = [age, buckets, kind, weighted, cross]
    features = {
        "age": tf.constant([[15.0], [25.0], [45.0]]),
        "city": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["x", "y", "z"], [3, 2]),
        "weight": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [1.0, 2.0, 0.5], [3, 2]),
        "kind": tf.constant(["a", "b", "q"]),
    }
    variables = {}
    first = columns.linear_model(features, used, weight_collections=["w"], cols_to_vars=variables)
    second = columns.linear_model(
        features, [age, city], units=3, sparse_combiner="mean", trainable=False
    )
    with tf.variable_scope("outer"):
        third = columns.linear_model(features, [kind])
    loss = tf.reduce_sum((first - [[1.0], [2.0], [3.0]]) ** 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sparse gradients of unknown shape become dense ones
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    facts = {
        "names": [v.name for v in tf.global_variables()],
        "trained": [v.name for v in tf.trainable_variables()],
        "w": [v.name for v in tf.get_collection("w")],
        "of": sorted([getattr(c, "name", c), [v.name for v in vs]] for c, vs in variables.items()),
    }
    return {
        "facts": facts,
        "steps": [
            ("init", [tf.global_variables_initializer(), tf.tables_initializer()]),
            ("train", train),
            ("outputs", [first, second, third]),
            ("variables", tf.trainable_variables()),
        ],
    }
