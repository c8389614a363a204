"""bfloat16 variables stored in float32: `bfloat16_scope`, in scopes, shared, regularized."""


def build(tf):
    x = tf.constant([[1.0, 2.0, 3.0]], tf.bfloat16)
    with tf.contrib.tpu.bfloat16_scope() as outer:
        narrow = tf.get_variable("v", [3, 2], tf.bfloat16, tf.ones_initializer())
        wide = tf.get_variable("w", [2], initializer=tf.constant_initializer(0.1))
    with tf.variable_scope("s"), tf.contrib.tpu.bfloat16_scope() as inner:
        other = tf.get_variable("v", [2], tf.bfloat16, tf.constant_initializer(0.3))
    with tf.variable_scope("", reuse=True, custom_getter=outer.custom_getter):
        again = tf.get_variable("v", [3, 2], tf.bfloat16)
    y = tf.matmul(x, narrow) + other
    facts = {
        "scopes": [outer.name, inner.name],
        "made": [(t.name, t.dtype.name) for t in (narrow, wide, other, again)],
        "variables": [(v.name, v.dtype.name) for v in tf.global_variables()],
    }
    steps = [
        ("initialized", tf.global_variables_initializer()),
        ("values", [tf.cast(y, tf.float32), wide]),
    ]
    return {"facts": facts, "steps": steps}
