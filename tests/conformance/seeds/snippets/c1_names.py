import tfmini as tf

a = tf.constant(0.0)
b = tf.constant(1.0)
c = tf.constant(2.0, name="cool_const")
d = tf.constant(3.0, name="cool_const")
print(a.name, b.name, c.name, d.name)
tf.reset_default_graph()
a = tf.constant(0.0)
b = tf.constant(1.0)
with tf.variable_scope("first_scope"):
    c = a + b
    d = tf.constant(2.0, name="cool_const")
    coef1 = tf.get_variable("coef", [], initializer=tf.constant_initializer(2.0))
    with tf.variable_scope("second_scope"):
        e = coef1 * d
        coef2 = tf.get_variable("coef", [], initializer=tf.constant_initializer(3.0))
        f = tf.constant(1.0)
        g = coef2 * f
print(a.name, b.name)
print(c.name, d.name)
print(e.name, f.name, g.name)
print(coef1.name)
print(coef2.name)
