import os
import shutil
import tempfile

import numpy as np

import tfmini as tf

os.chdir(tempfile.mkdtemp())
random = np.random.RandomState(0)
images = random.rand(30, 4).astype(np.float32)
labels = random.randint(0, 3, 30)
x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.placeholder(tf.int64, [None], name="y")
with tf.variable_scope("layer"):
    w = tf.get_variable("w", [4, 3], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
logits = tf.add(tf.matmul(x, w), b, name="logits")
cost = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
loss = tf.reduce_mean(cost, name="loss")
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.1).minimize(loss, step)
tf.add_to_collection("train", train)
feed = {"x:0": images, "y:0": labels}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train, feed)
    path = tf.train.Saver(save_relative_paths=True).save(sess, "here/model", step)
    here = [sess.run([loss, train], feed)[0] for _ in range(3)]
print(here)
shutil.move("here", "there")
with tf.Graph().as_default() as graph, tf.Session() as sess:
    tf.train.import_meta_graph("there/model-3.meta").restore(
        sess, tf.train.latest_checkpoint("there")
    )
    there = [sess.run(["loss:0"] + tf.get_collection("train"), feed)[0] for _ in range(3)]
    print(there == here, sess.run("global_step:0"))
    print(sorted(v.op.name for v in tf.global_variables()))
    print(sess.run("logits:0", feed).round(3)[:2], sess.run("layer/w:0").round(4))
