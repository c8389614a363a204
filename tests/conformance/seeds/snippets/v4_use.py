import tfmini as tf

v = tf.get_variable("v", shape=(), initializer=tf.zeros_initializer())
w = v + 1
print(w)
assignment = v.assign_add(1)
v1 = tf.get_variable("v1", shape=[3], initializer=tf.zeros_initializer)
v2 = tf.get_variable("v2", shape=[5], initializer=tf.zeros_initializer)
inc_v1 = v1.assign(v1 + 1)
dec_v2 = v2.assign(v2 - 1)
named = tf.assign(v2, [1.0, 2.0, 3.0, 4.0, 5.0], name="named")
print(inc_v1, dec_v2.op.name, named.name)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    inc_v1.op.run()
    dec_v2.op.run()
    print(sess.run(assignment), sess.run(assignment), sess.run(v), sess.run(w))
    v1.assign(v1 + 1).op.run()
    print(v1.eval(), v2.eval())
    sess.run(tf.assign_sub(v1, [1.0, 2.0, 3.0]))
    sess.run(v2.assign_sub([1.0] * 5))
    print(v1.eval(), v2.eval(), named.eval())
with tf.Session() as other:
    other.run(tf.global_variables_initializer())
    print(other.run([v, v1, v2]))
