"""Columns of features: what each gives with options that are not the default, and what it refuses."""


def programs(tf):
    C = tf.feature_column
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def ids(count=5, default=None, key="k"):
        return C.categorical_column_with_identity(key, count, default)

    def vocabulary(**options):
        return C.categorical_column_with_vocabulary_list("k", ["a", "b"], **options)

    def layer(column, **features):
        return C.input_layer(features, column)

    def sums(*columns, **features):
        options = features.pop("options", {})
        result = C.linear_model(features, columns, **options)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for variable in tf.global_variables():
                size = variable.shape.num_elements()
                numbers = [float(n + 1) for n in range(size)]
                session.run(variable.assign(tf.reshape(tf.constant(numbers), variable.shape)))
            return session.run(result), [v.name for v in tf.global_variables()]

    def spec(*columns):
        return {k: str(v) for k, v in C.make_parse_example_spec(list(columns)).items()}

    ones = tf.ones_initializer()
    words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["b", "z", "a"], [2, 2])
    add(
        "numeric",
        lambda: layer(C.numeric_column("x", [2], normalizer_fn=lambda x: x * 2), x=[[1.0, 2.0]]),
        lambda: layer(C.numeric_column("x", [2, 1]), x=[[[1], [2]]]),
        lambda: spec(C.numeric_column("x", [2], [3.0, 4.0], tf.float64)),
        lambda: spec(C.numeric_column("x", 2, 7, tf.int64)),
        lambda: C.numeric_column("x", [0]),
        lambda: C.numeric_column("x", [1.5]),
        lambda: C.numeric_column("x", dtype=tf.string),
        lambda: C.numeric_column("x", [2], [1, 2, 3]),
        lambda: C.numeric_column("x", default_value=1.5, dtype=tf.int32),
        lambda: C.numeric_column("x", normalizer_fn=3),
        lambda: C.numeric_column(["x"]),
        lambda: layer(C.numeric_column("x"), y=[[1.0]]),
        lambda: layer(C.numeric_column("x"), x=["a"]),
        lambda: layer([C.numeric_column("x"), C.numeric_column("x", 2)], x=[[1.0]]),
        lambda: layer([C.numeric_column("x"), C.numeric_column("y")], x=[[1.0]], y=[[1.0], [2.0]]),
    )
    add(
        "bucketized",
        lambda: layer(
            C.bucketized_column(C.numeric_column("x", 2), [0.0, 2.0]), x=[[0.0, -1.0], [2.0, 1.9]]
        ),
        lambda: sums(C.bucketized_column(C.numeric_column("x"), [0.0, 2.0]), x=[[0.0], [3.0]]),
        lambda: spec(C.bucketized_column(C.numeric_column("x"), [1])),
        lambda: C.bucketized_column(C.numeric_column("x"), []),
        lambda: C.bucketized_column(C.numeric_column("x"), [2, 1]),
        lambda: C.bucketized_column(C.numeric_column("x"), [1, 1]),
        lambda: C.bucketized_column(C.numeric_column("x"), 3),
        lambda: C.bucketized_column(C.numeric_column("x", [2, 2]), [3]),
        lambda: C.bucketized_column(ids(), [1]),
    )
    add(
        "categorical",
        lambda: layer(C.indicator_column(ids()), k=[[1, 1], [4, 0]]),
        lambda: layer(C.indicator_column(ids(5, 2)), k=[[7], [-3]]),
        lambda: layer(C.indicator_column(ids()), k=[[5], [3]]),
        lambda: layer(C.indicator_column(vocabulary()), k=words),
        lambda: layer(C.indicator_column(vocabulary(num_oov_buckets=2)), k=words),
        lambda: layer(C.indicator_column(vocabulary(default_value=1)), k=words),
        lambda: layer(
            C.indicator_column(C.categorical_column_with_vocabulary_list("k", [5, 7], tf.int32)),
            k=[[7, 6]],
        ),
        lambda: layer(C.indicator_column(C.categorical_column_with_hash_bucket("k", 4)), k=words),
        lambda: layer(
            C.indicator_column(C.categorical_column_with_hash_bucket("k", 4, tf.int64)),
            k=[[9, -1], [3, 4]],
        ),
        lambda: layer(
            C.indicator_column(C.crossed_column(["k", "j"], 5, hash_key=7)), k=words, j=words
        ),
        lambda: layer(
            C.indicator_column(C.crossed_column([ids(3, key="i"), "k"], 5)), i=[[1], [2]], k=words
        ),
        lambda: layer(
            C.indicator_column(C.weighted_categorical_column(vocabulary(), "w")),
            k=words,
            w=[[0.5, 2.0], [3.0, 0.0]],
        ),
        lambda: spec(ids(), vocabulary(num_oov_buckets=1)),
        lambda: spec(C.weighted_categorical_column(ids(), "w", tf.int64)),
        lambda: spec(C.crossed_column(["k", "j"], 5)),
        lambda: ids(0),
        lambda: ids(3, 3),
        lambda: ids(3, -1),
        lambda: C.categorical_column_with_hash_bucket("k", 0),
        lambda: C.categorical_column_with_hash_bucket("k", None),
        lambda: C.categorical_column_with_hash_bucket("k", 3, tf.float32),
        lambda: C.categorical_column_with_vocabulary_list("k", []),
        lambda: C.categorical_column_with_vocabulary_list("k", ["a", "a"]),
        lambda: C.categorical_column_with_vocabulary_list("k", ["a"], tf.int64),
        lambda: C.categorical_column_with_vocabulary_list("k", [1.5]),
        lambda: vocabulary(default_value=1, num_oov_buckets=1),
        lambda: vocabulary(num_oov_buckets=-1),
        lambda: C.categorical_column_with_vocabulary_file("k", ""),
        lambda: C.categorical_column_with_vocabulary_file("k", "f.csv", 0),
        lambda: C.categorical_column_with_vocabulary_file("k", "f.csv", num_oov_buckets=-1),
        lambda: C.categorical_column_with_vocabulary_file(
            "k", "f.csv", default_value=1, num_oov_buckets=1
        ),
        lambda: C.categorical_column_with_vocabulary_file("k", "f.csv", dtype=tf.float32),
        lambda: layer(
            C.indicator_column(C.categorical_column_with_vocabulary_file("k", "f.csv", 2, 1)),
            k=[["4,5,6", "1,2,3"]],
        ),
        lambda: C.crossed_column(["k"], 5),
        lambda: C.crossed_column(["k", "j"], 0),
        lambda: C.crossed_column(["k", 3], 5),
        lambda: C.crossed_column(["k", C.categorical_column_with_hash_bucket("j", 3)], 5),
        lambda: C.crossed_column(["k", C.numeric_column("x")], 5),
        lambda: C.weighted_categorical_column(ids(), "w", tf.string),
        lambda: layer(C.indicator_column(ids()), k=[[1.5]]),
        lambda: layer(C.indicator_column(vocabulary()), k=[[1]]),
        lambda: layer(ids(), k=[[1]]),
        lambda: layer(
            C.indicator_column(C.weighted_categorical_column(vocabulary(), "w")), k=words
        ),
    )
    add(
        "embedded",
        *[
            lambda c=c: layer(
                C.embedding_column(ids(), 2, c, tf.constant_initializer(list(range(10)))),
                k=[[1, 3], [4, 4]],
            )
            for c in ("mean", "sum", "sqrtn")
        ],
        lambda: layer(C.embedding_column(ids(), 2, initializer=ones, max_norm=0.5), k=[[1], [2]]),
        lambda: (
            layer(C.embedding_column(ids(), 2, trainable=False), k=[[1]]),
            len(tf.trainable_variables()),
        )[1],
        lambda: layer(
            C.embedding_column(C.weighted_categorical_column(ids(), "w"), 2, "mean", ones),
            k=[[1, 2]],
            w=[[3.0, 1.0]],
        ),
        lambda: [
            v.name
            for v in (
                layer(
                    C.shared_embedding_columns(
                        [ids(), ids(key="j")], 2, shared_embedding_collection_name="s"
                    ),
                    k=[[1]],
                    j=[[2]],
                ),
                *tf.global_variables(),
            )[1:]
        ],
        lambda: C.embedding_column(ids(), 0),
        lambda: C.embedding_column(ids(), None),
        lambda: C.embedding_column(ids(), 2, ckpt_to_load_from="a"),
        lambda: C.embedding_column(ids(), 2, initializer=3),
        lambda: C.embedding_column(ids(), 2, "max"),
        lambda: C.shared_embedding_columns([ids(), ids(4, key="j")], 2),
        lambda: C.shared_embedding_columns([ids(), C.numeric_column("x")], 2),
        lambda: C.shared_embedding_columns([ids(), ids(key="j")], 2, initializer=3),
        lambda: C.shared_embedding_columns([ids(), ids(key="j")], 2, tensor_name_in_ckpt="a"),
    )
    add(
        "linear",
        lambda: sums(ids(), k=[[1, 3], [4, 4]]),
        lambda: sums(ids(), k=[[1, 3], [4, 4]], options={"units": 2}),
        lambda: sums(ids(), k=[[1, 3], [4, 4]], options={"sparse_combiner": "mean"}),
        lambda: sums(ids(), k=[[1, 3], [4, 4]], options={"sparse_combiner": "sqrtn"}),
        lambda: sums(C.numeric_column("x", 2), ids(), k=[[1], [2]], x=[[1.0, 2.0], [3.0, 4.0]]),
        lambda: sums(C.weighted_categorical_column(ids(), "w"), k=[[1, 3]], w=[[0.5, 2.0]]),
        lambda: (sums(ids(), k=[[1]], options={"trainable": False}), len(tf.trainable_variables()))[
            1
        ],
        lambda: (
            sums(ids(), k=[[1]], options={"weight_collections": ["c"]}),
            len(tf.get_collection("c")),
        )[1],
        lambda: (
            sums(ids(), k=[[1]], options={"cols_to_vars": found.setdefault("_", {})}),
            sorted(map(str, found.pop("_"))),
        )[1],
        lambda: sums(C.embedding_column(ids(), 2), k=[[1]]),
        lambda: sums(C.indicator_column(ids()), C.indicator_column(ids()), k=[[1]]),
        lambda: sums(k=[[1]]),
        lambda: C.linear_model([[1]], [ids()]),
        lambda: C.linear_model({"k": [[1]]}, "k"),
        lambda: C.linear_model({"k": [[1]]}, {"k": ids()}),
    )
    more = tf.contrib.feature_column
    sequence = more.sequence_categorical_column_with_identity("k", 5)
    steps = tf.SparseTensor([[0, 0], [0, 2], [1, 0]], tf.constant([1, 2, 4], tf.int64), [2, 3])
    add(
        "sequences",
        lambda: more.sequence_input_layer({"k": steps}, [C.indicator_column(sequence)]),
        lambda: more.sequence_input_layer(
            {"k": steps}, [C.embedding_column(sequence, 2, initializer=ones)]
        ),
        lambda: more.sequence_input_layer(
            {"x": tf.SparseTensor([[0, 0], [1, 1]], [1.0, 2.0], [2, 2])},
            [more.sequence_numeric_column("x", default_value=-1.0, normalizer_fn=lambda x: x * 3)],
        ),
        lambda: more.sequence_input_layer(
            {"x": tf.SparseTensor([[0, 0], [1, 3]], [1.0, 2.0], [2, 4])},
            [more.sequence_numeric_column("x", [2])],
        ),
        lambda: more.sequence_input_layer({"k": steps}, [C.numeric_column("k")]),
        lambda: more.sequence_input_layer({"k": steps}, [C.indicator_column(ids())]),
        lambda: more.sequence_numeric_column("x", dtype=tf.string),
        lambda: more.sequence_numeric_column("x", [0]),
        lambda: more.concatenate_context_input(tf.ones([2, 1]), tf.zeros([2, 2, 2])),
        lambda: more.concatenate_context_input(tf.ones([2, 1, 1]), tf.zeros([2, 2, 2])),
    )
    return found
