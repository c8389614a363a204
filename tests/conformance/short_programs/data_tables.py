"""Tables of `tf.lookup` and `tf.contrib.lookup`."""

from tests.conformance.short_programs import FILE, rows, table_of


def programs(tf):
    L = tf.lookup

    def table():
        values = tf.constant([1, 2], tf.int64)
        return L.StaticHashTable(L.KeyValueTensorInitializer(["a", "b"], values), -1)

    C = tf.contrib.lookup
    return rows(
        table_of(__file__),
        tf=tf, C=C, FILE=FILE, L=L, _filled=_filled, table=table,
    )  # fmt: skip


def _filled(tf, table):
    with tf.control_dependencies([table.insert(["a", "b"], [[3.0, 4.0], [5.0, 6.0]])]):
        removed = table.remove(tf.constant(["a", "q"]))
    with tf.control_dependencies([removed]):
        return [table.lookup(tf.constant(["a", "b"])), table.size(), table.export()[0][:0]]
