"""Tensor handles that are deleted, invalid, of other sessions, or fed to mismatched placeholders."""

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def deletion_of_no_handle(tf):
    holder, deletes = tf.delete_session_tensor("made;7;" + DEVICE, name="deletes")
    return deletes, {holder: "made;7;" + DEVICE}


def read_as_another_dtype(tf):
    made = tf.get_session_handle(tf.constant(3.0))

    def use(session):
        text = session.run(made).get_raw_handle()
        holder, value = tf.get_session_tensor(text, tf.int32, name="kept")
        session.run(value, {holder: text})

    return use


def fed_to_another_dtype(tf):
    made = tf.get_session_handle(tf.constant(3.0))
    x = tf.placeholder(tf.int32, name="x")

    def use(session):
        session.run(x + 1, {x: session.run(made)})

    return use


def fed_to_its_holder(tf):
    made = tf.get_session_handle(tf.constant(3.0))
    holder, value = tf.get_session_tensor("made;7;" + DEVICE, tf.float32)

    def use(session):
        session.run(value, {holder: session.run(made)})

    return use


def fed_to_another_session(tf):
    made = tf.get_session_handle(tf.constant(3.0))
    x = tf.placeholder(tf.float32, name="x")

    def use(session):
        with tf.Session() as other:
            other.run(x + 1.0, {x: session.run(made)})

    return use


def deleted_twice(tf):
    made = tf.get_session_handle(tf.constant(3.0))

    def use(session):
        handle = session.run(made)
        handle.delete()
        handle.delete()

    return use


def read_in_a_closed_session(tf):
    made = tf.get_session_handle(tf.constant(3.0))

    def use(session):
        handle = session.run(made)
        session.close()
        handle.eval()

    return use
