"""Partitioners: fixed, by size, by axis; lookups, assignments and gradients on the parts."""


def build(tf):
    with tf.variable_scope("fixed", partitioner=tf.fixed_size_partitioner(3)):
        a = tf.get_variable("a", [7, 2], initializer=tf.random_uniform_initializer(seed=1))
    b = tf.get_variable("b", [4, 6], partitioner=tf.fixed_size_partitioner(2, axis=1))
    c = tf.get_variable(
        "c",
        [10, 4],
        partitioner=tf.variable_axis_size_partitioner(64),
        initializer=tf.ones_initializer(),
    )
    d = tf.get_variable("d", [6], partitioner=tf.min_max_variable_partitioner(2, min_slice_size=8))
    with tf.variable_scope("fixed", reuse=True, partitioner=tf.fixed_size_partitioner(3)):
        again = tf.get_variable("a", [7, 2])
    with tf.control_dependencies([tf.no_op(name="first")]):
        whole, columns = a.as_tensor(), b._concat()
    looked = tf.nn.embedding_lookup(a, [0, 6, 3, 3], partition_strategy="div")
    product = tf.matmul(tf.ones([2, 7]), a)
    assigned = a.assign(tf.zeros([7, 2]))
    loss = tf.reduce_sum(tf.square(looked)) + tf.reduce_sum(product) + tf.reduce_sum(b)
    gradients = tf.gradients(loss, list(a) + list(b))
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    facts = {
        "parts": [[v.name + str(v.shape) for v in x] for x in (a, b, c, d)],
        "types": [type(x).__name__ for x in (a, b, c, d, a._variable_list)],
        "same": again is a or list(again) == list(a),
        "partitions": [list(x._get_partitions()) for x in (a, b)],
        "reprs": [str(a.name), str(a.get_shape()), str(a.dtype), len(a)],
        "slices": [str(v._save_slice_info.spec) for v in a],
        "kinds": [type(g).__name__ for g in gradients],
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("parts", [list(x) for x in (a, b, c, d)]),
        ("whole", [whole, columns, looked, product, tf.concat(list(d), 0)]),
        ("gradients", [loss, gradients]),
        ("train", train),
        ("trained", [list(a), list(b)]),
        ("assigned", assigned),
        ("zeros", whole),
    ]
    return {"facts": facts, "steps": steps}
