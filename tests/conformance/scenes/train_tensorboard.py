"""Summaries for TensorBoard's plugins: tensors, tags, descriptions, steps; errors."""

import glob

import numpy as np

from tests.conformance.scenes import eager_mode


def _events(tf, stage, in_order=True):
    """Records the contents of event files."""
    before = len(stage.lines)
    for path in sorted(glob.glob(stage.folder + "/*tfevents*")):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                data = value.metadata.plugin_data
                stage.say(event.step, value.tag, data.plugin_name, data.content)
                stage.say(value.metadata.display_name, value.metadata.summary_description)
                tensor = tf.make_ndarray(value.tensor)
                if data.plugin_name in ("images", "audio"):
                    stage.say(tensor.shape, [item[:24] for item in tensor.ravel()])
                    stage.say([len(item) for item in tensor.ravel()])
                else:
                    stage.say(tensor.dtype.name, tensor.shape, tensor)
    if not in_order:
        stage.lines[before:] = sorted(stage.lines[before:])


def _written(tf, stage, cases, graph=True):
    """Writes summaries by a session, or eagerly."""
    V = tf.compat.v2.summary
    if not graph:
        with eager_mode(tf):
            writer = V.create_file_writer(stage.folder)
            with writer.as_default():
                for name, function in cases.items():
                    with stage.failing():
                        stage.say(name, function().numpy())
            writer.close()
        _events(tf, stage)
        return
    with tf.Graph().as_default():
        writer = V.create_file_writer(stage.folder)
        made = {}
        with writer.as_default():
            for name, function in cases.items():
                with stage.failing():
                    made[name] = function()
                    stage.say(name, made[name].dtype, made[name].shape, made[name].op.type)
        with tf.Session() as session:
            session.run(writer.init())
            for name in made:
                stage.say(name)
                stage.attempt(session.run, made[name])
            session.run(writer.close())
        stage.say(len(tf.contrib.summary.all_summary_ops()))
    _events(tf, stage)


def _numbers(tf):
    V = tf.compat.v2.summary
    return {
        "plain": lambda: V.scalar("a", 0.5, 1),
        "whole": lambda: V.scalar("b/c d", tf.constant(3), step=2, description="*said*"),
        "double": lambda: V.scalar("double", np.float64(1) / 3, step=3),
        "true": lambda: V.scalar("true", True, step=4),
        "vector": lambda: V.scalar("vector", [1.0], step=5),
        "text": lambda: V.scalar("text", "a", step=6),
        "no name": lambda: V.scalar("", 1.0, step=7),
        "no step": lambda: V.scalar("none", 1.0),
        "words": lambda: V.text("w", "one", 8),
        "table": lambda: V.text("t", [["a", "b"], ["c", ""]], step=9, description="rows"),
        "no words": lambda: V.text("n", 3, step=10),
        "buckets": lambda: V.histogram("h", [1.0, 2.0, 2.5, 9.0], step=11, buckets=2),
        "no numbers": lambda: V.histogram("none", [], step=12),
        "one number": lambda: V.histogram("one", [3.0, 3.0], step=13),
        "in a function": lambda: tf.function(lambda x: V.histogram("f", x * tf.ones([3]), 14))(3.0),
    }


def numbers_and_words_eagerly(tf, stage):
    _written(tf, stage, _numbers(tf), graph=False)


def _pictures(tf):
    V = tf.compat.v2.summary
    floats = np.linspace(0, 1, 5 * 2 * 3).reshape(5, 2, 3, 1).astype("f")
    rate = 8000
    sounds = np.sin(np.arange(24.0)).reshape(2, 6, 2).astype("f")
    return {
        "plain": lambda: V.image("a", floats, 1),
        "two": lambda: V.image("two", floats, step=2, max_outputs=2, description="of two"),
        "bytes": lambda: V.image("bytes", np.full([1, 2, 2, 3], 7, np.uint8), step=3),
        "beyond": lambda: V.image("beyond", floats * 3 - 1, step=4, max_outputs=1),
        "none": lambda: V.image("none", floats, step=5, max_outputs=0),
        "wrong rank": lambda: V.image("rank", floats[0], step=6),
        "sound": lambda: V.audio("s", sounds, rate, 7),
        "one sound": lambda: V.audio("one", sounds, rate, step=8, max_outputs=1, encoding="wav"),
        "described": lambda: V.audio("d", sounds, rate, step=9, description="heard"),
        "other": lambda: V.audio("o", sounds, rate, step=10, encoding="mp3"),
        "wrong sound": lambda: V.audio("w", sounds[0], rate, step=11),
    }


def pictures_and_sounds(tf, stage):
    _written(tf, stage, _pictures(tf))


def scopes_and_conditions(tf, stage):
    with tf.Graph().as_default():
        _scopes_and_conditions(tf, stage)


def _scopes_and_conditions(tf, stage):
    V = tf.compat.v2.summary
    stage.say(V.scalar("without a writer", 1.0, 1).op.type)
    writer = V.create_file_writer(stage.folder)
    given = tf.placeholder_with_default(True, [], name="given")
    with writer.as_default():
        V.experimental.set_step(5)
        made = []
        with tf.name_scope("outer"):
            made.append(V.scalar("a", 1.0))
            with tf.name_scope("inner"):
                made.append(V.scalar("a", 2.0))
                made.append(V.text("b", "x"))
        with V.record_if(False):
            made.append(V.scalar("never", 3.0))
        with V.record_if(given):
            made.append(V.scalar("perhaps", 4.0))
        with V.record_if(lambda: tf.logical_not(given)):
            made.append(V.histogram("or not", [4.0]))
        V.experimental.set_step(tf.constant(6, tf.int64))
        made.append(V.scalar("later", 5.0))
        V.experimental.set_step(None)
        stage.attempt(V.scalar, "step", 6.0, "text")
        stage.attempt(V.scalar, "step", 6.0, [1, 2])
        with tf.Session() as session:
            session.run(writer.init())
            stage.say(session.run(made))
            stage.say(session.run(made, {given: False}))
            session.run(writer.close())
    _events(tf, stage, in_order=False)
