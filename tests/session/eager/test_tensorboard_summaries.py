"""`tf.compat.v2.summary`: the output of TensorFlow 1.15.5 and its TensorBoard for each plugin."""

import glob

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")

summary = tf.compat.v2.summary


def values_of(folder):
    """Step, tag, plugin and value of all events."""
    [path] = glob.glob(f"{folder}/*")
    results = []
    for event in tf.train.summary_iterator(path):
        for value in event.summary.value:
            written = value.tensor.string_val or tf.make_ndarray(value.tensor).tolist()
            results.append((event.step, value.tag, value.metadata.plugin_data, written))
    return results


def test_written_summaries_match_recording(tmp_path):
    with summary.create_file_writer(str(tmp_path)).as_default():
        assert summary.scalar("a", 2, step=1).numpy()
        assert summary.text("t", "hi", step=1, description="d").numpy()
        summary.histogram("h", [1.0, 2.0, 2.5, 9.0], step=2, buckets=2)
        summary.histogram("none", [], step=2)
        summary.histogram("equal", [3.0, 3.0], step=2)
        summary.image("i", tf.ones([4, 3, 5, 1]), step=3)
        summary.audio("au", tf.zeros([2, 10, 1]), 8000, step=3)
        summary.experimental.set_step(7)
        with summary.record_if(False):
            assert not summary.scalar("b", 1.0).numpy()
        with tf.name_scope("n"):
            summary.scalar("c d", 1.0)
        called = tf.function(lambda x: summary.histogram("f", x * tf.ones([3])))
        called(tf.constant(3.0))
        summary.experimental.set_step(None)
        called(tf.constant(4.0))
    with summary.create_noop_writer().as_default():
        assert not summary.scalar("without a writer or a step", 1.0).numpy()
    result = values_of(tmp_path)
    plugins = [(step, tag, plugin.plugin_name, plugin.content) for step, tag, plugin, _ in result]
    assert plugins == [
        (1, "a", "scalars", b""),
        (1, "t", "text", b""),
        *((2, tag, "histograms", b"") for tag in ("h", "none", "equal")),
        (3, "i", "images", b""),
        (3, "au", "audio", b"\x10\x0b"),
        (7, "n/c d", "scalars", b""),
        *((7, "f", "histograms", b"") for _ in range(2)),
    ]
    number, text, some, none, equal, pictures, sounds, _, *in_function = (row[3] for row in result)
    assert (number, text, none) == (2.0, [b"hi"], [])
    assert (some, equal) == ([[1.0, 5.0, 3.0], [5.0, 9.0, 1.0]], [[2.5, 3.5, 2.0]])
    assert in_function == [[[2.5, 3.5, 3.0]], [[3.5, 4.5, 3.0]]]
    assert [row[:4] for row in pictures] == [b"5", b"3", b"\x89PNG", b"\x89PNG", b"\x89PNG"]
    assert [row[:4] for row in sounds] == [b"RIFF", b"", b"RIFF", b""]


def test_invalid_arguments(tmp_path):
    with summary.create_file_writer(str(tmp_path)).as_default():
        with pytest.raises(ValueError, match="No step set via 'step' argument or tf.summary"):
            summary.scalar("a", 1.0)
        with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape: \(2,\)."):
            summary.scalar("a", [1.0, 2.0], step=1)
        with pytest.raises(ValueError, match="Unknown encoding: 'mp3'"):
            summary.audio("a", tf.zeros([1, 2, 1]), 8000, 1, encoding="mp3")
