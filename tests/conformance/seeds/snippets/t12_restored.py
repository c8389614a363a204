import os
import tempfile

import numpy as np

import tfmini as tf

tf.logging.set_verbosity(tf.logging.ERROR)
ckpt_file = os.path.join(tempfile.mkdtemp(), "model")


class Model:
    """A character model: trained over several steps, sampled one step at a time."""

    def __init__(self, num_nodes=8, vocabulary_size=5):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(1)
            self.train_inputs = tf.placeholder(tf.float32, [2, 4, vocabulary_size])
            self.train_labels = tf.placeholder(tf.int32, [2, 4])
            self.sample_input = tf.placeholder(tf.float32, [1, vocabulary_size], "sample_input")
            self.keep_prob = tf.placeholder(tf.float32, [], "keep_prob")
            lstm = tf.nn.rnn_cell.BasicLSTMCell(num_nodes)
            cell = tf.nn.rnn_cell.DropoutWrapper(lstm, output_keep_prob=self.keep_prob)
            w = tf.get_variable("w", [num_nodes, vocabulary_size])
            b = tf.get_variable("b", [vocabulary_size], initializer=tf.zeros_initializer())
            with tf.variable_scope("lstm"):
                outputs, _ = tf.nn.dynamic_rnn(cell, self.train_inputs, dtype=tf.float32)
            logits = tf.nn.xw_plus_b(tf.reshape(outputs, [-1, num_nodes]), w, b)
            labels = tf.reshape(self.train_labels, [-1])
            self.loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
            self.optimizer = tf.train.AdamOptimizer(0.05).minimize(self.loss)
            self.saved = [tf.Variable(tf.zeros([1, num_nodes]), trainable=False) for _ in range(2)]
            state = tf.nn.rnn_cell.LSTMStateTuple(*self.saved)
            with tf.variable_scope("lstm/rnn", reuse=True):
                sample_output, state = cell(self.sample_input, state)
            kept = [tf.assign(old, new) for old, new in zip(self.saved, state)]
            with tf.control_dependencies(kept):
                self.sample_prediction = tf.nn.softmax(tf.nn.xw_plus_b(sample_output, w, b))
            self.reset = tf.group(*[tf.assign(old, tf.zeros([1, num_nodes])) for old in self.saved])
            self.init = tf.global_variables_initializer()
            self.saver = tf.train.Saver()


letters = np.array([[0, 1, 2, 3, 4], [2, 3, 4, 0, 1]])
one_hot = np.eye(5, dtype=np.float32)
model = Model()
with tf.Session(graph=model.graph) as session:
    session.run(model.init)
    feed = {
        model.train_inputs: one_hot[letters[:, :-1]],
        model.train_labels: letters[:, 1:],
        model.keep_prob: 1.0,
    }
    for step in range(31):
        loss, _ = session.run([model.loss, model.optimizer], feed)
        if step % 10 == 0:
            print(f"step {step}: {loss:.3f}")
    model.saver.save(session, ckpt_file)

model = Model()
with tf.Session(graph=model.graph) as session:
    model.saver.restore(session, ckpt_file)
    names = sorted(name for name, _ in tf.train.list_variables(ckpt_file) if "Adam" not in name)
    print(names)
    for sentence in range(2):
        model.reset.run()
        letter = sentence
        text = [letter]
        for _ in range(6):
            prediction = model.sample_prediction.eval(
                {model.sample_input: one_hot[[letter]], model.keep_prob: 1.0}
            )
            letter = int(prediction.argmax())
            text.append(letter)
        print(text, prediction)
