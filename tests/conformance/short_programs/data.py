"""Datasets: errors, and effects of their options."""

from tests.conformance.short_programs import FILE, rows, table_of


def programs(tf):
    D = tf.data.Dataset
    more = tf.data.experimental

    def sparse():
        return tf.SparseTensor([[0, 0]], [1.0], [2, 2])

    def r(count=4):
        return D.range(count)

    def two():
        a, b = tf.data.Options(), tf.data.Options()
        a.experimental_deterministic, b.experimental_deterministic = True, False
        return r().with_options(a).with_options(b).options()

    def elements(dataset, count=3):
        following = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            found = []
            for _ in range(count):
                try:
                    found.append(session.run(following))
                except tf.errors.OutOfRangeError:
                    break
        return found

    def lines(**options):
        return elements(more.make_csv_dataset(FILE, 2, num_epochs=1, shuffle=False, **options))

    return rows(
        table_of(__file__),
        tf=tf, D=D, FILE=FILE, elements=elements, lines=lines, more=more, r=r, sparse=sparse, two=two,
    )  # fmt: skip
