"""tf.contrib.summary: writers, conditions, every kind of summary, and the events that come into the files."""

import glob
import os
import tempfile

import numpy as np

REPLAYABLE = False


def build(tf):
    s = tf.contrib.summary
    s.scalar("nothing", 1.0)
    x = tf.placeholder(tf.float32, [None], name="x")
    step = tf.train.get_or_create_global_step()
    writer = s.create_file_writer("folder", max_queue=2, flush_millis=10**8)
    s.create_file_writer("folder", filename_suffix=".other", name="second")
    with writer.as_default():
        s.scalar("unrecorded", x[0])
        with s.always_record_summaries():
            s.scalar("number", x[0])
            with tf.name_scope("scope"):
                s.scalar("number", x[0], family="fam ily", step=5)
                s.histogram("x", x)
            s.generic("whole", x, step=tf.constant(9, tf.int64))
            metadata = tf.SummaryMetadata(display_name="W")
            s.generic("text", tf.constant(["a", "b"]), metadata, family="family")
            s.generic("raw", tf.constant([1, 2]), tf.constant(b"\x12\x01d"))
            s.audio("sound", tf.reshape(x, [1, -1]), 8000.0, 1)
            with s.never_record_summaries():
                s.scalar("never", x[0])
            fed = tf.placeholder(tf.string, name="fed")
            graph = s.graph(fed, step=3, name="the_graph")
            event = s.import_event(tf.Event(step=77, wall_time=1.5).SerializeToString())
        with s.record_summaries_every_n_global_steps(2):
            pictures = tf.reshape(x, [1, 1, -1, 1])
            s.image("picture", pictures, max_images=1)
            s.image("other", pictures, bad_color=tf.constant([9], tf.uint8), step=1)
            should = s.should_record_summaries()
        with tf.control_dependencies(s.all_summary_ops()):
            flushed = s.flush()
        closed = writer.close()
    s.flush(writer, name="again")
    writer.init()
    bump = tf.assign_add(step, 1)
    facts = {
        "all": [made.name for made in s.all_summary_ops()],
        "same": tf.summary.all_v2_summary_ops() == s.all_summary_ops(),
        "makers": [made.name for made in s.summary_writer_initializer_op()],
        "folders": [s.eval_dir("model"), s.eval_dir("model", "test")],
        "nothing": [s.create_file_writer(None).init(), s.create_file_writer(None).close()],
    }

    def steps(sess):
        folder = tempfile.mkdtemp()
        sess.run(tf.global_variables_initializer())
        make = writer._init_op
        feed = {make.inputs[1]: os.path.join(folder, "deeper")}
        sess.run(make, feed)
        sess.run(make, feed)  # which changes nothing
        found = []
        data = np.array([1, 2, 0.5], "f")
        for _ in range(3):
            with_events = sess.run([should] + s.all_summary_ops(), {x: data})
            found.append([bool(value) for value in with_events])
            sess.run(bump)
            found.append(len(events(tf, folder)) > 1)
        sess.run([graph, event], {fed: tf.GraphDef().SerializeToString()})
        sess.run(flushed, {x: data})
        written = events(tf, folder)
        sess.run(closed)
        return found, sorted(plain(event) for event in written)

    return {"steps": [("events", steps)], "facts": facts}


def events(tf, folder):
    paths = glob.glob(os.path.join(folder, "deeper", "events.out.tfevents.*.v2"))
    assert len(paths) == 1
    return list(tf.train.summary_iterator(paths[0]))


def plain(event):
    """An event without its time; pictures by their size, compressed in another way."""
    if event.wall_time != 1.5:
        event.ClearField("wall_time")
    for value in event.summary.value:
        value.image.encoded_image_string = b""
        if not value.image.height:
            value.ClearField("image")
    return event.SerializeToString(deterministic=True)
