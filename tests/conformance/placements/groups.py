"""Colocation groups: references, handles, `_class`."""

DEVICES = {"CPU": 4}


def variable(tf):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    v.assign_add(2.0)
    v.assign(3.0)
    tf.square(v)


def variable_without_initial_device(tf):
    initial = tf.ones([2]) * 2.0
    with tf.device("/cpu:2"):
        v = tf.Variable(initial, name="v")
    tf.scatter_add(v, [0], [1.0])
    tf.is_variable_initialized(v)


def update_elsewhere(tf):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    u = tf.assign_add(v, 1.0, name="u")
    u.op._set_device("/cpu:2")


def update_decides(tf):
    v = tf.Variable(1.0, name="v")
    u = tf.assign_add(v, 1.0, name="u")
    u.op._set_device("/cpu:2")


def update_says_something_else(tf):
    with tf.device("/task:0"):
        v = tf.Variable(1.0, name="v")
    u = tf.assign_add(v, 1.0, name="u")  # neither name includes all parts of the other
    u.op._set_device("/cpu:2")


def chain_of_references(tf):
    with tf.device("/cpu:3"):
        v = tf.Variable(1.0, name="v")
    a = tf.assign_add(v, 1.0)
    b = tf.assign_add(a, 2.0)
    tf.assign_sub(b, 1.0)


def resource_variable(tf):
    with tf.device("/cpu:2"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=True)
    v.assign_add([1.0, 2.0])
    tf.gather(v, [0])
    with tf.device("/cpu:1"):
        v.read_value() + 1.0


def resource_update_elsewhere(tf):
    with tf.device("/cpu:1"):
        v = tf.get_variable("v", [], use_resource=True)
    u = tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=1.0, name="u")
    u._set_device("/cpu:3")


def colocated(tf):
    with tf.device("/cpu:2"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.constant(2.0, name="b")
        c = tf.square(3.0, name="c")
    tf.add(b, c, name="free")


def colocated_in_turn(tf):
    a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
    with tf.colocate_with(b):
        c = tf.square(3.0, name="c")
    c.op._set_device("/cpu:3")


def colocated_twice(tf):
    with tf.device("/cpu:1"):
        a = tf.square(1.0, name="a")
    b = tf.square(2.0, name="b")
    with tf.colocate_with(a), tf.colocate_with(b):
        tf.square(3.0, name="c")
    with tf.colocate_with(a), tf.colocate_with(b, ignore_existing=True):
        tf.square(4.0, name="d")


def colocation_forgets_devices(tf):
    with tf.device("/cpu:1"):
        a = tf.square(1.0, name="a")
        with tf.device("/cpu:2"), tf.colocate_with(a):
            tf.square(2.0, name="b")
            with tf.device("/cpu:1"):
                tf.square(2.0, name="c")
        with tf.colocate_with(None, ignore_existing=True):
            tf.square(4.0, name="d")


def parts_merge(tf):
    a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
        c = tf.square(3.0, name="c")
    a.op._set_device("/job:localhost")
    b.op._set_device("/device:CPU:*")
    c.op._set_device("/task:0/device:CPU:2")


def group_of_no_node(tf):
    a = tf.square(tf.placeholder(tf.float32, []), name="a")
    b = tf.square(tf.placeholder(tf.float32, []), name="b")
    for node in a.op, b.op:
        group = node.node_def.attr["_class"]
        group.list.s.append(b"loc:@nobody")
        node._set_attr("_class", group)
    b.op._set_device("/cpu:3")


def momentum(tf):
    with tf.device("/cpu:1"):
        w = tf.Variable([1.0, 2.0], name="w")
    with tf.device("/cpu:2"):
        b = tf.Variable(1.0, name="b")
    loss = tf.reduce_sum(tf.square(w * 3.0 + b))
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)


def adam(tf):
    with tf.device("/cpu:3"):
        w = tf.Variable([1.0, 2.0], name="w")
    v = tf.get_variable("v", [2], use_resource=True)
    loss = tf.reduce_sum(tf.square(w * 3.0 + v))
    tf.train.AdamOptimizer().minimize(loss, global_step=tf.train.get_or_create_global_step())


def gradients_beside_their_ops(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    with tf.device("/cpu:1"):
        w = tf.Variable(tf.ones([2, 3]), name="w")
        hidden = tf.tanh(tf.matmul(x, w))
    with tf.device("/cpu:2"):
        loss = tf.reduce_mean(tf.square(hidden))
    tf.gradients(loss, [w, x], colocate_gradients_with_ops=True)


def table(tf):
    with tf.device("/cpu:2"):
        keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
        initializer = tf.lookup.KeyValueTensorInitializer(keys, values)
        table = tf.lookup.StaticHashTable(initializer, -1)
    table.lookup(tf.constant(["b"]))


def partitioned(tf):
    with tf.device("/cpu:3"):
        parts = tf.get_variable(
            "w", [4, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.ones_initializer()
        )
    tf.nn.embedding_lookup(parts, [0, 3])


def two_variables_of_one_update(tf):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/cpu:2"):
        m = tf.Variable(1.0, name="m")
    tf.raw_ops.ApplyMomentum(var=v._ref(), accum=m._ref(), lr=0.1, grad=1.0, momentum=0.9, name="u")


def numbers_conflict(tf):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.constant(2.0, name="b")
    b.op._set_device("/cpu:2")


def types_conflict(tf):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.constant(2.0, name="b")
    b.op._set_device("/gpu:1")


def jobs_conflict(tf):
    with tf.device("/job:localhost/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a.op), tf.device("/job:ps"):
        tf.constant(2.0, name="b")
    a.op.graph.get_operation_by_name("b")._set_device("/job:ps")


def groups_conflict(tf):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/cpu:2"):
        w = tf.Variable(1.0, name="w")
    with tf.colocate_with(v.op):
        tf.assign_add(w, 1.0)


def group_is_nowhere(tf):
    v = tf.Variable(1.0, name="v")
    u = tf.assign_add(v, 1.0, name="u")
    u.op._set_device("/gpu:0")


def group_is_elsewhere(tf):
    a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
    a.op._set_device("/cpu:1")
    b.op._set_device("/task:3")
