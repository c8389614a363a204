"""Trainers killed by kill -9 at random moments, repeatedly, and checks that they resume correctly.

    ci/soak kills 100             this many kills of each kind of trainer; also writes the figures to ci/results/
    ci/soak kills 20 --seed 7     at other moments; fewer than 20 kills are printed only

A trainer is fed by a queue or by tf.data, saves checkpoints and writes summaries; it prints each saved step. After each
kill, the next start must resume at the last saved step or later, all event files must be readable up to the truncated
end, and the next save must remove all half-written files.
"""

import argparse
import datetime
import glob
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(HERE))))

import tfmini as tf  # noqa: E402

KINDS = tuple(
    f"{session}, {feed}"
    for session in ("Supervisor", "MonitoredTrainingSession")
    for feed in ("queues", "tf.data")
)
EACH = 3  # steps between two checkpoints


def numbers(feed):
    """Four numbers per step."""
    if feed == "queues":
        return tf.train.batch([tf.train.range_input_producer(100).dequeue()], 4)
    dataset = tf.data.Dataset.range(100).map(lambda x: tf.cast(x, tf.int32), num_parallel_calls=2)
    dataset = dataset.shuffle(20).repeat().batch(4, drop_remainder=True).prefetch(2)
    return tf.data.make_one_shot_iterator(dataset).get_next()


def train(trainer, directory):
    """A trainer: prints `from STEP` on start and `saved STEP` for each checkpoint, until killed."""

    trainer, feed = trainer.split(", ")
    step = tf.train.get_or_create_global_step()
    number = numbers(feed)
    w = tf.get_variable("w", [200, 200])
    loss = tf.reduce_mean(tf.square(w)) + tf.reduce_mean(tf.to_float(number))
    tf.summary.scalar("loss", loss)
    update = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)

    def say(word, session, value=None):
        print(word, session.run(step) if value is None else value, flush=True)

    class Starting(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            say("from", session)

    class Saved(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            say("saved", session, global_step_value)

    if trainer == "MonitoredTrainingSession":
        scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=2))
        saver = tf.train.CheckpointSaverHook(
            directory, save_steps=EACH, scaffold=scaffold, listeners=[Saved()]
        )
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=directory,
            scaffold=scaffold,
            save_checkpoint_secs=None,
            save_summaries_steps=1,
            log_step_count_steps=2,
            hooks=[Starting(), saver],
        ) as session:
            while not session.should_stop():
                session.run(update)
    merged = tf.summary.merge_all()
    supervisor = tf.train.Supervisor(logdir=directory, save_model_secs=0, save_summaries_secs=1)
    with supervisor.managed_session() as session:
        say("from", session)
        while not supervisor.should_stop():
            summary, _ = session.run([merged, update])
            supervisor.summary_computed(session, summary)
            value = session.run(step)
            if value % EACH == 0:
                supervisor.saver.save(session, supervisor.save_path, global_step=step)
                say("saved", session, value)


def start(kind, directory, steps):
    """Starts a trainer and kills it after `steps` checkpoints and a random part of another; returns its lines."""
    trainer = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--trainer", kind, directory],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = []
    began = time.monotonic()
    for line in trainer.stdout:
        lines.append(line.split())
        if len(lines) == 1:
            began = time.monotonic()
        if len(lines) > steps:
            break
    between = (time.monotonic() - began) / max(1, steps)
    time.sleep(random.uniform(0, 2 * max(between, 0.01)))
    trainer.send_signal(signal.SIGKILL)
    rest, errors = trainer.communicate()
    lines += [line.split() for line in rest.splitlines() if len(line.split()) == 2]
    if not lines:
        raise SystemExit(errors)
    return lines


def unreadable(directory):
    """Damaged event and checkpoint files."""

    wrong = []
    for path in glob.glob(directory + "/*tfevents*"):
        try:
            for _ in tf.train.summary_iterator(path):
                pass
        except tf.errors.DataLossError as error:
            if "truncated" not in str(error):
                wrong.append(f"{os.path.basename(path)}: {error}")
    latest = tf.train.latest_checkpoint(directory)
    if latest:
        reader = tf.train.NewCheckpointReader(latest)
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)
        if not os.path.exists(latest + ".meta"):
            wrong.append(f"{latest} has no graph")
    return wrong


def stale(directory):
    """Files that belong to no listed checkpoint, after the first checkpoint following a kill."""
    expected = ("checkpoint", "graph.pbtxt")

    state = tf.train.get_checkpoint_state(directory)
    if state is None:
        return []
    listed = {os.path.basename(path) for path in state.all_model_checkpoint_paths}
    return [
        name
        for name in sorted(os.listdir(directory))
        if name not in expected
        and "tfevents" not in name
        and name.split(".ckpt-")[0] + ".ckpt-" + name.split(".ckpt-")[-1].split(".")[0]
        not in listed
    ]


def measure_kills(trainer, kills):
    """(kills, correct starts, errors, completed steps, maximum of unlisted files)."""
    wrongs, acknowledged, left = [], 0, 0
    with tempfile.TemporaryDirectory() as directory:
        for attempt in range(kills):
            before = set(stale(directory))
            lines = start(trainer, directory, random.randrange(0, 6))
            began = [int(value) for word, value in lines if word == "from"]
            saved = [int(value) for word, value in lines if word == "saved"]
            if began and began[0] < acknowledged:
                wrongs.append(f"kill {attempt}: {acknowledged} was saved, it starts at {began[0]}")
            acknowledged = max([acknowledged, *saved])
            wrongs += [f"kill {attempt}: {each}" for each in unreadable(directory)]
            if len(saved) > 2:  # so it has saved after the previous kill
                remains = sorted(before & set(stale(directory)))
                left = max(left, len(remains))
                half = [name for name in remains if ".tempstate" in name or "_temp_" in name]
                wrongs += [f"kill {attempt}: {name} remains" for name in half]
    return kills, len(wrongs), wrongs, acknowledged, left


def main():
    parser = argparse.ArgumentParser(
        prog="ci/soak kills",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kills", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trainer", nargs=2, metavar=("KIND", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trainer:
        return train(*arguments.trainer)
    rows = [
        "| trainer | kills | wrong | last step saved | unlisted |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    failed = []
    for index, trainer in enumerate(KINDS):
        random.seed(arguments.seed + index)
        kills, wrong, wrongs, last, left = measure_kills(trainer, arguments.kills)
        rows.append(f"| {trainer} | {kills} | {wrong} | {last} | {left} |")
        failed += wrongs
    print("\n".join(rows + failed))
    if arguments.kills >= 20:
        day = datetime.date.today().isoformat()
        with open(os.path.join(HERE, os.pardir, os.pardir, "results", "kills.md"), "w") as out:
            out.write(
                f"# Trainers killed, {day}\n\n`ci/soak kills {arguments.kills} --seed {arguments.seed}`, Python "
                f"{platform.python_version()}: kill -9 at random moments. Wrong is a start below a step whose "
                "checkpoint was said to be written,\na file that cannot be read, or one half written that the next "
                "save leaves. Unlisted: files of checkpoints that were to be\ndeleted when the kill came, at most; "
                "they stay, as in TensorFlow.\n\n" + "\n".join(rows) + "\n"
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
