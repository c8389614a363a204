"""The progress line of a training session on a terminal, tested on a pty."""

import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.monitored.progress_values import leaves, scalars_to_show

pty = pytest.importorskip("pty")

MODEL = """
import os
import sys
import tfmini as tf

tf.logging.set_verbosity(tf.logging.ERROR)
step = tf.train.get_or_create_global_step()
x = tf.get_variable("x", initializer=4.0)
loss = tf.square(x)
tf.losses.add_loss(loss)
train = tf.train.GradientDescentOptimizer(0.0).minimize(loss, global_step=step)
hooks = [tf.train.StopAtStepHook(3)]
"""
SESSION = """
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    while not session.should_stop():
        session.run(train)
"""
ESTIMATOR = """
import tempfile
import tfmini as tf

def model(features, labels, mode):
    w = tf.get_variable("w", initializer=2.0)
    loss = tf.reduce_mean(tf.square(w * features))
    optimizer = tf.train.GradientDescentOptimizer(0.0)
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

def data():
    return tf.data.Dataset.from_tensors(([1.0], [1.0])).repeat()

tf.logging.set_verbosity(tf.logging.ERROR)
tf.estimator.Estimator(model, tempfile.mkdtemp()).train(data, steps=5)
"""
RATE = r"  [\d,.e+]+ steps/s"


def on_a_terminal(source, **variables):
    """A program's terminal output and exit status."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(source)],
        **{"stdin": its, "stdout": its, "stderr": its, "env": {**os.environ, **variables}},
    ) as process:
        os.close(its)
        written = b""
        while True:
            try:
                block = os.read(ours, 1 << 16)
            except OSError:  # Linux: the other end is closed
                break
            if not block:
                break
            written += block
    os.close(ours)
    return written.decode(), process.returncode


def screen(written):
    """The lines of a terminal after this output."""
    lines, column = [""], 0
    for part in re.findall(r"\r|\n|\x1b\[K|[^\r\n\x1b]+", written):
        if part == "\r":
            column = 0
        elif part == "\n":
            lines.append("")
            column = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            line = lines[-1].ljust(column)
            lines[-1] = line[:column] + part + line[column + len(part) :]
            column += len(part)
    return lines


def test_last_line_shows_step_loss_and_rate():
    written, status = on_a_terminal(MODEL + SESSION)
    last, end = screen(written)
    assert status == 0 and not end
    assert re.fullmatch(rf"step 3  loss 16{RATE}", last)
    assert "step 1  loss 16\r" in written  # the first step was shown on the same line


def test_estimator_shows_fetched_loss():
    written, status = on_a_terminal(ESTIMATOR)
    last, end = screen(written)
    assert status == 0 and not end
    assert re.fullmatch(rf"step 5  loss 4{RATE}", last)


def test_program_output_stays_on_whole_lines():
    loop = """
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    while not session.should_stop():
        session.run(train)
        print("printed")
        tf.logging.error("logged")
        print("unfinished", end="", file=sys.stderr)
        print(" and finished", file=sys.stderr)
"""
    written, status = on_a_terminal(MODEL + loop)
    *printed, last, end = screen(written)
    assert status == 0 and not end
    assert printed == ["printed", "ERROR:tensorflow:logged", "unfinished and finished"] * 3
    assert re.fullmatch(rf"step 3  loss 16{RATE}", last)


def test_error_output_starts_on_new_line():
    loop = """
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    session.run(train)
    raise SystemExit("stopped")
"""
    written, status = on_a_terminal(MODEL + loop)
    assert status == 1
    assert screen(written) == ["step 1  loss 16", "stopped", ""]


def test_failed_session_restores_stdout():
    loop = """
class Fails(tf.train.SessionRunHook):
    def after_create_session(self, session, coord):
        raise ValueError

writes = sys.stdout.write
try:
    tf.train.MonitoredTrainingSession(hooks=[Fails()])
except ValueError:
    print(sys.stdout.write == writes)
"""
    written, _ = on_a_terminal(MODEL + loop)
    assert screen(written) == ["True", ""]


@pytest.mark.parametrize(
    "line, variables",
    [
        ("", {"TFMINI_PROGRESS": "0"}),
        ("sys.stderr = open(os.devnull, 'w')", {}),
        ("tf.logging.set_verbosity(tf.logging.INFO)", {}),
    ],
    ids=["by a variable", "no terminal", "INFO is on"],
)
def test_progress_can_be_disabled(line, variables):
    written, status = on_a_terminal(f"{MODEL}{line}\n{SESSION}", **variables)
    assert status == 0 and "steps/s" not in written and "\x1b" not in written


def test_pipe_receives_no_progress():
    process = subprocess.run(
        [sys.executable, "-c", MODEL + SESSION], capture_output=True, text=True, check=True
    )
    assert (process.stdout, process.stderr) == ("", "")


class TestShownScalars:
    def test_fetched_scalars_take_precedence(self, graph):
        loss, step = tf.constant(1.0), tf.constant(1, tf.int64)
        vector = tf.constant([1.0])
        fetched = [[loss], (vector, {"step": step}), vector.op]
        assert scalars_to_show(list(leaves(fetched)), [tf.constant(2.0)]) == [loss]

    def test_loss_needing_more_than_step_is_skipped(self, graph):
        x, other = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        drawn = tf.random_uniform([])
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        step = tf.group(v.assign_add(x), drawn.op)
        losses = [tf.square(x), v * x, x + drawn]
        unsafe = [x * other, x + tf.random_uniform([]), tf.stack([x])]
        result = scalars_to_show([step], losses + unsafe)
        assert list(map(id, result)) == list(map(id, losses))

    def test_loop_value_is_skipped(self, graph):
        inner = []

        def body(i):
            inner.append(tf.sin(i))
            return i + 1.0

        tf.while_loop(lambda i: i < 3, body, [np.float32(0)])
        assert scalars_to_show(inner, inner) == []
