import tfmini as tf

v = tf.get_variable("v", shape=(), initializer=tf.zeros_initializer())
w = tf.get_variable("w", initializer=v.initialized_value() + 1)
my_variable = tf.get_variable("my_variable", [2], initializer=tf.ones_initializer())
missing = tf.report_uninitialized_variables()
session = tf.Session()
print(session.run(missing))
try:
    session.run(my_variable + 1.0)
except tf.errors.FailedPreconditionError as error:
    print(error.message.split("\n")[0])
session.run(my_variable.initializer)
print(session.run(missing))
session.run(w.initializer)
print(session.run(w))
session.run(tf.global_variables_initializer())
print(session.run(missing), session.run([v, w, my_variable]))
print(session.run(tf.is_variable_initialized(v)))
