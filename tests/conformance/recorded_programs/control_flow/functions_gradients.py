"""Gradients through function calls: of the body, by a gradient function, by a Python rule; training."""

from tests.support.models.function_graphs import defun_module


def build(tf):
    Defun = defun_module(tf).Defun
    x = tf.placeholder_with_default([[0.5, -1.0], [2.0, 1.5]], [2, 2], name="x")
    w = tf.get_variable("w", initializer=[[1.0, 2.0], [-0.5, 0.25]])
    r = tf.get_variable("r", initializer=[0.3, 0.6], use_resource=True)

    @Defun(tf.float32)
    def layer(x):
        return tf.tanh(tf.matmul(x, w) + r)

    @Defun(tf.float32, tf.float32)
    def several(x, y):
        count = tf.cast(tf.reduce_sum(x), tf.int32)
        return x * y, count, tf.exp(x) / (1.0 + y * y), tf.reduce_mean(y, axis=0)

    @Defun(tf.float32)
    def deep(x):
        a, _, b, c = several(x, layer(x))
        return a + b * c

    @Defun(tf.float32, tf.float32)
    def triple(x, dy):
        return dy * 3.0

    @Defun(tf.float32, grad_func=triple)
    def tripled(x):
        return x * 2.0

    @Defun(tf.float32, tf.float32, python_grad_func=lambda op, da, db: [da * 5.0, op.inputs[0]])
    def ruled(x, y):
        return x + 1.0, y * x

    @Defun(tf.float32, tf.int32)
    def turned(x, axes):
        return tf.transpose(x, axes)

    hidden = layer(x)
    y = deep(hidden)
    taught = tripled(y)
    one, two = ruled(taught, y)
    chosen = turned(one, [1, 0])
    loss = tf.reduce_sum(tf.square(chosen)) + tf.reduce_sum(two) * 0.1
    slopes = tf.gradients(loss, [x, w, r, hidden])
    again = tf.gradients(tf.reduce_sum(several(x, x)[0] * 2.0), x)
    train = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
    steps = [
        ("initialize", tf.global_variables_initializer(), None),
        ("values", [hidden, y, taught, one, two, chosen, loss], None),
        ("gradients", slopes, None),
        ("another", again, None),
    ]
    for number in range(3):
        steps.append((f"train {number}", [loss, train], None))
    return {"steps": [*steps, ("variables", [w, r], None)]}
