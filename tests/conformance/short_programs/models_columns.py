"""Feature columns: results with non-default options, and errors."""

from tests.conformance.short_programs import rows, table_of


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
        "embedded",
        *[
            lambda c=c: layer(
                C.embedding_column(ids(), 2, c, tf.constant_initializer(list(range(10)))),
                k=[[1, 3], [4, 4]],
            )
            for c in ("mean", "sum", "sqrtn")
        ],
    )
    more = tf.contrib.feature_column
    sequence = more.sequence_categorical_column_with_identity("k", 5, 0)
    steps = tf.SparseTensor([[0, 0], [0, 2], [1, 0]], tf.constant([1, 2, 4], tf.int64), [2, 3])
    written = rows(
        table_of(__file__),
        tf=tf, C=C, found=found, ids=ids, layer=layer, more=more, ones=ones, sequence=sequence, spec=spec, steps=steps,
        sums=sums, vocabulary=vocabulary, words=words,
    )  # fmt: skip
    return {**found, **written}
