"""The model of TensorFlow's old translation tutorial: buckets, attention, clipped gradients, greedy decoding."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6
BUCKETS = [(2, 3), (4, 4)]
SIZE, SOURCE, TARGET = 5, 9, 8
GO, END = 1, 2


class Model:
    def __init__(self, tf, forward_only):
        seq2seq, cells = tf.contrib.legacy_seq2seq, tf.nn.rnn_cell
        self.rate = tf.Variable(0.5, trainable=False, dtype=tf.float32)
        self.slower = self.rate.assign(self.rate * 0.9)
        self.step = tf.Variable(0, trainable=False)
        w = tf.get_variable("proj_w", [TARGET, SIZE])
        w_t = tf.transpose(w)
        b = tf.get_variable("proj_b", [TARGET])

        def softmax(labels, logits):
            logits = tf.nn.xw_plus_b(logits, w_t, b)
            return tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=tf.reshape(labels, [-1]), logits=logits
            )

        def model(encoder_inputs, decoder_inputs):
            cell = cells.MultiRNNCell([cells.GRUCell(SIZE) for _ in range(2)])
            return seq2seq.embedding_attention_seq2seq(
                encoder_inputs,
                decoder_inputs,
                cell,
                num_encoder_symbols=SOURCE,
                num_decoder_symbols=TARGET,
                embedding_size=SIZE,
                output_projection=(w_t, b),
                feed_previous=forward_only,
                dtype=tf.float32,
            )

        def holders(count, name, dtype=tf.int32):
            return [tf.placeholder(dtype, [None], name=name + str(i)) for i in range(count)]

        self.read = holders(BUCKETS[-1][0], "encoder")
        self.said = holders(BUCKETS[-1][1] + 1, "decoder")
        self.weights = holders(BUCKETS[-1][1] + 1, "weight", tf.float32)
        targets = self.said[1:]
        self.outputs, self.losses = seq2seq.model_with_buckets(
            self.read,
            self.said,
            targets,
            self.weights,
            BUCKETS,
            model,
            softmax_loss_function=softmax,
        )
        if forward_only:
            self.outputs = [
                [tf.matmul(output, w_t) + b for output in outputs] for outputs in self.outputs
            ]
            return
        params = tf.trainable_variables()
        self.updates, self.norms = [], []
        optimizer = tf.train.GradientDescentOptimizer(self.rate)
        for loss in self.losses:
            clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, params), 5.0)
            self.norms.append(norm)
            pairs = zip(clipped, params)
            self.updates.append(optimizer.apply_gradients(pairs, global_step=self.step))

    def feed(self, bucket, sources, answers):
        """The feeds for sentences as long as the bucket."""
        read, said = BUCKETS[bucket]
        rows = len(sources)
        feed = {self.read[i]: sources[:, -1 - i] for i in range(read)}
        feed[self.said[0]] = np.full(rows, GO)
        for i in range(said):
            feed[self.said[i + 1]] = answers[:, i] if i < said - 1 else np.full(rows, END)
            feed[self.weights[i]] = np.full(rows, 1.0 if i < said - 1 else 0.5, np.float32)
        return feed


def build(tf):
    rng = np.random.RandomState(9)
    with tf.variable_scope("translation"):
        model = Model(tf, forward_only=False)
    with tf.variable_scope("translation", reuse=True):
        answering = Model(tf, forward_only=True)
    steps = [("initialize", tf.global_variables_initializer())]
    for number in range(4):
        bucket = number % 2
        sources = rng.randint(3, SOURCE, [3, BUCKETS[bucket][0]])
        answers = rng.randint(3, TARGET, [3, BUCKETS[bucket][1]])
        feed = model.feed(bucket, sources, answers)
        steps.append((f"loss {number}", [model.losses[bucket], model.norms[bucket]], feed))
        steps.append((f"train {number}", model.updates[bucket], feed))
    steps += [("slower", model.slower), ("steps", model.step)]
    feed = answering.feed(1, rng.randint(3, SOURCE, [1, 4]), rng.randint(3, TARGET, [1, 4]))
    steps.append(("answer", answering.outputs[1], feed))
    return {"facts": {"variables": [v.name for v in tf.trainable_variables()]}, "steps": steps}
