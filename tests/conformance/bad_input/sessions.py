"""Sessions that are closed, misnested, without a graph, or with invalid arguments."""

import threading


def empty_graph_and_name(tf):
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run("a:0")


def entered_twice(tf):
    def use(sess):
        with sess:
            with sess:
                pass

    return use


def sessions_left_out_of_order(tf):
    def use(sess):
        errors = []

        def in_a_thread():
            first, second = sess.as_default(), tf.Session(graph=sess.graph).as_default()
            first.__enter__()
            second.__enter__()
            try:
                first.__exit__(None, None, None)
            except AssertionError as error:
                errors.append(error)

        # The stack stays out of order, and each thread has its own.
        thread = threading.Thread(target=in_a_thread)
        thread.start()
        thread.join()
        raise errors[0]

    return use


def unknown_handle(tf):
    a = tf.constant(1.0)
    return lambda sess: sess.partial_run("no handle", a)


def eval_with_closed_default(tf):
    a = tf.constant(1.0)

    def use(sess):
        with sess.as_default():
            sess.close()
            return a.eval()

    return use
