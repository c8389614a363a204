import numpy as np

import tfmini as tf

logits = tf.constant([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
y = tf.nn.softmax(logits)
y_ = tf.constant([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
cross_entropy = -tf.reduce_sum(y_ * tf.log(y))
losses = tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y_)
cross_entropy2 = tf.reduce_sum(losses)
print(losses)
with tf.Session() as sess:
    softmax = sess.run(y)
    c_e = sess.run(cross_entropy)
    c_e2 = sess.run(cross_entropy2)
    print("step1:softmax result=")
    print(softmax)
    print("step2:cross_entropy result=")
    print(c_e)
    print("Function(softmax_cross_entropy_with_logits) result=")
    print(c_e2, sess.run(losses))
    one = tf.nn.softmax_cross_entropy_with_logits(logits=[1.0, 2.0, 3.0], labels=[0.0, 0.0, 1.0])
    print(sess.run(one))
    targets = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    many = tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=tf.to_float(targets))
    print(many.get_shape(), sess.run(many))
    w, b = tf.constant([[1.0, -1.0], [0.5, 0.0], [0.0, 2.0]]), tf.constant([0.25, -0.25])
    prediction = tf.nn.softmax(tf.nn.xw_plus_b(logits, w, b))
    print(prediction, sess.run(prediction))
try:
    tf.nn.softmax_cross_entropy_with_logits(logits, y_)
except ValueError as error:
    print(error)
