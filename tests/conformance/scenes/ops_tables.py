"""TensorArrays, tables, readers, stacks, critical sections, files: cleared, created twice, read to the end."""

from tests.conformance.scenes.ops_queues import _short_session


def tensor_arrays_of_gradients(tf, stage):
    x = tf.constant([1.0, 2.0, 3.0])
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    y = array.read(0) * 2.0 + array.read(2)
    g = tf.gradients(y, x)
    h = tf.gradients(tf.gradients(tf.square(y), x)[0], x)
    with _short_session(tf) as session:
        stage.attempt(session.run, [y, g])
        stage.attempt(session.run, g)
        stage.attempt(session.run, h)
        closed = array.close()
        stage.attempt(session.run, closed)


def fixed_length_readers(tf, stage):
    path = stage.folder + "/a"
    with open(path, "wb") as out:
        out.write(b"HHabcdefgF")
    for options in (
        {"record_bytes": 2},
        {"record_bytes": 3, "header_bytes": 2, "footer_bytes": 1},
        {"record_bytes": 3, "header_bytes": 2, "hop_bytes": 1},
        {"record_bytes": 0},
        {"record_bytes": 20},
        {"record_bytes": 2, "header_bytes": -1},
        {"record_bytes": 2, "encoding": "ZLIB"},
        {"record_bytes": 2, "encoding": "X"},
    ):
        queue = tf.FIFOQueue(9, tf.string)
        with _short_session(tf) as session, stage.failing():
            reader = tf.FixedLengthRecordReader(**options)
            _, value = reader.read_up_to(queue, 9)
            session.run(queue.enqueue(path))
            session.run(queue.close())
            stage.attempt(session.run, value)
            stage.attempt(session.run, value)


def critical_sections(tf, stage):
    section = tf.CriticalSection(name="cs")
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    with stage.failing():
        section.execute(lambda: 1 / 0)
    with stage.failing():
        section.execute(lambda: section.execute(lambda: v.read_value()))
    with stage.failing():
        section.execute(lambda: (tf.constant(1), "no"))
    one = section.execute(lambda: v.assign_add(1.0))
    bad = section.execute(lambda: tf.check_numerics(tf.log(v - 100.0), "mine"))
    with _short_session(tf) as session:
        session.run(v.initializer)
        stage.attempt(session.run, one)
        stage.attempt(session.run, bad)
        stage.attempt(session.run, one)
    stage.say(section.name, len(tf.get_collection("critical_section_executions")))
