"""tf.train.SequenceExample records parsed: a context, and lists of features."""


def record(tf, context, **lists):
    """A serialized SequenceExample of ints and floats; None is a feature of no kind."""

    def feature(values, kind):
        if values is None:
            return tf.train.Feature()
        if kind is int:
            return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))

    made = tf.train.SequenceExample(
        context=tf.train.Features(feature={k: feature(v, int) for k, v in context.items()}),
        feature_lists=tf.train.FeatureLists(
            feature_list={
                key: tf.train.FeatureList(feature=[feature(row, kind) for row in rows])
                for key, (kind, rows) in lists.items()
            }
        ),
    )
    return made.SerializeToString()


def in_order(parsed):
    return [parsed[key] for key in sorted(parsed)]


def build(tf):
    serialized = tf.placeholder(tf.string, [], name="serialized")
    context, lists = tf.parse_single_sequence_example(
        serialized,
        context_features={
            "length": tf.FixedLenFeature([], tf.int64),
            "size": tf.FixedLenFeature([2], tf.int64, default_value=[3, 4]),
            "tags": tf.VarLenFeature(tf.int64),
        },
        sequence_features={
            "tokens": tf.FixedLenSequenceFeature([], tf.int64),
            "pairs": tf.FixedLenSequenceFeature([2], tf.float32),
            "ragged": tf.VarLenFeature(tf.float32),
            "missing": tf.FixedLenSequenceFeature([3], tf.string, allow_missing=True),
        },
    )
    only_lists = tf.io.parse_single_sequence_example(
        serialized,
        sequence_features={"tokens": tf.FixedLenSequenceFeature([], tf.int64)},
        example_name="the name",
        name="lists",
    )[1]
    only_context = tf.io.parse_single_sequence_example(
        serialized, {"length": tf.FixedLenFeature([], tf.int64)}
    )[0]
    batch = tf.placeholder(tf.string, [None], name="batch")
    padded = tf.io.parse_sequence_example(
        batch,
        {
            "length": tf.FixedLenFeature([], tf.int64),
            "size": tf.FixedLenFeature([2], tf.int64, default_value=[3, 4]),
            "tags": tf.VarLenFeature(tf.int64),
        },
        {
            "tokens": tf.FixedLenSequenceFeature([], tf.int64),
            "pairs": tf.FixedLenSequenceFeature([2], tf.float32),
            "ragged": tf.VarLenFeature(tf.float32),
            "missing": tf.FixedLenSequenceFeature([3], tf.string, allow_missing=True),
        },
    )
    long = record(
        tf,
        {"length": [3], "tags": [1, 2], "size": [5, 6]},
        tokens=(int, [[1], [2], [300]]),
        pairs=(float, [[1.0, 2.0], [3.0, 4.0]]),
        ragged=(float, [[1.0], [], None, [2.0, 3.0]]),
    )
    short = record(tf, {"length": [1]}, tokens=(int, [[9]]), pairs=(float, []), ragged=(float, []))
    return {
        "steps": [
            ("context", in_order(context), {serialized: long}),
            ("lists", in_order(lists), {serialized: long}),
            ("short", in_order(context) + in_order(lists), {serialized: short}),
            ("only lists", in_order(only_lists), {serialized: long}),
            ("batch", [in_order(part) for part in padded], {batch: [long, short]}),
            ("only context", in_order(only_context), {serialized: short}),
        ]
    }
