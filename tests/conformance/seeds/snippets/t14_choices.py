import tfmini as tf

sess = tf.InteractiveSession()
a, b = tf.constant(2.0), tf.constant(3.0)
x = tf.placeholder(tf.float32, [], name="x")
y = tf.constant(5.0, name="y")
z = tf.multiply(a, b)
result = tf.cond(x < y, lambda: tf.add(x, z), lambda: tf.square(y))
print(result, result.eval({x: 1.0}), result.eval({x: 9.0}))
try:
    tf.cond(True, lambda: tf.add(x, z), lambda: tf.square(y))
except TypeError as error:
    print(error)
one, two, three = (lambda: tf.constant(1)), (lambda: tf.constant(2)), (lambda: tf.constant(3))
listed = tf.case([(x < 0.0, one), (x > 10.0, two)], default=three)
mapped = tf.case({x < 0.0: one, x > 10.0: two}, default=three, exclusive=True)
for value in (-1.0, 5.0, 11.0):
    print(listed.eval({x: value}), mapped.eval({x: value}))
both = tf.case([(x < 5.0, one), (x < 10.0, two)], default=three, exclusive=True, name="both")
try:
    both.eval({x: 1.0})
except tf.errors.InvalidArgumentError as error:
    print(error.message.split("\n")[0])
print(tf.case([(x < 5.0, one), (x < 10.0, two)], default=three).eval({x: 1.0}))
w = tf.Variable(1)
mul = tf.multiply(w, 2)
add = tf.add(w, 2)
group = tf.group(mul, add)
pair = tf.tuple([mul, add])
print(group.name, group.type, pair)
sess.run(w.initializer)
print(sess.run(group), sess.run(pair))
with tf.control_dependencies([tf.assign(w, 10)]):
    after = tf.identity(w.read_value())
    other = tf.add(w, 0)
print(sess.run(after), [op.name for op in other.op.control_inputs])
sess.close()
