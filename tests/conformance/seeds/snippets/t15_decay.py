import tfmini as tf

global_step = tf.Variable(0, trainable=False)
initial_learning_rate = 0.1
learning_rate = tf.train.exponential_decay(
    initial_learning_rate, global_step=global_step, decay_steps=10, decay_rate=0.9
)
opt = tf.train.GradientDescentOptimizer(learning_rate)
staircase = tf.train.exponential_decay(0.1, global_step, 4, 0.5, staircase=True)
others = [
    tf.train.natural_exp_decay(0.1, global_step, 10, 0.9),
    tf.train.inverse_time_decay(0.1, global_step, 10, 0.9),
    tf.train.polynomial_decay(0.1, global_step, 10, 0.01),
    tf.train.piecewise_constant(global_step, [3, 6], [1.0, 0.5, 0.1]),
    tf.train.cosine_decay(0.1, global_step, 10),
]
add_global = global_step.assign_add(1)
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    print(sess.run(learning_rate))
    for _ in range(10):
        sess.run(add_global)
        print(sess.run([learning_rate, staircase]))
        print(sess.run(others))
