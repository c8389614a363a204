import tfmini as tf


def te2():
    with tf.variable_scope("te2"):
        var2 = tf.get_variable("var2", shape=[2], dtype=tf.float32)
        print(var2.name)

        def te1():
            with tf.variable_scope("te1"):
                var1 = tf.get_variable("var1", shape=[2], dtype=tf.float32)
            return var1

        return te1()


print(te2().name)
tf.reset_default_graph()


def te3():
    with tf.variable_scope("te2"):
        var2 = tf.get_variable("var2", shape=[2], dtype=tf.float32)
        print(var2.name)

        def te1():
            with tf.variable_scope("te1"):
                var1 = tf.get_variable("var1", shape=[2], dtype=tf.float32)
            return var1

    return te1()


print(te3().name)
tf.reset_default_graph()
with tf.variable_scope("tet1"):
    var3 = tf.get_variable("var3", shape=[2], dtype=tf.float32)
    print(var3.name)
    with tf.variable_scope("tet2"):
        var4 = tf.get_variable("var4", shape=[2], dtype=tf.float32)
        print(var4.name)
