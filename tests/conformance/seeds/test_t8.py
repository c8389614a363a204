"""Row T8: pre-1.0 spellings under the runner; spellings that 1.15.5 accepts with a warning; errors with a hint."""

import subprocess
import sys
from pathlib import Path

import pytest

import tfmini as tf
from tests.support import snippets

OLD = Path(__file__).with_name("old") / "t8_old.py"

# The notice for each name that the program uses in its old spelling.
SAID = [
    *("tf.concat_v2", "tf.pack", "tf.unpack", "tf.mul", "tf.sub", "tf.neg", "tf.select"),
    *("tf.scalar_summary", "tf.image_summary", "tf.merge_all_summaries", "tf.train.SummaryWriter"),
]
ORDERS = [
    *("tf.concat", "tf.split", "tf.nn.nce_loss", "tf.nn.softmax_cross_entropy_with_logits"),
    "tf.nn.sigmoid_cross_entropy_with_logits",
]


@pytest.mark.parametrize("name", ["t8_present", "t8_accepted"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)


def test_old_spellings_print_the_same():
    command = [sys.executable, "-m", "tfmini", "run", str(OLD)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    with open(snippets.path_of_golden("t8_present"), encoding="utf8") as file:
        assert snippets.same(file.read(), process.stdout)
    for name in SAID:
        assert f"{name} predates TensorFlow 1.0" in process.stderr
    for name in ORDERS:
        assert f"arguments of {name} are in the order from before TensorFlow 1.0" in process.stderr
    assert process.stderr.count("tf.mul predates") == 1  # once per name


def test_strict_mode_refuses_old_spellings():
    command = [sys.executable, "-m", "tfmini", "run", "--strict", str(OLD)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert "t8_old.py" in process.stderr


@pytest.mark.parametrize(
    "old, new",
    [
        *(("mul", "multiply"), ("sub", "subtract"), ("neg", "negative"), ("pack", "stack")),
        *(("select", "where"), ("merge_all_summaries", "summary.merge_all")),
        ("scalar_summary", "summary.scalar"),
    ],
)
def test_plain_tfmini_refuses_with_hint(old, new):
    with pytest.raises(AttributeError) as caught:
        getattr(tf, old)
    first, hint = str(caught.value).split("\n")
    assert first == f"module 'tfmini' has no attribute '{old}'"
    assert hint == f"Did you mean tf.{new}?"


def test_plain_tfmini_refuses_old_argument_order():
    with tf.Graph().as_default():
        with pytest.raises(
            (TypeError, ValueError), match="^Expected int32, got 1.0 of type 'float' instead.$"
        ):
            tf.concat(0, [[1.0], [2.0]])
        with pytest.raises(
            ValueError, match="Only call `softmax_cross_entropy_with_logits` with named"
        ):
            tf.nn.softmax_cross_entropy_with_logits([[1.0]], [[1.0]])
