import tfmini as tf

sess = tf.InteractiveSession()
i = tf.constant(0)
total = tf.while_loop(lambda i: tf.less(i, 10), lambda i: tf.add(i, 1), [i])
print(total, total.eval())

n = tf.placeholder(tf.int32, [], name="n")


def fibonacci(index, a, b):
    return index + 1, b, a + b


_, _, number = tf.while_loop(lambda index, *_: index < n, fibonacci, (1, 0, 1))
print(number, [number.eval({n: limit}) for limit in (1, 2, 10, 40)])

grown = tf.while_loop(
    lambda i, m: i < 3,
    lambda i, m: [i + 1, tf.concat([m, m], axis=0)],
    loop_vars=[i, tf.ones([2, 2])],
    shape_invariants=[i.get_shape(), tf.TensorShape([None, 2])],
)
print(grown[1], grown[1].eval().shape)
try:
    tf.while_loop(
        lambda i, m: i < 3, lambda i, m: [i + 1, tf.concat([m, m], 0)], [i, tf.ones([2, 2])]
    )
except ValueError as error:
    print(error)

values = tf.TensorArray(tf.float32, size=4)
_, values = tf.while_loop(
    lambda i, _: i < 4,
    lambda i, array: (i + 1, array.write(i, tf.cast(i, tf.float32) ** 2)),
    (0, values),
)
print(values.stack().eval())

outer = tf.while_loop(
    lambda i, t: i < 3,
    lambda i, t: (i + 1, t + tf.while_loop(lambda j: j < i, lambda j: j + 1, [tf.constant(0)])),
    (tf.constant(0), tf.constant(0)),
)
print([t.name for t in outer], sess.run(outer))

w = tf.Variable(1.0, name="w")
counter = tf.Variable(0, name="counter")
sess.run(tf.global_variables_initializer())


def step(i, x):
    with tf.control_dependencies([tf.assign_add(counter, 1)]):
        return i + 1, x * w + 1.0


_, x = tf.while_loop(lambda i, x: i < 5, step, (0, 2.0), parallel_iterations=1)
print(sess.run(x), sess.run(counter), sess.run(tf.gradients(x, w)))
inside = [op.name for op in tf.get_default_graph().get_operations() if op.type == "LoopCond"]
print(inside)
try:
    sess.run(x.op.inputs[0].op.inputs[0])
except ValueError as error:
    print(error)
limited = tf.while_loop(lambda i: True, lambda i: i + 1, [0], maximum_iterations=7)
print(sess.run(limited))
for wrong in (lambda: tf.while_loop(lambda: True, lambda: 1, []), lambda: tf.while_loop(1, 2, [0])):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
sess.close()
