"""Missing or invalid devices, and nodes that cannot be colocated."""


def no_gpu(tf):
    with tf.device("/gpu:0"):
        return tf.square(2.0, name="far")


def no_such_type(tf):
    with tf.device("/device:FPGA:0"):
        return tf.square(2.0, name="far")


def no_such_job(tf):
    with tf.device("/job:worker/task:0"):
        return tf.Variable(1.0, name="far").initializer


def no_such_job_softly(tf):
    with tf.device("/job:worker/gpu:0"):
        far = tf.square(2.0, name="far")
    return lambda _: tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).run(far)


def no_such_replica(tf):
    with tf.device("/replica:1"):
        return tf.square(2.0, name="far")


def string_of_a_function_is_none(tf):
    with tf.device(lambda node: "/cpu:0/here" if node.type == "Square" else ""):
        return tf.square(2.0, name="lost")


def string_set_is_none(tf):
    lost = tf.square(tf.constant([1.5, 0.1], name="x"), name="lost")
    lost.op._set_device("cpu:0")
    return lost


def number_on_growth(tf):
    near = tf.square(2.0)

    def use(sess):
        sess.run(near)
        with sess.graph.as_default(), tf.device("/cpu:9"):
            sess.run(tf.square(near, name="far"))

    return use


def together_on_two_numbers(tf):
    with tf.device("/cpu:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/cpu:1")
    return b


def together_on_two_jobs(tf):
    with tf.device("/job:localhost"), tf.name_scope("here"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/job:ps")
    return b


def update_that_is_nowhere(tf):
    v = tf.Variable(1.0, name="v")
    update = tf.assign_add(v, 1.0, name="update")
    update.op._set_device("/gpu:0")
    return update


def update_of_two_variables(tf):
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/cpu:1"):
        m = tf.Variable(1.0, name="m")
    return tf.raw_ops.ApplyMomentum(var=v._ref(), accum=m._ref(), lr=0.1, grad=1.0, momentum=0.9)


def fewer_cpus_than_none(tf):
    tf.Session(config=tf.ConfigProto(device_count={"CPU": -2}))
