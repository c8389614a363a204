import tfmini as tf

optimizers = [
    tf.train.GradientDescentOptimizer(0.1),
    tf.train.AdagradOptimizer(0.1),
    tf.train.AdamOptimizer(0.1),
    tf.train.MomentumOptimizer(0.1, 0.9),
    tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    tf.train.RMSPropOptimizer(0.1),
    tf.train.AdadeltaOptimizer(0.1),
    tf.train.FtrlOptimizer(0.1),
    tf.train.ProximalGradientDescentOptimizer(0.1),
    tf.train.ProximalAdagradOptimizer(0.1),
]
global_step = tf.Variable(0, name="global_step", trainable=False)
for number, optimizer in enumerate(optimizers):
    w = tf.Variable([1.0, -2.0], name=f"w{number}")
    train = optimizer.minimize(tf.reduce_sum(tf.square(w - 3.0)), global_step=global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        print(optimizer.get_name(), train.name, sess.run([w, global_step]))
        print(optimizer.get_slot_names(), [v.name for v in optimizer.variables()])
