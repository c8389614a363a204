"""The default graph."""

import threading

import tfmini as tf


def test_threads_have_separate_default_graphs():
    here, there = tf.get_default_graph(), []

    def work():
        there.append(tf.get_default_graph())
        there.append(tf.constant(1.0).graph)
        tf.reset_default_graph()
        there.append(tf.get_default_graph())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert there[0] is there[1] is not here
    assert there[2] is not there[0] and tf.get_default_graph() is here
