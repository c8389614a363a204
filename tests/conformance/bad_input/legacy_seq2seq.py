"""tf.contrib.legacy_seq2seq and attention cells: no inputs, unknown sizes, lists of different lengths, no cells."""


def words(tf, count=2, shape=(2,)):
    return [tf.zeros(shape, tf.int32, name=f"word{n}") for n in range(count)]


def vectors(tf, count=2, shape=(2, 3)):
    return [tf.ones(shape, name=f"vector{n}") for n in range(count)]


def attend(tf, inputs=None, memory=(2, 3, 4), **options):
    seq2seq, cell = tf.contrib.legacy_seq2seq, tf.nn.rnn_cell.GRUCell(4)
    inputs = vectors(tf) if inputs is None else inputs
    memory = tf.placeholder(tf.float32, memory, name="memory")
    return seq2seq.attention_decoder(inputs, tf.ones([2, 4]), memory, cell, **options)


def biases_of_another_size(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)
    projection = (tf.ones([4, 5]), tf.ones([7]))
    return tf.contrib.legacy_seq2seq.embedding_attention_seq2seq(
        words(tf), words(tf), cell, 5, 5, 3, output_projection=projection
    )


def projection_of_a_tied_model_of_another_size(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)
    projection = (tf.ones([4, 7]), tf.ones([7]))
    return tf.contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq(
        words(tf), words(tf), cell, 5, 3, output_projection=projection
    )


def cell_called_twice_in_one_scope(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)
    tf.contrib.legacy_seq2seq.rnn_decoder(vectors(tf), tf.ones([2, 4]), cell, scope="same")
    other = tf.nn.rnn_cell.GRUCell(4)
    return tf.contrib.legacy_seq2seq.rnn_decoder(vectors(tf), tf.ones([2, 4]), other, scope="same")


def many(tf, cell=None, decoders=None, inputs=None):
    cell = tf.nn.rnn_cell.GRUCell(4) if cell is None else cell
    decoders = {"a": tf.nn.rnn_cell.GRUCell(4)} if decoders is None else decoders
    inputs = {"a": words(tf)} if inputs is None else inputs
    return tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq(
        words(tf), inputs, cell, decoders, 5, {"a": 5}, 3
    )


def buckets(tf, read=3, said=3, weighed=3):
    ones = [tf.ones([2]) for _ in range(weighed)]
    cell = tf.nn.rnn_cell.GRUCell(3)
    return tf.contrib.legacy_seq2seq.model_with_buckets(
        vectors(tf, read),
        vectors(tf, 3),
        words(tf, said),
        ones,
        [(2, 2), (3, 3)],
        lambda x, y: tf.contrib.legacy_seq2seq.basic_rnn_seq2seq(x, y, cell),
    )
