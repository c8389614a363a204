import os
import tempfile

import tfmini as tf

os.chdir(tempfile.mkdtemp())
a = tf.Variable([1.0, 2.0], name="a")
b = tf.Variable([3.0, 4.0], name="b")
saver = tf.train.Saver()
late = tf.Variable(5.0, name="late")
change = [a.assign([10.0, 20.0]), b.assign([30.0, 40.0]), late.assign(50.0)]
print([v.op.name for v in saver._var_list])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(change)
    saver.save(sess, "all")
    tf.train.Saver([a]).save(sess, "one")
    tf.train.Saver({"renamed/a": a, "b": b}).save(sess, "renamed")
    for prefix in ("all", "one", "renamed"):
        print(prefix, tf.train.list_variables(prefix))


def outcome(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


with tf.Session() as sess:
    saver.restore(sess, "all")
    print(sess.run([a, b]), sess.run(tf.report_uninitialized_variables()))
    print(outcome(lambda: sess.run(late)))
with tf.Session() as sess:
    saver.restore(sess, "all")
    sess.run(tf.global_variables_initializer())
    print(sess.run([a, b, late]))
with tf.Session() as sess:
    tf.train.Saver({"a": b, "b": a}).restore(sess, "all")
    sess.run(late.initializer)
    print(sess.run([a, b, late]))
with tf.Session() as sess:
    tf.train.Saver({"renamed/a": a}).restore(sess, "renamed")
    sess.run(tf.variables_initializer([b, late]))
    print(sess.run([a, b, late]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver(var_list=[a]).restore(sess, "one")
    print(sess.run([a, b, late]))
for bad in ([a, a], {"x": a, "y": a}, {"x": [a]}, [tf.constant(1.0)], {1: a}, "a", []):
    print(outcome(lambda bad=bad: tf.train.Saver(bad)))
print(outcome(lambda: tf.train.Saver([a], defer_build=True)))
late_saver = tf.train.Saver(defer_build=True)
with tf.Session() as sess:
    print(outcome(lambda: late_saver.save(sess, "late")))
print(outcome(lambda: saver.restore(None, None)), outcome(lambda: saver.restore(None, "nothing")))
