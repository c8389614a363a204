"""Devices requested by nodes, fully and partially specified."""

DEVICES = {"CPU": 4}


def numbers(tf):
    for i in range(4):
        with tf.device(f"/cpu:{i}"):
            a = tf.constant(1.0, name=f"a{i}")
            tf.add(a, 2.0, name=f"b{i}")
    tf.negative(a, name="free")


def partial_names(tf):
    x = tf.placeholder(tf.float32, [])
    names = [
        "/job:localhost",
        "/task:0",
        "/replica:0",
        "/device:CPU:*",
        "/job:localhost/cpu:2",
        "/",
    ]
    for name in names:
        with tf.device(lambda op, name=name: name):
            tf.negative(x)


def full_names(tf):
    with tf.device("/job:localhost/replica:0/task:0/device:CPU:3"):
        tf.square(tf.constant(2.0))


def nested(tf):
    with tf.device("/cpu:1"):
        a = tf.square(tf.placeholder(tf.float32, []), name="a")
        with tf.device("/job:localhost"):
            b = tf.square(a, name="b")
            with tf.device("/cpu:3"):
                c = tf.square(b, name="c")
        with tf.device(None):
            tf.square(c, name="d")


def functions(tf):
    def choose(op):
        return {"Const": "/cpu:1", "Add": "/cpu:2"}.get(op.type, "")

    with tf.device(choose):
        tf.add(tf.constant(1.0), tf.constant(2.0)) * 3.0


def set_afterwards(tf):
    a = tf.square(tf.placeholder(tf.float32, []))
    a.op._set_device("/cpu:2")


def towers(tf):
    x = tf.placeholder(tf.float32, [8, 3])
    w = tf.Variable(tf.ones([3, 2]), name="w")
    parts = tf.split(x, 4)
    sums = []
    for i in range(4):
        with tf.device(f"/cpu:{i}"), tf.name_scope("tower"):
            sums.append(tf.reduce_sum(tf.matmul(parts[i], w)))
    with tf.device("/cpu:1"):
        tf.add_n(sums, name="total")


def not_there(tf):
    with tf.device("/cpu:4"):
        tf.square(tf.constant(1.0, name="a"), name="b")


def another_job(tf):
    a = tf.square(2.0)
    with tf.device("/job:worker/task:1"):
        tf.square(a, name="far")


def another_type(tf):
    with tf.device("/device:FPGA:0"):
        tf.Variable(1.0, name="v")


def gpu(tf):
    with tf.device("/gpu:0"):
        tf.square(tf.placeholder(tf.float32, []), name="g")


def malformed(tf):
    with tf.device(lambda op: "/bogus:0"):
        tf.constant(1.0, name="a")


def malformed_with_inputs(tf):
    x, y = tf.unstack(tf.placeholder(tf.float32, [2, 2, None]), name="x")
    before = tf.no_op("before")
    with tf.device(lambda op: "cpu:0"), tf.control_dependencies([before]):
        tf.matmul(x, y, transpose_a=True, name="product")
