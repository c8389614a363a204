import os
import tempfile

import numpy as np

import tfmini as tf

os.chdir(tempfile.mkdtemp())
w = tf.Variable(np.arange(6, dtype=np.float32).reshape(2, 3), name="w")
b = tf.Variable(tf.zeros([2]), name="b")
step = tf.train.get_or_create_global_step()
bump = tf.assign_add(step, 1)
saver = tf.train.Saver()
print([op.name for op in tf.get_default_graph().get_operations() if op.name.startswith("save")])


def outcome(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


with tf.Session() as sess:
    os.mkdir("empty")
    print(outcome(lambda: saver.save(sess, "empty/model")))
    print(outcome(lambda: saver.save(sess, "model")))
    print(sorted(os.listdir("empty")))
    sess.run(tf.global_variables_initializer())
    print(saver.save(sess, "first/model"), sorted(os.listdir("first")))
    sess.run(bump)
    print(saver.save(sess, "first/model", global_step=step))
    print(saver.save(sess, "first/model", global_step=7, write_meta_graph=False))
    print(saver.save(sess, "first/model", global_step="global_step:0", write_state=False))
    print(sorted(os.listdir("first")))
    with open("first/checkpoint") as file:
        print(file.read())
    print(outcome(lambda: saver.save(sess, "no/such/model")))
    print(outcome(lambda: saver.save(sess, "first/checkpoint")))
    print(outcome(lambda: saver.save(sess, "first/model", latest_filename="a/b")))
    print(outcome(lambda: saver.save("session", "first/model")))
    print(saver.save(sess, "first/model", latest_filename="newest"))
    print(os.path.exists("no"), sorted(os.listdir("first")))
    sess.run(w.assign([[np.nan, np.inf, 1.0], [-np.inf, 0.0, -0.0]]))
    print(saver.save(sess, "model"), sess.run(b))
with tf.Session() as sess:
    saver.restore(sess, "model")
    print(sess.run([w, b, step]))
padded = tf.train.Saver(pad_step_number=True, save_relative_paths=True)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(padded.save(sess, os.path.abspath("padded/model"), 12).endswith("padded/model-00000012"))
    with open("padded/checkpoint") as file:
        print(file.read())
