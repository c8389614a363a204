import tfmini as tf

tf.set_random_seed(1)
my_int_variable = tf.get_variable(
    "my_int_variable", [1, 2, 3], dtype=tf.int32, initializer=tf.zeros_initializer
)
default = tf.get_variable("default", [2, 3])
called = tf.get_variable("called", [3], initializer=tf.ones_initializer())
other_variable = tf.get_variable(
    "other_variable", dtype=tf.int32, initializer=tf.constant([23, 42])
)
for v in (my_int_variable, default, called, other_variable):
    print(v.name, v.shape, v.dtype, v)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for v in (my_int_variable, default, called, other_variable):
        print(sess.run(v))
try:
    tf.get_variable("both", [2], initializer=tf.constant([23, 42]))
except ValueError as error:
    print(error)
