import tfmini as tf

w1 = tf.Variable(tf.random_normal([784, 200], stddev=0.35), name="weights")
b1 = tf.Variable(tf.zeros([200]), name="biases")
w2 = tf.Variable(tf.random_normal([784, 200], stddev=0.35), name="weights")
b2 = tf.Variable(tf.zeros([200]), name="biases", trainable=False)
print(tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES))
