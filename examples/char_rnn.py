"""Learns to write like Python's own manual, character by character: the topics of `help()`.

An LSTM is trained on nine tenths of the text, 64 characters at a time, with its state carried from step to step; the
last tenth is the test set. The saved weights are then restored by name into another graph, which reads one character at
a time and is fed samples from its predictions.

    python examples/char_rnn.py                                  # takes a minute or two
    python examples/char_rnn.py --steps 50 --seed "The class"
"""

import argparse
import os
import tempfile
from pydoc_data.topics import topics

import numpy as np
from tqdm import tqdm

import tfmini as tf

UNITS, LANES, LENGTH = 256, 32, 64


def load():
    """The manual's text, each paragraph once, as [n] ints, and the characters that they denote."""
    paragraphs = "\n\n".join(topics[name] for name in sorted(topics)).split("\n\n")
    text = "\n\n".join(dict.fromkeys(paragraphs))
    characters = sorted(set(text))
    codes = {character: code for code, character in enumerate(characters)}
    return np.array([codes[character] for character in text], np.int32), characters


class Reader:
    """The graph: it reads parallel lanes of characters and predicts the next one of each."""

    def __init__(self, lanes, characters):
        self.read = tf.placeholder(tf.int32, [lanes, None], name="read")
        self.coming = tf.placeholder(tf.int32, [lanes, None], name="coming")
        cell = tf.nn.rnn_cell.LSTMCell(UNITS, forget_bias=1.0)
        self.start = cell.zero_state(lanes, tf.float32)  # unless another state is fed
        inputs = tf.one_hot(self.read, characters)
        outputs, self.state = tf.nn.dynamic_rnn(cell, inputs, initial_state=self.start)
        weights = tf.get_variable("output/weights", [UNITS, characters])
        biases = tf.get_variable("output/biases", [characters], initializer=tf.zeros_initializer())
        logits = tf.nn.xw_plus_b(tf.reshape(outputs, [-1, UNITS]), weights, biases)
        self.chances = tf.nn.softmax(logits)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.reshape(self.coming, [-1]), logits=logits
        )
        self.bits = tf.reduce_mean(losses) / np.log(2)

    def trained(self, steps):
        """The operation of a training step, of `steps`, with a decaying rate."""
        step = tf.train.get_or_create_global_step()
        rate = tf.train.cosine_decay(1e-2, step, steps, alpha=0.02)
        variables = tf.trainable_variables()
        gradients, _ = tf.clip_by_global_norm(tf.gradients(self.bits, variables), 1.0)
        optimizer = tf.train.AdamOptimizer(rate)
        return optimizer.apply_gradients(zip(gradients, variables), global_step=step)


def windows(text):
    """The text in LANES lanes, LENGTH characters at a time: inputs and next characters."""
    length = (len(text) - 1) // LANES // LENGTH * LENGTH
    read = text[: LANES * length].reshape(LANES, length)
    coming = text[1 : LANES * length + 1].reshape(LANES, length)
    for begin in range(0, length, LENGTH):
        yield read[:, begin : begin + LENGTH], coming[:, begin : begin + LENGTH]


def train(text, held_out, characters, steps, path):
    """Trains on `text`, saves the weights at `path`; returns the bits per character of `held_out`."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(0)
        model = Reader(LANES, len(characters))
        update = model.trained(steps)
        session.run(tf.global_variables_initializer())
        progress = tqdm(total=steps, desc="training", unit="step")
        while progress.n < steps:
            state = session.run(model.start)
            for read, coming in windows(text):
                feed = {model.read: read, model.coming: coming, model.start: state}
                _, state, bits = session.run([update, model.state, model.bits], feed)
                progress.update()
                progress.set_postfix(bits=f"{bits:.2f}")
                if progress.n == steps:
                    break
        progress.close()
        tf.train.Saver(tf.trainable_variables()).save(session, path)

        state = session.run(model.start)
        found = []
        for read, coming in windows(held_out):
            feed = {model.read: read, model.coming: coming, model.start: state}
            state, bits = session.run([model.state, model.bits], feed)
            found.append(bits)
        return np.mean(found)


def sample(characters, path, seed, length, sharpness):
    """A text that begins with `seed`, generated with the weights at `path`, one character per run."""
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        model = Reader(1, len(characters))
        tf.train.Saver().restore(session, path)
        state = session.run(model.start)
        text = seed
        for position in range(len(seed) + length - 1):
            feed = {model.read: [[characters.index(text[position])]], model.start: state}
            chances, state = session.run([model.chances, model.state], feed)
            if position >= len(seed) - 1:
                likely = chances[0].astype(np.float64) ** sharpness
                text += random.choice(characters, p=likely / likely.sum())
        return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=800, help="number of training steps")
    parser.add_argument("--seed", default="The ", help="beginning of the sample")
    parser.add_argument(
        "--length", type=int, default=600, help="length of the sample in characters"
    )
    options = parser.parse_args()
    tf.logging.set_verbosity(tf.logging.ERROR)

    text, characters = load()
    end = len(text) * 9 // 10
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "characters")
        bits = train(text[:end], text[end:], characters, options.steps, path)
        print(sample(characters, path, options.seed, options.length, 1.5))
    print(f"held-out text: {bits:.2f} bits per character")


if __name__ == "__main__":
    main()
