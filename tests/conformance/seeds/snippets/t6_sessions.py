import collections

import tfmini as tf

graph = tf.Graph()
with graph.as_default():
    sample_input = tf.placeholder(tf.float32, [1, 2], name="sample_input")
    keep_prob = tf.placeholder(tf.float32, [], name="keep_prob")
    w = tf.Variable([[1.0], [2.0]], name="w")
    prediction = tf.nn.softmax(tf.matmul(sample_input, w) * keep_prob)
    logits = tf.matmul(sample_input, w)
    init = tf.global_variables_initializer()
print(tf.get_default_graph() is graph)
with tf.Session(graph=graph) as session:
    init.run()
    print(prediction.eval({sample_input: [[1.0, 1.0]], keep_prob: 1.0}))
    print(logits.eval(feed_dict={sample_input: [[3.0, 1.0]]}))
    print(tf.get_default_session() is session, session.graph is graph)
    Pair = collections.namedtuple("Pair", ["first", "second"])
    feed = {sample_input: [[1.0, 2.0]]}
    print(session.run(Pair(w, {"logits": logits, "list": [logits, (w, w.initializer)]}), feed))
    print(session.run([[], [w]]), session.run({}), session.run("w:0"), session.run(init))
    try:
        session.run([w, None])
    except TypeError as error:
        print(error)
session = tf.Session(graph=graph)
print(session.run(init))
print(session.run(w), w.eval(session=session))
session.close()
try:
    session.run(w)
except RuntimeError as error:
    print(error)
interactive = tf.InteractiveSession(graph=graph)
init.run()
print(w.eval(), interactive is tf.get_default_session())
interactive.close()
try:
    w.eval()
except ValueError as error:
    print(error)
