"""tf.contrib.layers: legacy feature columns, their lookups, parsing, inputs, sums and heads."""

import numpy as np

from tests.conformance.scenes.contrib_distributions import _sum_up


def _features(tf):
    sparse = tf.SparseTensor
    places, shape = [[0, 0], [0, 1], [2, 0]], [3, 2]
    return {
        "words": sparse(places, ["a", "c", "zz"], shape),
        "numbers": sparse(places, tf.constant([7, 1, 12], tf.int64), shape),
        "weights": sparse(places, [0.5, 2.0, -1.0], shape),
        "counts": sparse(places, tf.constant([1, 2, 3], tf.int64), shape),
        "price": tf.constant([[1.0, 5.0], [2.5, -3.0], [9.0, 3.0]]),
        "age": tf.constant([[3], [30], [17]]),
        "dense_words": tf.constant([["a", ""], ["b", "c"], ["", ""]]),
        "dense_weights": tf.constant([[0.5, 0.0], [1.0, 2.0], [0.0, 0.0]]),
    }


def _columns(tf):
    of = tf.contrib.layers
    keys = of.sparse_column_with_keys("words", ["a", "b", "c"])
    hashed = of.sparse_column_with_hash_bucket("numbers", 5, dtype=tf.int64)
    whole = of.sparse_column_with_integerized_feature("numbers", 10, combiner="mean")
    price = of.real_valued_column("price", 2, default_value=[1, 2.5])
    age = of.real_valued_column("age", dtype=tf.int64, normalizer=lambda x: x * 2)
    zeros = tf.constant_initializer(0.5)
    bucketized = of.bucketized_column(price, [0.0, 3.0, 5.0])
    return {
        "keys": keys,
        "keys_default": of.sparse_column_with_keys("words", ["zz", "a"], 1, "sqrtn"),
        "integer_keys": of.sparse_column_with_keys("numbers", [1, 7], dtype=tf.int64),
        "hashed": hashed,
        "hashed_words": of.sparse_column_with_hash_bucket(
            "words", 7, "mean", hash_keys=[[1, 2], [3, 4]]
        ),
        "whole": whole,
        "weighted": of.weighted_sparse_column(keys, "weights"),
        "weighted_counts": of.weighted_sparse_column(whole, "counts", tf.int64),
        "weighted_dense": of.weighted_sparse_column(
            of.sparse_column_with_keys("dense_words", ["a", "b", "c"]), "dense_weights"
        ),
        "one_hot": of.one_hot_column(keys),
        "one_hot_weighted": of.one_hot_column(of.weighted_sparse_column(whole, "weights")),
        "embedding": of.embedding_column(keys, 2, initializer=zeros),
        "embedding_normed": of.embedding_column(
            of.weighted_sparse_column(hashed, "weights"), 3, "sum", max_norm=0.5, trainable=False
        ),
        "shared": of.shared_embedding_columns([keys], 2, initializer=zeros)[0],
        "shared_two": of.shared_embedding_columns(
            [hashed, of.sparse_column_with_hash_bucket("counts", 5, dtype=tf.int64)], 2, "sqrtn"
        )[1],
        "scattered": of.scattered_embedding_column("words", 8, 3, 17, "sum"),
        "price": price,
        "age": age,
        "age_default": of.real_valued_column("age", default_value=4, dtype=tf.int32),
        "bucketized": bucketized,
        "bucketized_one": of.bucketized_column(age, [0, 10, 40, 50]),
        "crossed": of.crossed_column([keys, hashed], 6),
        "crossed_buckets": of.crossed_column([bucketized, whole], 9, "mean", hash_key=5),
        "crossed_thrice": of.crossed_column([of.crossed_column([keys, hashed], 6), whole], 4),
    }


def descriptions(tf, stage):
    for name, column in _columns(tf).items():
        stage.say(name, column.name, [str(x) for x in sorted(column.config.items())])
        stage.say(column.key.split("initializer")[0].split("normalizer")[0])
        if name not in ("price", "age", "age_default", "scattered"):
            stage.say(column.length)
    stage.say(sorted(tf.contrib.layers.create_feature_spec_for_parsing(_columns(tf)).items()))


def inputs(tf, stage):
    of = tf.contrib.layers
    ways = {
        "input": of.input_from_feature_columns,
        "wide": lambda tensors, columns: of.weighted_sum_from_feature_columns(tensors, columns, 2),
        "joint": lambda tensors, columns: of.joint_weighted_sum_from_feature_columns(
            tensors, columns, 1
        ),
        "sequence": of.sequence_input_from_feature_columns,
        "core": lambda tensors, columns: tf.feature_column.input_layer(tensors, columns),
    }
    for name in _columns(tf):
        for way, function in ways.items():
            with tf.Graph().as_default(), tf.Session() as session:
                tf.set_random_seed(1)
                column = _columns(tf)[name]
                stage.say(name, way)
                # Warns that it is experimental.
                tf.logging.set_verbosity("ERROR" if way == "sequence" else "INFO")
                try:
                    found = function(_features(tf), [column])
                    found = found[0] if isinstance(found, tuple) else found
                    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                    stage.say(session.run(found))
                except Exception as error:
                    stage.say("!!", type(error).__name__, str(error).split("\n")[0][:90])
                stage.say([v.name for v in tf.global_variables()], len(tf.trainable_variables()))
                _sum_up(tf, stage)


def refusals(tf, stage):
    of = tf.contrib.layers
    keys = of.sparse_column_with_keys("words", ["a", "b"])
    price = of.real_valued_column("price")
    weighted = of.weighted_sparse_column(keys, "w")
    hashed = of.sparse_column_with_hash_bucket
    for make in (
        lambda: of.sparse_column_with_keys("w", []),
        lambda: of.sparse_column_with_keys("w", ["a"], combiner="max"),
        lambda: of.sparse_column_with_keys("w", [1.0], dtype=tf.float32),
        lambda: of.sparse_column_with_keys("w", [1, 2]),
        lambda: of.sparse_column_with_integerized_feature("n", 0),
        lambda: of.sparse_column_with_integerized_feature("n", 3, dtype=tf.string),
        lambda: hashed("w", 0),
        lambda: hashed("w", 1),
        lambda: hashed("w", 5, dtype=tf.float32),
        lambda: hashed("", 5),
        lambda: of.sparse_column_with_vocabulary_file("w", "", vocab_size=3),
        lambda: of.sparse_column_with_vocabulary_file("w", "file"),
        lambda: of.sparse_column_with_vocabulary_file("w", "file", -1, 3),
        lambda: of.weighted_sparse_column(keys, "w", tf.string),
        lambda: of.weighted_sparse_column(price, "w"),
        lambda: of.embedding_column(keys, 2, initializer=1.0),
        lambda: of.embedding_column(keys, 2, ckpt_to_load_from="path"),
        lambda: of.shared_embedding_columns("words", 2),
        lambda: of.shared_embedding_columns([], 2),
        lambda: of.shared_embedding_columns([price], 2),
        lambda: of.shared_embedding_columns([keys, hashed("x", 9)], 2),
        lambda: of.shared_embedding_columns([weighted, hashed("x", 9)], 2),
        lambda: of.scattered_embedding_column("w", 0, 2, 1),
        lambda: of.scattered_embedding_column("w", 2, 2, 1, "max"),
        lambda: of.scattered_embedding_column("w", 2, 2, 1, initializer=2.0),
        lambda: of.real_valued_column("p", None),
        lambda: of.real_valued_column("p", 1.5),
        lambda: of.real_valued_column("p", 0),
        lambda: of.real_valued_column("p", dtype=tf.string),
        lambda: of.real_valued_column("p", 2, [1.0]),
        lambda: of.real_valued_column("p", 1, "x"),
        lambda: of.real_valued_column("p", default_value=1.5, dtype=tf.int32),
        lambda: of.real_valued_column("p", normalizer=3),
        lambda: of.bucketized_column(keys, [1]),
        lambda: of.bucketized_column(price, []),
        lambda: of.bucketized_column(price, [2, 1]),
        lambda: of.bucketized_column(price, 3),
        lambda: of.bucketized_column(price, [1, 1, 2]).boundaries,
        lambda: of.crossed_column([keys], 3),
        lambda: of.crossed_column([keys, price], 3),
        lambda: of.crossed_column([keys, keys], 0),
        lambda: of.crossed_column({keys, hashed("x", 3)}, 3, combiner="max"),
        lambda: of.create_feature_spec_for_parsing(["x"]),
        lambda: of.input_from_feature_columns({}, [price, price]),
        lambda: of.input_from_feature_columns({}, [price]),
        lambda: of.weighted_sum_from_feature_columns({"words": tf.zeros([2, 1])}, ["x"], 1),
        lambda: of.infer_real_valued_columns(tf.constant(["a"]))[0],
        lambda: of.infer_real_valued_columns(_features(tf)["words"])[0],
        lambda: of.infer_real_valued_columns({"p": tf.zeros([2, 3, 2])})[0].dimension,
        lambda: of.infer_real_valued_columns(tf.zeros([2, 3], tf.int32))[0].dtype,
    ):
        stage.attempt(lambda: getattr(make(), "name", "made"))  # noqa: B023  called here


def parsed(tf, stage):
    of = tf.contrib.layers
    features, feature = tf.train.Features, tf.train.Feature

    def strings(*given):
        return feature(bytes_list=tf.train.BytesList(value=list(given)))

    def floats(*given):
        return feature(float_list=tf.train.FloatList(value=given))

    first = tf.train.Example(features=features(feature={"words": strings(b"a", b"c")}))
    second = tf.train.Example(features=features(feature={"price": floats(3.0, 4.0)}))
    columns = [_columns(tf)[name] for name in ("keys", "bucketized", "one_hot")]
    found = of.parse_feature_columns_from_examples(
        [first.SerializeToString(deterministic=True), second.SerializeToString()], columns, "own"
    )
    steps = tf.train.SequenceExample(
        context=features(feature={"age": feature(int64_list=tf.train.Int64List(value=[4]))}),
        feature_lists=tf.train.FeatureLists(
            feature_list={
                "price": tf.train.FeatureList(feature=[floats(1.0, 2.0), floats(3.0, 4.0)]),
                "words": tf.train.FeatureList(feature=[strings(b"a"), strings(), strings(b"c")]),
            }
        ),
    ).SerializeToString(deterministic=True)
    context, sequence = of.parse_feature_columns_from_sequence_examples(
        steps, [_columns(tf)["age"]], [columns[0], _columns(tf)["price"]], "steps"
    )
    alone = of.parse_feature_columns_from_sequence_examples(steps, None, [_columns(tf)["price"]])
    stage.attempts(
        lambda: of.parse_feature_columns_from_sequence_examples([steps, steps], None, None),
        lambda: of.parse_feature_columns_from_sequence_examples(steps, [columns[0]] * 2, None),
    )
    made = of.make_place_holder_tensors_for_base_features([*columns, _columns(tf)["price"]])
    stage.say(sorted((name, str(x)) for name, x in made.items()))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        for each in (found, context, sequence, alone[1]):
            names = sorted(each, key=str)
            stage.say(session.run([each[name] for name in names]))


def heads(tf, stage):
    of = tf.contrib.layers
    logits = tf.constant([[0.5], [-1.0], [2.0], [0.0]])
    weights = {"w": tf.constant([[1], [0], [2], [3]])}
    mean = lambda p, y, weights=None: tf.metrics.mean(p, weights)  # noqa: E731
    cases = {
        "regression": (lambda: of.regression_target(), logits, [0.0, 1.0, 2.0, 1.0], {"m": mean})
    }
    for name, (make, given, target, metrics) in cases.items():
        stage.say(name)
        with stage.failing(), tf.Session() as session:
            head = make()
            target = tf.convert_to_tensor(target)
            stage.say(head.problem_type, head.label_name, head.weight_column_name)
            stage.say(head.num_label_columns, head.get_weight_tensor(weights))
            stage.attempts(
                lambda: session.run(head.training_loss(given, target, weights, name="own"))  # noqa: B023
            )
            found = head.get_eval_ops(weights, given, target, metrics)
            session.run(tf.local_variables_initializer())
            names = sorted(found, key=str)
            stage.say(names, session.run([found[key][1] for key in names]))
            stage.say(session.run([found[key][0] for key in names]))


def vocabulary_files(tf, stage):
    of = tf.contrib.layers
    path = stage.folder + "/words"
    with open(path, "w") as file:
        file.write("a\nzz\n7\n")
    features = _features(tf)
    made = of.sparse_column_with_vocabulary_file
    columns = {
        "plain": made("words", path, vocab_size=3),
        "outside": made("words", path, 2, 3, combiner="mean"),
        "default": made("words", path, vocab_size=2, default_value=1),
        "integers": made("numbers", path, vocab_size=3, dtype=tf.int64),
    }
    for name, column in columns.items():
        stage.say(name, column.length, column.combiner)
        found = of.transform_features(features, [column])[column]
        with tf.Session() as session:
            session.run(tf.tables_initializer())
            stage.say(session.run(found))
    ids = columns["plain"]
    with np.errstate(all="ignore"):
        stage.say(ids.is_compatible(columns["default"]), ids.is_compatible(columns["outside"]))
    stage.say(ids.is_compatible(of.sparse_column_with_keys("words", ["a", "zz", "7"])))
