"""Learns word meanings from neighbouring words in Python's own manual: the topics of `help()`.

Skip-gram: a model predicts the words around each word. Because there are thousands of candidates, it only
distinguishes the right one from 64 random words per batch (noise-contrastive estimation). The rows of its embedding
table are word vectors; similar words have similar vectors.

    python examples/word2vec.py                                # takes half a minute
    python examples/word2vec.py --steps 60000 --words tuple lambda
"""

import argparse
import collections
import re
from pydoc_data.topics import topics

import numpy as np
from tqdm import tqdm

import tfmini as tf

WIDTH, BATCH, SAMPLED, WINDOW = 96, 256, 64, 4


def load(least):
    """The manual as an array of word numbers, and the words that occur `least` times, the most frequent first."""
    paragraphs = "\n\n".join(topics[name] for name in sorted(topics)).split("\n\n")
    text = "\n".join(dict.fromkeys(paragraphs)).lower()
    found = re.findall(r"[a-z_]{2,}", text)
    counts = collections.Counter(found).most_common()
    words = [word for word, count in counts if count >= least]
    numbers = {word: number for number, word in enumerate(words)}
    return np.array([numbers[word] for word in found if word in numbers]), words


def pairs(text, random):
    """Each word with a neighbour, in random order; frequent words are subsampled."""
    counts = np.bincount(text)[text] / len(text)
    kept = text[random.rand(len(text)) < np.sqrt(1e-3 / counts)]
    distances = random.randint(1, WINDOW + 1, len(kept)) * random.choice([-1, 1], len(kept))
    places = np.arange(len(kept))
    beside = np.clip(places + distances, 0, len(kept) - 1)
    order = random.permutation(places[beside != places])
    return kept[order], kept[beside[order]]


def batches(text, random):
    """Endless batches of words and of their neighbours."""
    while True:
        words, beside = pairs(text, random)
        for start in range(0, len(words) - BATCH + 1, BATCH):
            yield words[start : start + BATCH], beside[start : start + BATCH, None]


class Vectors:
    """The graph: feeds, training operation, outputs."""

    def __init__(self, words, steps):
        self.words = tf.placeholder(tf.int32, [None], name="words")
        self.beside = tf.placeholder(tf.int32, [None, 1], name="beside")
        table = tf.get_variable(
            "vectors", [words, WIDTH], initializer=tf.random_uniform_initializer(-0.5, 0.5)
        )
        weights = tf.get_variable(
            "nce/weights", [words, WIDTH], initializer=tf.truncated_normal_initializer(0, 0.1)
        )
        biases = tf.get_variable("nce/biases", [words], initializer=tf.zeros_initializer())
        losses = tf.nn.nce_loss(
            weights=weights,
            biases=biases,
            labels=self.beside,
            inputs=tf.nn.embedding_lookup(table, self.words),
            num_sampled=SAMPLED,
            num_classes=words,
        )
        self.loss = tf.reduce_mean(losses)
        step = tf.train.get_or_create_global_step()
        rate = tf.train.polynomial_decay(1.0, step, steps, end_learning_rate=0.1)
        self.train = tf.train.AdagradOptimizer(rate).minimize(self.loss, global_step=step)

        directions = tf.nn.l2_normalize(table, axis=1)
        asked = tf.nn.embedding_lookup(directions, self.words)
        alike = tf.matmul(asked, directions, transpose_b=True)
        _, self.nearest = tf.nn.top_k(alike, k=7)  # the word itself is the first


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=12000, help="number of training steps")
    parser.add_argument(
        "--least", type=int, default=5, help="minimum number of occurrences of a word"
    )
    asked = ["list", "integer", "exception", "class", "import", "async", "true", "argument"]
    parser.add_argument(
        "--words", nargs="+", default=asked, help="words whose neighbours are printed"
    )
    options = parser.parse_args()

    text, words = load(options.least)
    unknown = [word for word in options.words if word not in words]
    if unknown:
        parser.error(f"the manual does not say {', '.join(unknown)} often enough")
    print(f"{len(text)} words, {len(words)} of them distinct")
    random = np.random.RandomState(0)
    tf.set_random_seed(0)
    model = Vectors(len(words), options.steps)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = []
        progress = tqdm(range(options.steps), desc="training", unit="step", mininterval=0.5)
        for _, (read, beside) in zip(progress, batches(text, random)):
            feed = {model.words: read, model.beside: beside}
            _, loss = session.run([model.train, model.loss], feed)
            losses.append(loss)
            if len(losses) % 500 == 0:
                progress.set_postfix(loss=f"{np.mean(losses[-500:]):.3f}")
        print(
            f"loss: {np.mean(losses[:100]):.2f} initially, {np.mean(losses[-100:]):.2f} at the end"
        )

        numbers = [words.index(word) for word in options.words]
        for number, nearest in zip(numbers, session.run(model.nearest, {model.words: numbers})):
            print(
                f"{words[number]}: {', '.join(words[near] for near in nearest if near != number)}"
            )


if __name__ == "__main__":
    main()
