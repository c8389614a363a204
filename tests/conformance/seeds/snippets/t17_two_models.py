"""Two models in one graph: merge_all includes the summaries of both, merge over a scope does not."""

import numpy as np

import tfmini as tf


class Model:
    def __init__(self, scope=None):
        self.x = tf.placeholder(dtype=tf.float32, shape=[None, 1])
        self.label = tf.placeholder(dtype=tf.float32, shape=[None, 1])
        w = tf.get_variable("w", shape=[1, 1], initializer=tf.ones_initializer())
        self.predict = tf.matmul(self.x, w)
        self.loss = tf.reduce_mean(tf.reduce_sum(tf.square(self.label - self.predict), axis=1))
        self.train_op = tf.train.GradientDescentOptimizer(0.01).minimize(self.loss)
        tf.summary.scalar("loss", self.loss)
        if scope is None:
            self.merged_summary = tf.summary.merge_all()
        else:
            self.merged_summary = tf.summary.merge(tf.get_collection(tf.GraphKeys.SUMMARIES, scope))


def run_epoch(session, model):
    x = np.arange(4.0).reshape(-1, 1)
    text = session.run([model.merged_summary], {model.x.name: x, model.label: x * 3})[0]
    for value in tf.Summary.FromString(text).value:
        print(value.tag, value.simple_value)


def main(cured):
    with tf.Graph().as_default():
        with tf.name_scope("train") as train_scope:
            with tf.variable_scope("var1", dtype=tf.float32):
                model1 = Model(train_scope if cured else None)
        with tf.name_scope("test") as test_scope:
            with tf.variable_scope("var1", reuse=True, dtype=tf.float32):
                model2 = Model(test_scope if cured else None)
        print([summary.name for summary in tf.get_collection(tf.GraphKeys.SUMMARIES)])
        print(model1.merged_summary.op.inputs[0].name, len(model2.merged_summary.op.inputs))
        with tf.Session() as sess:
            tf.global_variables_initializer().run()
            run_epoch(sess, model1)
            try:
                run_epoch(sess, model2)
            except tf.errors.InvalidArgumentError as error:
                # The one found first is random.
                print(error.message.split("\n")[0].replace("Placeholder_1", "Placeholder"))


main(cured=False)
main(cured=True)
