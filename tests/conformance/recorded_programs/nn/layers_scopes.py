"""Scopes of layer weights and nodes: all forms of reuse, re-entered scopes, conds and loops, manual builds."""


def build(tf):
    layers = tf.layers
    x = tf.ones([2, 3], name="x")
    made = {}

    def case(function):
        with tf.variable_scope(function.__name__):
            made[function.__name__] = function()

    def reuse_where_there():
        return [layers.dense(x, 2, name="d", reuse=tf.AUTO_REUSE) for _ in range(2)]

    def reuse_of_the_default_name():
        return [layers.dense(x, 2), layers.dense(x, 2, reuse=True)]

    def names_with_slashes():
        return [layers.dense(x, 2, name="a/b"), layers.Dense(2, name="a/b")(x)]

    def scopes_entered_again():
        with tf.variable_scope("s") as scope:
            first = layers.dense(x, 2)
        with tf.variable_scope(scope, reuse=True):
            second = layers.dense(x, 2)
        with tf.variable_scope(scope, auxiliary_name_scope=False):
            third = layers.dense(x, 3, name="other")
        with tf.name_scope("n"):
            return [first, second, third, layers.dense(x, 2)]

    def scopes_given_to_the_call():
        with tf.variable_scope("vs") as scope:
            first = layers.Dense(2, name="named")(x, scope=scope)
        return [layers.Dense(2)(x, scope="hi"), first]

    def scopes_as_names():
        with tf.variable_scope("vs") as scope:
            pass
        layer = layers.Dense(2, name=scope)
        return [layer(x), layers.dense(x, 2, name=scope, reuse=False)]

    def the_empty_scope():
        with tf.variable_scope(""):
            first = layers.dense(x, 2)
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            return [first, layers.dense(x, 2, name="dense")]

    def built_by_hand():
        layer = layers.Dense(2, dtype="float64")
        layer.build([None, 3])
        other = layers.Dense(2)
        other.build(tf.TensorShape([2, 3]))
        return [layer(tf.cast(x, tf.float64)), other(x)]

    def defaults_of_the_scope():
        cut = tf.fixed_size_partitioner(3)
        with tf.variable_scope(
            "a", initializer=tf.zeros_initializer(), regularizer=tf.nn.l2_loss, partitioner=cut
        ):
            return layers.dense(x, 4)

    def resource_variables():
        with tf.variable_scope("a", use_resource=True):
            return layers.Dense(2, kernel_regularizer=tf.nn.l2_loss)(x)

    def in_a_condition():
        layer = layers.Dense(2, kernel_regularizer=tf.nn.l2_loss)
        return tf.cond(tf.reduce_sum(x) > 0, lambda: layer(x), lambda: x[:, :2])

    def in_a_loop():
        layer = layers.Dense(3, kernel_initializer="ones")
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, layer(y)), [0, x])

    def under_dependencies_and_devices():
        with tf.control_dependencies([x]), tf.device("/cpu:0"):
            return layers.dense(x, 2, tf.nn.relu)

    def with_a_custom_getter():
        def renamed(getter, name, *args, **kwargs):
            return getter(name + "_x", *args, **kwargs)

        with tf.variable_scope("s", custom_getter=renamed):
            return layers.dense(x, 2)

    for function in (
        *(reuse_where_there, reuse_of_the_default_name, names_with_slashes, scopes_entered_again),
        *(scopes_given_to_the_call, scopes_as_names, the_empty_scope, built_by_hand),
        *(defaults_of_the_scope, resource_variables, in_a_condition, in_a_loop),
        *(under_dependencies_and_devices, with_a_custom_getter),
    ):
        case(function)
    facts = {
        "variables": [v.name for v in tf.global_variables()],
        "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        "updates": tf.get_collection(tf.GraphKeys.UPDATE_OPS),
    }
    return {
        "facts": facts,
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("made", [made[name] for name in sorted(made)]),
        ],
    }
