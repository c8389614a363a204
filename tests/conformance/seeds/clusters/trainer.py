"""The asynchronous trainer of row T22, in the spelling of its time: run by `python -m tfmini run` or TensorFlow."""

import os
import time

import numpy as np
import tensorflow as tf

tf.app.flags.DEFINE_string("ps_hosts", "", "Comma-separated list of hostname:port pairs")
tf.app.flags.DEFINE_string("worker_hosts", "", "Comma-separated list of hostname:port pairs")
tf.app.flags.DEFINE_string("job_name", "", "One of 'ps', 'worker'")
tf.app.flags.DEFINE_integer("task_index", 0, "Index of task within the job")
tf.app.flags.DEFINE_string("logdir", "", "Where checkpoints go")
tf.app.flags.DEFINE_integer("steps", 60, "Steps of all workers together")

FLAGS = tf.app.flags.FLAGS


def main(_):
    ps_hosts = FLAGS.ps_hosts.split(",")
    worker_hosts = FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps_hosts, "worker": worker_hosts})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    elif FLAGS.job_name == "worker":
        with tf.device(
            tf.train.replica_device_setter(
                worker_device="/job:worker/task:{}".format(FLAGS.task_index), cluster=cluster
            )
        ):
            x = tf.placeholder(tf.float32, [None, 4])
            y = tf.placeholder(tf.float32, [None, 1])
            weights = tf.Variable(tf.zeros([4, 1]), name="weights")
            bias = tf.Variable(tf.zeros([1]), name="bias")
            loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) + bias - y))
            global_step = tf.Variable(0, name="global_step", trainable=False)
            train_op = tf.train.AdagradOptimizer(0.5).minimize(loss, global_step=global_step)
            saver = tf.train.Saver()
            tf.summary.scalar("loss", loss)
            init_op = tf.global_variables_initializer()
        sv = tf.train.Supervisor(
            is_chief=(FLAGS.task_index == 0),
            logdir=FLAGS.logdir,
            init_op=init_op,
            summary_op=None,
            saver=saver,
            global_step=global_step,
            save_model_secs=600,
            recovery_wait_secs=1,
        )
        random = np.random.RandomState(FLAGS.task_index)
        own = 0
        with sv.managed_session(server.target) as sess:
            step = 0
            while not sv.should_stop() and (step < FLAGS.steps or own < 5):
                features = random.rand(16, 4).astype("float32")
                feed = {x: features, y: features.dot([[1], [2], [3], [4]]) + 1}
                _, step, value = sess.run([train_op, global_step, loss], feed)
                own += 1
            print("steps {} own {} loss {:.4f}".format(step, own, value), flush=True)
            # Both must have started before one leaves: a session contacts all tasks of its cluster.
            open(os.path.join(FLAGS.logdir, "met-{}".format(FLAGS.task_index)), "w").close()
            other = os.path.join(FLAGS.logdir, "met-{}".format(1 - FLAGS.task_index))
            while not os.path.exists(other):
                time.sleep(0.05)
            placed = sorted((v.op.name, v.op.device) for v in tf.global_variables()[:3])
            print(placed, flush=True)
        if FLAGS.task_index == 0:
            print("saved", bool(tf.train.latest_checkpoint(FLAGS.logdir)), flush=True)
        sv.stop()


if __name__ == "__main__":
    tf.app.run()
