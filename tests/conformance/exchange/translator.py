"""An encoder, and a decoder with attention: trained by teacher forcing, decoded by beam search."""

FEEDS = {
    "source": [[1, 2, 3, 4], [5, 2, 0, 0], [3, 3, 1, 0]],
    "lengths": [4, 2, 3],
    "target": [[4, 3, 2, 1], [2, 5, 1, 1], [1, 3, 3, 1]],
}
PACKAGES = ["seq2seq"]
WORDS, UNITS, BEAMS, END = 6, 4, 3, 1


def build(tf):
    seq2seq = tf.contrib.seq2seq
    source = tf.placeholder(tf.int32, [None, None], name="source")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    target = tf.placeholder(tf.int32, [None, 4], name="target")
    table = tf.get_variable("table", [WORDS, 3])
    inputs = tf.nn.embedding_lookup(table, source)
    memory, code = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(UNITS), inputs, lengths, dtype=tf.float32, scope="encoder"
    )
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    out = tf.layers.Dense(WORDS, use_bias=False, name="out")
    rows = tf.shape(source)[0]

    def attentive(memory, lengths, code, rows):
        mechanism = seq2seq.LuongAttention(UNITS, memory, lengths)
        wrapped = seq2seq.AttentionWrapper(cell, mechanism, attention_layer_size=UNITS)
        return wrapped, wrapped.zero_state(rows, tf.float32).clone(cell_state=code)

    with tf.variable_scope("decoder"):
        wrapped, start = attentive(memory, lengths, code, rows)
        before = tf.pad(target[:, :-1], [[0, 0], [1, 0]])
        helper = seq2seq.TrainingHelper(
            tf.nn.embedding_lookup(table, before), tf.fill([rows], 4), name="teacher"
        )
        teacher = seq2seq.BasicDecoder(wrapped, helper, start, out)
        taught, _, _ = seq2seq.dynamic_decode(teacher)
    logits = tf.reshape(taught.rnn_output, [rows, 4, WORDS])
    loss = seq2seq.sequence_loss(logits, target, tf.ones([rows, 4]), name="loss")
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
    train = tf.train.AdamOptimizer(0.05).apply_gradients(zip(gradients, variables))

    with tf.variable_scope("decoder", reuse=True):
        tiled = [seq2seq.tile_batch(t, BEAMS) for t in (memory, lengths, code)]
        wrapped, start = attentive(*tiled, rows=rows * BEAMS)
        reader = seq2seq.BeamSearchDecoder(
            wrapped, table, tf.zeros([rows], tf.int32), END, start, BEAMS, out
        )
        read, _, ends = seq2seq.dynamic_decode(reader, maximum_iterations=6)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {
            "logits": logits,
            "ids": read.predicted_ids,
            "scores": read.beam_search_decoder_output.scores,
            "ends": ends,
        },
    }
