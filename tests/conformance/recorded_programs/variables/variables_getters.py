"""Getters stacked over scopes, combined with partitioners, reused regularizers, re-entered scopes."""


def build(tf):
    calls = []

    def spying(getter, name, *args, **kwargs):
        calls.append([name, sorted(k for k, v in kwargs.items() if v is not None)])
        return getter(name, *args, **kwargs)

    def scaled(getter, *args, **kwargs):
        return tf.multiply(getter(*args, **kwargs), 3.0, name="scaled")

    def frozen(getter, *args, **kwargs):
        return tf.stop_gradient(getter(*args, **dict(kwargs, trainable=False)))

    def decay(scale):
        return lambda t: tf.multiply(tf.nn.l2_loss(t), scale, name="decay")

    ones = tf.ones_initializer()
    with tf.variable_scope(
        "a", custom_getter=spying, regularizer=decay(0.1), initializer=ones
    ) as a:
        one = tf.get_variable("one", [2])
        with tf.variable_scope("b", custom_getter=scaled) as b:
            two = tf.get_variable("two", [2])
            three = tf.get_variable("three", [4, 2], partitioner=tf.fixed_size_partitioner(2))
        with tf.variable_scope("c", custom_getter=frozen, regularizer=tf.no_regularizer):
            four = tf.get_variable("four", [2], regularizer=decay(0.5))
        with tf.variable_scope(b, reuse=True):
            again = tf.get_variable("two", [2])
    with tf.variable_scope(a, reuse=tf.AUTO_REUSE, custom_getter=scaled):
        five = tf.get_variable("one", [2])
        six = tf.get_variable("six", [2], tf.float64)
    with tf.variable_scope(a, reuse=True) as a2, tf.name_scope(a2.original_name_scope):
        inside = tf.constant(1.0, name="inside")
    with tf.variable_scope(a, dtype=tf.float64, use_resource=True, constraint=tf.abs) as a3:
        seven = tf.get_variable("seven", [2])
    with tf.variable_scope("", reuse=None):
        root = tf.get_variable("root", [])
        with tf.variable_scope("x/y"), tf.variable_scope("z"):
            deep = tf.get_variable("deep", [1], regularizer=decay(1.0))
    with tf.variable_scope(
        tf.VariableScope(False, name="made_by_hand", name_scope="made_by_hand/")
    ):
        hand = tf.get_variable("w", [1])
    template = tf.make_template(
        "template", lambda n: n * tf.get_variable("t", [], initializer=ones)
    )
    shared = [template(2.0), template(3.0)]
    store = tf.get_variable_scope()
    facts = {
        "calls": calls,
        "names": [t.name for t in (one, two, four, again, five, six, inside, seven, root, deep, hand)],
        "three": three.name,
        "shared": [t.name for t in shared] + [v.name for v in template.variables],
        "scopes": [s.name + "|" + s.original_name_scope for s in (a, b, a2, a3, store)],
        "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        "variables": [v.name for v in tf.global_variables()],
        "trainable": [v.name for v in tf.trainable_variables()],
        "dtypes": [str(s.dtype) for s in (a, a3)] + [str(seven.dtype)],
        "methods": [
            [v.name for v in a.global_variables()], [v.name for v in b.trainable_variables()],
            a.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)[0].name,
        ],
    }  # fmt: skip
    steps = [("init", tf.global_variables_initializer())]
    steps += [("values", [one, two, three, four, five, six, seven, root, deep, hand, shared])]
    steps += [("losses", tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))]
    return {"facts": facts, "steps": steps}
