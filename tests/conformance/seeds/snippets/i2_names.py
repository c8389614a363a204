import tfmini as tf

w1 = tf.Variable(tf.random_normal([784, 200], stddev=0.35), name="weights")
b1 = tf.Variable(tf.zeros([200]), name="biases")
w2 = tf.Variable(tf.random_normal([784, 200], stddev=0.35), name="weights")
b2 = tf.Variable(tf.zeros([200]), name="biases")
print(w1.name, w1.shape)
print(b1.name, b1.shape)
print(w2.name, w2.shape)
print(b2.name, b2.shape)
print(tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES))
print(repr(w1), str(w1))
