"""A small training run: captured, measured for memory growth, and run under compute-sanitizer.

python -m tests.on_gpus.training [STEPS]    prints the losses of the first and the last steps, exactly
"""

import sys

import numpy as np

import tfmini as tf

STEPS = 60


class Training:
    """A network with two hidden layers, dropout and an embedding, trained by Adam; `step()` returns the loss."""

    def __init__(self, config=None):
        random = np.random.RandomState(0)
        self._pixels = random.rand(32, 20).astype("f")
        self._digits = random.randint(0, 5, 32).astype("i")
        self._words = random.randint(0, 50, 32).astype("i")
        tf.set_random_seed(3)
        x = self.x = tf.placeholder(tf.float32, [None, 20])
        y = self.y = tf.placeholder(tf.int32, [None])
        words = self.words = tf.placeholder(tf.int32, [None])
        table = tf.get_variable("table", [50, 12])
        hidden = tf.concat([x, tf.nn.embedding_lookup(table, words)], 1)
        for i, units in enumerate((24, 16, 5)):
            inputs = int(hidden.shape[1])
            weights = tf.get_variable(f"weights_{i}", [inputs, units])
            biases = tf.get_variable(f"biases_{i}", [units], initializer=tf.zeros_initializer())
            logits = tf.nn.bias_add(tf.matmul(hidden, weights), biases)
            hidden = tf.nn.dropout(tf.nn.relu(logits), rate=0.1)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        self.loss = tf.reduce_mean(losses)
        self.train = tf.train.AdamOptimizer(0.01).minimize(self.loss)
        self.session = tf.Session(config=config)
        self.session.run(tf.global_variables_initializer())

    def step(self):
        feeds = {self.x: self._pixels, self.y: self._digits, self.words: self._words}
        return float(self.session.run([self.loss, self.train], feeds)[0])


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    training = Training()
    losses = [training.step() for _ in range(steps)]
    print("\n".join(loss.hex() for loss in losses[:10] + losses[-10:]))


if __name__ == "__main__":
    main()
