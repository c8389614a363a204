import tfmini as tf

v1 = tf.get_variable("v1", [3], initializer=tf.zeros_initializer)
v2 = tf.get_variable("v2", [5], initializer=tf.ones_initializer)
with tf.Session() as sess:
    v1.initializer.run()
    print(f"v1 : {v1.eval()}")
    tf.global_variables_initializer().run()
    print(f"v2 : {v2.eval()}")
tf.reset_default_graph()
v1 = tf.get_variable("v1", shape=[3], initializer=tf.ones_initializer)
v2 = tf.get_variable("v2", shape=[5], initializer=tf.ones_initializer)
print(v1.name, v2.name, len(tf.global_variables()))
sess = tf.Session()
print(sess.run(v1.initializer))
print(f"v1 : {v1.eval(session=sess)}")
