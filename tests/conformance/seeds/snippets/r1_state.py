import tfmini as tf


class TensorFlowState:
    def __init__(self):
        graph = tf.get_default_graph()
        self.gvars = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
        self.assign_ops = [graph.get_operation_by_name(v.op.name + "/Assign") for v in self.gvars]
        self.init_values = [op.inputs[1] for op in self.assign_ops]

    def start(self, sess):
        self.sess = sess

    def store(self):
        self.state = self.sess.run(self.gvars)

    def restore(self):
        feed_dict = dict(zip(self.init_values, self.state))
        return self.sess.run(self.assign_ops, feed_dict=feed_dict)


tf.set_random_seed(1)
w = tf.get_variable("w", [2, 2])
step = tf.Variable(0, trainable=False, name="step")
loss = tf.reduce_sum(tf.square(w - 1.0))
train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, step)
state = TensorFlowState()
print([op.name for op in state.assign_ops], [t.name for t in state.init_values])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    state.start(sess)
    state.store()
    before = sess.run([w, loss, step])
    print(before)
    for _ in range(3):
        sess.run(train)
    print(sess.run([loss, step]))
    print(state.restore())
    print(sess.run([w, loss, step]))
    sess.run(train)
    print(sess.run([w, loss, step]))
