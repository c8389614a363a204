"""Session lifetimes: failing blocks, closing and reopening, several graphs, state after errors."""

import threading


def _adder(tf):
    v = tf.Variable(1.0, name="v")
    return v, tf.assign_add(v, 1.0, name="add")


def sessions_of_another_graph(tf, stage):
    v, add = _adder(tf)
    other = tf.Graph()
    with other.as_default():
        x = tf.placeholder(tf.float32, name="x")
        y = x + 1.0
    with tf.Session(graph=other) as session:
        stage.attempt(session.run, v)
        stage.attempt(session.run, y, {v: 1.0})
        stage.attempt(session.run, y, {x: 1.0})
        stage.attempt(session.run, y, {x: tf.constant(1.0)})
        stage.attempt(session.run, v.initializer)
        stage.attempt(v.initializer.run)
        stage.attempt(v.eval)
        stage.say(session.graph is other, session.graph_def.node[0].name)
    stage.left(other)


def closed_while_another_thread_waits(tf, stage):
    queue = tf.FIFOQueue(1, tf.float32, shared_name="waits")
    take = queue.dequeue(name="take")
    session = tf.Session()
    begun = threading.Event()

    def wait():
        begun.set()
        try:
            session.run(take)
        except tf.errors.CancelledError as error:
            stage.say(type(error).__name__)

    thread = threading.Thread(target=wait)
    thread.start()
    begun.wait()
    with tf.Graph().as_default():
        tf.Session().run(tf.constant(1))
    session.close()
    thread.join()
    stage.attempt(session.run, take)
