"""A machine with two GPUs, placed by tensorflow-gpu 1.15.5 (see `_machine.py`)."""

import importlib

from tests.conformance.placements import soft

DEVICES = {"CPU": 1, "GPU": 2}


def the_first_by_default(tf):
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    w = tf.Variable(tf.ones([2, 2]), name="w")
    tf.nn.softmax(tf.nn.relu(tf.matmul(x, w) + 1.0))


def explicit(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    for name in "/gpu:1", "/device:GPU:*", "/cpu:0", "/device:CPU:*", "/job:a", "/task:0/gpu:1":
        with tf.device(name):
            tf.square(x)


def strings(tf):
    names = tf.constant(["a", "b"], name="names")
    joined = tf.strings.join([names, "c"], name="joined")
    tf.string_to_hash_bucket_fast(joined, 7) + 1
    tf.identity(tf.placeholder(tf.string, []), name="kept")


def integers(tf):
    x = tf.placeholder(tf.int32, [3], name="x")
    tf.add(x, 1, name="sum")
    tf.cast(x, tf.float32) * 2.0
    tf.matmul([[1]], [[2]], name="no_kernel")
    v = tf.Variable(1, name="v")
    tf.assign_add(v, 1, name="u")
    w = tf.Variable(tf.constant(1, tf.int64), name="w")
    tf.assign_add(w, 1, name="x")


def global_step(tf):
    step = tf.train.get_or_create_global_step()
    w = tf.Variable([1.0, 2.0], name="w")
    rate = tf.train.exponential_decay(0.1, step, 10, 0.5)
    tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(w), global_step=step)


def no_gpu_kernel(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    tf.setdiff1d(x, [1.0])
    tf.py_func(lambda a: a, [x], tf.float32)
    tf.unique(x)
    tf.Print(x, [x])


def group_without_a_gpu_kernel(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(w * 2.0))


def _reduced(tf, device):
    in_tensorflow = tf.__name__ == "tensorflow"
    package = "tensorflow.python.ops" if in_tensorflow else "tfmini.compat.python.ops"
    nccl = importlib.import_module(package + ".nccl_ops")
    tensors = []
    for name in "/gpu:0", device:
        with tf.device(name):
            tensors.append(tf.placeholder(tf.float32, [2]))
    with tf.device(device):
        nccl.reduce_sum(tensors)
    nccl.broadcast(tensors[1])
    with tf.device("/gpu:1"):
        nccl.broadcast(tensors[0])


def reductions_over_gpus(tf):
    _reduced(tf, "/gpu:1")


def reduction_on_a_cpu(tf):
    _reduced(tf, "/cpu:0")


@soft
def soft_reduction_on_a_cpu(tf):
    _reduced(tf, "/cpu:0")


def sparse_updates(tf):
    table = tf.get_variable("table", [10, 4], initializer=tf.ones_initializer())
    rows = tf.nn.embedding_lookup(table, tf.placeholder(tf.int32, [3]))
    loss = tf.reduce_sum(tf.square(rows))
    tf.train.AdamOptimizer().minimize(loss)
    tf.train.AdagradOptimizer(0.1).minimize(loss)


def shapes(tf):
    with tf.device("/gpu:1"):
        x = tf.square(tf.placeholder(tf.float32))
    with tf.device("/cpu:0"):
        y = tf.square(tf.placeholder(tf.float32))
    s = tf.strings.join([tf.placeholder(tf.string), "a"])
    tf.shape(x, name="sx"), tf.size(y, name="sy"), tf.rank(s, name="ss")
    tf.reshape(x, tf.concat([tf.shape(x), [1]], 0))


def constants(tf):
    one, two, three = (tf.constant(float(i), name=f"c{i}") for i in (1, 2, 3))
    with tf.device("/gpu:1"):
        tf.square(one)
        tf.square(three)
    with tf.device("/cpu:0"):
        tf.square(two)
        tf.square(three)


def resource_variables(tf):
    for dtype in tf.float32, tf.int32, tf.int64, tf.bool:
        v = tf.get_variable(dtype.name, [2], dtype, tf.zeros_initializer(), use_resource=True)
        tf.identity(v.read_value())
    with tf.device("/gpu:1"):
        w = tf.get_variable("w", [2], use_resource=True)
    tf.gather(w, [0])
    w.assign_add([1.0, 2.0])


def condition(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.device("/gpu:1"):
        tf.cond(x > 0.0, lambda: x * 2.0, lambda: tf.constant(1.0))
    tf.cond(tf.placeholder(tf.bool, []), lambda: tf.constant(1), lambda: tf.constant(2))
    with tf.control_dependencies([tf.Assert(x > 0.0, ["x", x])]):
        tf.identity(x, name="checked")


def towers(tf):
    x = tf.placeholder(tf.float32, [8, 3])
    with tf.device("/cpu:0"):
        w = tf.get_variable("w", [3, 2])
        labels = tf.split(tf.placeholder(tf.int32, [8]), 2)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    gradients = []
    for i, part in enumerate(tf.split(x, 2)):
        with tf.device(f"/gpu:{i}"), tf.name_scope("tower"):
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
                logits=tf.matmul(part, w), labels=labels[i]
            )
            gradients.append(optimizer.compute_gradients(tf.reduce_mean(loss), [w])[0][0])
    optimizer.apply_gradients([(tf.add_n(gradients) / 2.0, w)])


def split_integers(tf):
    with tf.device("/gpu:0"):
        tf.split(tf.placeholder(tf.int32, [8]), 2)


def gradients_beside_their_ops(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    with tf.device("/gpu:1"):
        w = tf.Variable(tf.ones([2, 3]), name="w")
        hidden = tf.tanh(tf.matmul(x, w))
    with tf.device("/cpu:0"):
        loss = tf.reduce_mean(tf.square(hidden))
    tf.gradients(loss, [w, x], colocate_gradients_with_ops=True)


def random_numbers(tf):
    tf.random_uniform([2, 3], seed=1)
    tf.random_uniform([2], maxval=7, dtype=tf.int32)
    tf.random_shuffle([1.0, 2.0])
    tf.multinomial([[0.5, 0.5]], 3)


def table(tf):
    keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
    initializer = tf.lookup.KeyValueTensorInitializer(keys, values)
    tf.lookup.StaticHashTable(initializer, -1).lookup(tf.constant(["b"]))


def growth(tf):
    with tf.device("/gpu:1"):
        w = tf.Variable(1.0, name="w")
    v = tf.Variable(1.0, name="v")
    one = tf.constant(1.0, name="one")
    yield
    with tf.device("/cpu:0"):
        tf.square(one)
    tf.assign(v, w)


def number_not_there(tf):
    with tf.device("/gpu:2"):
        tf.square(1.0, name="far")


def cannot_be_on_a_gpu(tf):
    a = tf.placeholder(tf.int32, [2, 2], name="a")
    with tf.device("/gpu:0"):
        tf.matmul(a, a, name="product")


def integer_variable(tf):
    with tf.device("/gpu:0"):
        tf.Variable(1, name="v")


def update_cannot_be_on_a_gpu(tf):
    with tf.device("/gpu:1"):
        w = tf.Variable([1.0, 2.0], name="w")
    tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(w))


def group_cannot_be_on_a_gpu(tf):
    a = tf.square(tf.placeholder(tf.float32, [2]), name="a")
    with tf.colocate_with(a):
        tf.py_func(lambda: 1.0, [], tf.float32, name="p")
    a.op._set_device("/gpu:0")


def types_conflict(tf):
    with tf.device("/cpu:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
    b.op._set_device("/gpu:0")


@soft
def softly_off_the_gpu(tf):
    a = tf.placeholder(tf.int32, [2, 2], name="a")
    with tf.device("/gpu:1"):
        tf.matmul(a, a, name="product")
        tf.strings.join(["a", "b"])
        tf.Variable(1, name="v")
        tf.square(tf.placeholder(tf.float32, []))


@soft
def softly_with_its_update(tf):
    with tf.device("/gpu:1"):
        w = tf.Variable([1.0, 2.0], name="w")
    tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(w))


@soft
def softly_together(tf):
    with tf.device("/cpu:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
    b.op._set_device("/gpu:1")


@soft
def softly_another_number(tf):
    with tf.device("/gpu:5"):
        v = tf.get_variable("v", [2], use_resource=True)
        tf.square(v)
    with tf.device("/cpu:3"):
        tf.square(2.0)
