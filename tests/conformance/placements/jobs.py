"""A cluster: two parameter servers, two workers; the session on the second worker."""

from tests.conformance.placements import soft

DEVICES = {
    "ps": ["localhost:24850", "localhost:24851"],
    "worker": ["localhost:24852", "localhost:24853"],
}


def nothing_asked(tf):
    v = tf.Variable(1.0, name="v")
    tf.square(tf.assign_add(v, tf.placeholder(tf.float32, [])))


def tasks(tf):
    total = tf.constant(0.0)
    for job in "ps", "worker":
        for task in range(2):
            with tf.device(f"/job:{job}/task:{task}"):
                total = tf.add(total, 1.0)


def jobs_alone(tf):
    with tf.device("/job:worker"):
        tf.square(tf.constant(1.0))
    with tf.device("/task:1"):
        tf.square(tf.constant(1.0))
    with tf.device("/cpu:0"):
        tf.square(tf.constant(1.0))


def parameters_and_workers(tf):
    def choose(op):
        if op.type in ("Variable", "VariableV2", "VarHandleOp"):
            return f"/job:ps/task:{sum(map(ord, op.name)) % 2}"
        return "/job:worker/task:1"

    with tf.device(choose):
        x = tf.placeholder(tf.float32, [4, 3])
        w = tf.Variable(tf.ones([3, 2]), name="w")
        b = tf.Variable(tf.ones([2]), name="c")
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b))
        tf.train.AdamOptimizer().minimize(loss)


def shapes_and_generators(tf):
    with tf.device("/job:worker/task:0"):
        x = tf.square(tf.placeholder(tf.float32, [None]))
    tf.shape(x)
    one = tf.constant(1.0)
    with tf.device("/job:ps/task:1"):
        tf.add(one, x)


def groups(tf):
    with tf.device("/job:ps/task:1"):
        v = tf.get_variable("v", [], use_resource=True)
    with tf.device("/job:worker"):
        v.assign_add(1.0)
        with tf.colocate_with(v.handle.op):
            tf.square(3.0)


def job_not_there(tf):
    with tf.device("/job:chief/task:0"):
        tf.square(tf.placeholder(tf.float32, []), name="far")


def task_not_there(tf):
    with tf.device("/job:ps/task:2"):
        tf.Variable(1.0, name="v")


def jobs_conflict(tf):
    with tf.device("/job:ps/task:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/job:worker/task:0")


def tasks_conflict(tf):
    with tf.device("/job:ps/task:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/job:ps/task:1")


@soft
def gpus_of_a_worker(tf):
    with tf.device("/job:worker/task:1/gpu:0"):
        tf.square(tf.placeholder(tf.float32, []))
    with tf.device("/job:worker/gpu:3"):
        tf.square(tf.placeholder(tf.float32, []))


@soft
def task_not_there_softly(tf):
    with tf.device("/job:ps/task:5"):
        tf.square(tf.placeholder(tf.float32, []), name="far")
