"""Trains on digits read from TFRecord files, and resumes after being killed.

    python examples/records.py FOLDER                 # writes the digits there, trains, saves
    python examples/records.py FOLDER                 # resumes after being stopped or killed
    python examples/records.py FOLDER --reader queues # reads through queues and threads instead of tf.data
    python examples/records.py FOLDER --tensorboard   # shows how to view the summaries

The 1,797 scans shipped with scikit-learn become tf.train.Examples in three TFRecord files for training and one for
testing. tf.train.MonitoredTrainingSession saves the model, writes summaries of the loss and the weights, and resumes
from the latest checkpoint. TensorFlow 1.15 can read all of these files.
"""

import argparse
import os
import sys
import time

import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import tfmini as tf

PIXELS, CLASSES, BATCH, FILES = 64, 10, 50, 3


def write_records(folder):
    """Writes the scans as Examples, unless they exist; returns the files for training and testing."""
    train = [os.path.join(folder, f"train-{number}.tfrecord") for number in range(FILES)]
    test = os.path.join(folder, "test.tfrecord")
    if not os.path.exists(test):
        digits = load_digits()
        order = np.random.RandomState(0).permutation(len(digits.target))
        quarters = np.array_split(order, FILES + 1)
        for path, chosen in zip([*train, test], quarters):
            with tf.python_io.TFRecordWriter(path + ".part") as writer:
                for index in chosen:
                    pixels, digit = digits.data[index] / 16, digits.target[index]
                    writer.write(example(pixels, digit).SerializeToString())
            os.replace(path + ".part", path)  # a kill leaves no partial file under this name
    return train, test


def example(pixels, digit):
    """A scan and its digit as a tf.train.Example."""
    made = tf.train.Example()
    made.features.feature["pixels"].float_list.value.extend(pixels)
    made.features.feature["digit"].int64_list.value.append(digit)
    return made


FEATURES = {
    "pixels": tf.FixedLenFeature([PIXELS], tf.float32),
    "digit": tf.FixedLenFeature([], tf.int64),
}


def by_tf_data(paths):
    """Batches of pixels and digits: files interleaved, records parsed and shuffled, batches prefetched."""
    dataset = tf.data.Dataset.from_tensor_slices(paths)
    dataset = dataset.interleave(tf.data.TFRecordDataset, cycle_length=FILES)
    dataset = dataset.map(lambda record: tf.parse_single_example(record, FEATURES), 4)
    dataset = dataset.shuffle(500).repeat().batch(BATCH, drop_remainder=True).prefetch(2)
    batch = tf.data.make_one_shot_iterator(dataset).get_next()
    return batch["pixels"], batch["digit"]


def by_queues(paths):
    """The same through a file name queue, a reader, and an example queue filled by two threads."""
    names = tf.train.string_input_producer(paths)
    _, record = tf.TFRecordReader().read(names)
    parsed = tf.parse_single_example(record, FEATURES)
    return tf.train.shuffle_batch(
        [parsed["pixels"], parsed["digit"]],
        batch_size=BATCH,
        capacity=1000,
        min_after_dequeue=500,
        num_threads=2,
    )


READERS = {"tf.data": by_tf_data, "queues": by_queues}


def logits_of(pixels):
    """A layer of 100 units, and one number for each digit."""
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE):
        hidden = tf.layers.dense(pixels, 100, tf.nn.relu, name="hidden")
        return tf.layers.dense(hidden, CLASSES, name="digits")


def accuracy_of(path):
    """The accuracy on the scans of a file."""
    records = tf.data.TFRecordDataset(path).batch(1000)
    batch = tf.data.experimental.get_single_element(
        records.map(lambda record: tf.parse_example(record, FEATURES))
    )
    guesses = tf.argmax(logits_of(batch["pixels"]), axis=1)
    return tf.reduce_mean(tf.cast(tf.equal(guesses, batch["digit"]), tf.float32))


class Progress(tf.train.SessionRunHook):
    """Shows the step, the loss and the steps per second: as a bar on a terminal, else as occasional lines."""

    EVERY = 100  # steps between lines

    def __init__(self, steps, step, loss):
        self._tensors = {"step": step, "loss": loss}
        self._steps = steps
        self._bar = None

    def after_create_session(self, session, coord):
        self._first = session.run(self._tensors["step"])
        self._began = time.perf_counter()
        print(f"resuming at step {self._first}" if self._first else "starting", flush=True)
        if sys.stdout.isatty():
            self._bar = tqdm(total=self._steps, initial=int(self._first), unit="step")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._tensors)

    def after_run(self, run_context, run_values):
        # The step is read concurrently with its update: the number of steps before or after it.
        step, loss = run_values.results["step"], run_values.results["loss"]
        if self._bar is not None:
            self._bar.update(int(step) - self._bar.n)
            self._bar.set_postfix(loss=f"{loss:.4f}")
        elif step and step % self.EVERY == 0:
            rate = (step - self._first) / (time.perf_counter() - self._began)
            print(f"step {step}: loss {loss:.4f}, {rate:.0f} steps/s", flush=True)

    def end(self, session):
        if self._bar is not None:
            self._bar.close()


def train(folder, reader, steps):
    """Trains up to a step; returns the accuracy on the test file."""
    paths, test = write_records(folder)
    tf.set_random_seed(0)
    pixels, digits = READERS[reader](paths)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=digits, logits=logits_of(pixels))
    loss = tf.reduce_mean(losses)
    accuracy = accuracy_of(test)
    step = tf.train.get_or_create_global_step()
    update = tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=step)
    tf.summary.scalar("loss", loss)
    for weights in tf.trainable_variables():
        tf.summary.histogram("weights/" + weights.op.name, weights)
    final = tf.train.FinalOpsHook(accuracy)
    hooks = [tf.train.StopAtStepHook(last_step=steps), Progress(steps, step, loss), final]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=os.path.join(folder, "model"),
        save_checkpoint_steps=100,
        save_checkpoint_secs=None,
        save_summaries_steps=50,
        log_step_count_steps=None,
        hooks=hooks,
    ) as session:
        while not session.should_stop():
            session.run(update)
    return final.final_ops_values


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="folder of the records, the model and the summaries")
    parser.add_argument("--reader", choices=READERS, default="tf.data")
    parser.add_argument("--steps", type=int, default=1000, help="the last step")
    parser.add_argument(
        "--tensorboard", action="store_true", help="print how to view the summaries, and exit"
    )
    options = parser.parse_args()
    if options.tensorboard:
        print(f"tensorboard --logdir {os.path.join(options.folder, 'model')}")
        print("then open http://localhost:6006: SCALARS shows the loss, HISTOGRAMS the weights.")
        return
    os.makedirs(options.folder, exist_ok=True)
    tf.logging.set_verbosity(tf.logging.ERROR)  # suppresses deprecation warnings
    print(f"test accuracy: {train(options.folder, options.reader, options.steps):.3f}")


if __name__ == "__main__":
    main()
