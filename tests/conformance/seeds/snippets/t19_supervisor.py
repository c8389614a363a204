"""A Supervisor: restored and written files, with and without a block, on the chief and on other workers."""

import glob
import os
import tempfile
import threading
import time

import tfmini as tf

FOLDER = tempfile.mkdtemp()


def model():
    tf.reset_default_graph()
    step = tf.Variable(0, name="global_step", trainable=False)
    a = tf.Variable(1, name="a")
    b = tf.Variable(2, name="b")
    update = tf.group(tf.assign(a, tf.add(a, b)), tf.assign_add(step, 1))
    tf.summary.scalar("a", a)
    return step, a, update


def files():
    return sorted({"events" if "tfevents" in name else name for name in os.listdir(FOLDER)})


def events():
    """The content of all event files."""
    for path in sorted(glob.glob(FOLDER + "/*tfevents*"))[:1]:
        for event in tf.train.summary_iterator(path):
            kind = event.WhichOneof("what")
            tags = [value.tag for value in event.summary.value]
            print("  event", kind, event.step, tags, event.session_log.status)


# The article's program, with a step.
step, a, update = model()
init_op = tf.global_variables_initializer()
merged = tf.summary.merge_all()
sv = tf.train.Supervisor(
    logdir=FOLDER, init_op=init_op, summary_op=None, save_model_secs=0, save_summaries_secs=0
)
saver = sv.saver
print(sv.is_chief, sv.global_step.name, os.path.basename(sv.save_path), sv.summary_op)
print([op.name for op in (sv.init_op, sv.ready_op)], sv.ready_for_local_init_op)
with sv.managed_session() as sess:
    for i in range(5):
        sess.run(update)
        if i % 2 == 0:
            sv.summary_computed(sess, sess.run(merged), global_step=i)
    saver.save(sess, sv.save_path, global_step=sv.global_step)
    print(*sess.run([a, step]), tf.get_default_graph().finalized, sv.should_stop())
print(sv.should_stop(), files())
events()

# A second start continues from the last checkpoint; without a block, with other threads and defaults.
step, a, update = model()
sv = tf.train.Supervisor(
    logdir=FOLDER, global_step=step, save_model_secs=600, checkpoint_basename="second"
)
sess = sv.prepare_or_wait_for_session()
print(*sess.run([a, step]))
called = threading.Event()
looper = sv.loop(60, called.set)
called.wait()
while not (tf.train.latest_checkpoint(FOLDER) or "").endswith("second-5"):  # by its own thread
    time.sleep(0.01)
while not sv.should_stop():
    sess.run(update)
    if sess.run(step) == 8:
        sv.request_stop()
sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
sv.stop()
print(looper.is_alive(), tf.train.latest_checkpoint(FOLDER)[-8:], *sess.run([a, step]))
sess.close()
print(files())

# Initial values from a function and a feed; nothing is written.
tf.reset_default_graph()
start = tf.placeholder(tf.float32, [], name="start")
v = tf.Variable(start, name="v")
w = tf.Variable(0.0, name="w", collections=[tf.GraphKeys.LOCAL_VARIABLES])
sv = tf.train.Supervisor(
    init_feed_dict={start: 3.0}, init_fn=lambda session: print("init", session.run(v))
)
with sv.managed_session(start_standard_services=False) as sess:
    print(*sess.run([v, w]), sv.save_path, sv.summary_writer, sv.start_standard_services(sess))
    try:
        sv.summary_computed(sess, b"")
    except RuntimeError as error:
        print(error)

# Non-chiefs wait until the model is ready; here it never becomes ready, or needs no initialization.
tf.reset_default_graph()
with tf.device("/cpu:0"):
    v = tf.Variable(1.0, name="v")
sv = tf.train.Supervisor(is_chief=False, logdir=FOLDER, recovery_wait_secs=1)
print(sv.summary_writer, sv.save_path, sv.is_chief)
try:
    sv.prepare_or_wait_for_session(max_wait_secs=0)
except tf.errors.DeadlineExceededError as error:
    print(error.message)
try:
    sv.start_standard_services(None)
except RuntimeError as error:
    print(error)
tf.reset_default_graph()
v = tf.Variable(1.0, name="v")
try:
    tf.train.Supervisor(is_chief=False)
except ValueError as error:
    print(str(error).split("\n")[0])
tf.reset_default_graph()
with tf.device("/cpu:0"):
    v = tf.Variable(1.0, name="v")
with tf.train.Supervisor(is_chief=False, ready_op=None).managed_session() as sess:
    print(sess.run(tf.get_default_graph().get_operation_by_name("v/Assign")))

# Exceptions propagate from the block, except for the end of the data.
for error in (tf.errors.OutOfRangeError(None, None, "no more"), KeyError("a key")):
    step, a, update = model()
    sv = tf.train.Supervisor(logdir=None)
    try:
        with sv.managed_session() as sess:
            raise error
        print("left quietly", sv.should_stop())
    except KeyError as raised:
        print("raised", raised, sv.should_stop())
