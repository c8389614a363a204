"""`FileWriter(session=...)`: its file is the one that ops of `tf.contrib.summary` write."""

import glob
import os
import tempfile


def events_in(tf, folder):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*"))):
        for event in tf.train.summary_iterator(path):
            values = [(value.tag, value.simple_value) for value in event.summary.value]
            status = int(event.session_log.status)
            found.append([str(event.WhichOneof("what")), event.step, values, status])
    return found


def build(tf):
    own = os.path.join(tempfile.mkdtemp(), "new")
    step = tf.train.create_global_step()

    def value(number):
        return tf.Summary(value=[tf.Summary.Value(tag="t", simple_value=number)])

    def written(session):
        session.run(step.initializer)
        with session.graph.as_default():
            made = tf.summary.FileWriter(own, session=session, filename_suffix=".x")
        nodes = [op for op in session.graph.get_operations() if "filewriter" in op.name]
        made.add_summary(value(3.0), 4)
        made.add_graph(session.graph)
        made.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 5)
        made.add_run_metadata(tf.RunMetadata(), "tag", 2)
        made.flush()
        first = events_in(tf, own)
        made.close()
        made.close()
        made.reopen()
        made.add_summary(value(5.0), 7)
        made.close()
        names = [(op.name, op.type, [t.name for t in op.inputs]) for op in nodes]
        return [names, made.get_logdir() == own, first, events_in(tf, own)[-2:]]

    def both(session):
        with session.graph.as_default():
            folder = os.path.join(own, "both")
            ops = tf.contrib.summary.create_file_writer(folder)
            with ops.as_default(), tf.contrib.summary.always_record_summaries():
                scalar = tf.contrib.summary.scalar("error", 1.0)
            with tf.summary.FileWriter(folder, session=session) as made:
                session.run(scalar)
                made.add_summary(value(3.0), 4)
        return [len(os.listdir(folder)), events_in(tf, folder)]

    return {"steps": [("written", written), ("both", both)]}
