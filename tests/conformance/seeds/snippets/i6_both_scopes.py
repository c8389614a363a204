import tfmini as tf

with tf.name_scope("name1"):
    with tf.variable_scope("var1"):
        w = tf.get_variable("w", shape=[2])
        res = tf.add(w, [3])
print(w.name)
print(res.name)
with tf.name_scope("scope1") as scope1:
    with tf.name_scope("scope2") as scope2:
        print(scope2)
with tf.variable_scope("scope1") as scope1:
    with tf.variable_scope("scope2") as scope2:
        print(scope2.name)
with tf.name_scope("hidden") as scope:
    a = tf.constant(5, name="alpha")
    W = tf.Variable(tf.random_uniform([1, 2], -1.0, 1.0), name="weights")
    b = tf.Variable(tf.zeros([1]), name="biases")
    print(a.name)
    print(W.name)
    print(b.name)


def test(name=None):
    with tf.variable_scope(name, default_name="scope"):
        tf.get_variable("w", shape=[2, 10])


tf.reset_default_graph()
test()
test()
ws = tf.trainable_variables()
for w in ws:
    print(w.name)
