"""Columns of sequences into a recurrent network; shared embeddings in two layers."""

from tests.support.programs.table_names import in_order


def build(tf):
    with in_order():
        return of_columns(tf)


def of_columns(tf):
    columns, more = tf.feature_column, tf.contrib.feature_column
    rating = more.sequence_numeric_column("rating", shape=(2,), default_value=-1.0)
    watched = more.sequence_categorical_column_with_identity("watched", 5)
    word = more.sequence_categorical_column_with_vocabulary_list("word", ["a", "b"])
    hashed = more.sequence_categorical_column_with_hash_bucket("hashed", 3)
    places = [[0, 0], [0, 1], [2, 0]]
    features = {
        "rating": tf.SparseTensor(
            [[0, 0], [0, 1], [0, 2], [0, 3], [2, 0], [2, 1]], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 4]
        ),
        "watched": tf.SparseTensor(places, [1, 4, 2], [3, 2]),
        "word": tf.SparseTensor(places, ["a", "b", "c"], [3, 2]),
        "hashed": tf.SparseTensor(places, ["a", "b", "c"], [3, 2]),
    }
    used = [
        rating,
        columns.embedding_column(watched, 3),
        columns.indicator_column(word),
        columns.embedding_column(hashed, 2),
    ]
    inputs, lengths = more.sequence_input_layer(features, used)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), inputs, lengths, dtype=tf.float32)
    left = columns.categorical_column_with_identity("left", 6)
    right = columns.categorical_column_with_identity("right", 6)
    shared = columns.shared_embedding_columns([right, left], 2)
    ids = {"left": tf.constant([[1], [2]]), "right": tf.constant([[3], [1]])}
    one = columns.input_layer(ids, shared)
    with tf.variable_scope("again"):
        two = columns.input_layer(ids, shared[:1])
    named = columns.shared_embedding_columns([left, right], 3, shared_embedding_collection_name="n")
    three = columns.input_layer(ids, named)
    return {
        "facts": {
            "names": [v.name for v in tf.global_variables()],
            "shapes": [str(inputs.shape), str(lengths.shape)],
            "spec": [
                [k, str(v)] for k, v in sorted(columns.make_parse_example_spec(shared).items())
            ],
        },
        "steps": [
            ("init", [tf.global_variables_initializer(), tf.tables_initializer()]),
            ("outputs", [inputs, lengths, outputs]),
            ("shared", [one, two, three]),
        ],
    }
