import tfmini as tf

w = tf.Variable([3.0, -4.0], name="w")
b = tf.Variable(12.0, name="b")
loss = tf.reduce_sum(tf.square(w)) / 2.0 + tf.square(b) / 2.0
params = tf.trainable_variables()
opt = tf.train.GradientDescentOptimizer(learning_rate=0.1)
gradients = tf.gradients(loss, params)
clipped_gradients, norm = tf.clip_by_global_norm(gradients, 6.5)
train_op = opt.apply_gradients(zip(clipped_gradients, params))
grads_and_vars = opt.compute_gradients(loss, params)
capped_grads_and_vars = [(tf.clip_by_value(gv[0], -1.0, 1.0), gv[1]) for gv in grads_and_vars]
capped_op = opt.apply_gradients(capped_grads_and_vars)
print(gradients, norm.name)
print(clipped_gradients)
print(grads_and_vars)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([clipped_gradients, norm]))
    print(sess.run(tf.clip_by_norm(w, 1.0)), sess.run(tf.clip_by_value(w, -1.0, 1.0)))
    sess.run(train_op)
    print(sess.run(params))
    sess.run(capped_op)
    print(sess.run(params))
    sess.run(opt.minimize(loss))
    print(sess.run(params))
