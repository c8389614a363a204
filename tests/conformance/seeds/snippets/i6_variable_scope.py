import tfmini as tf

with tf.variable_scope("hello") as variable_scope:
    arr1 = tf.get_variable("arr1", shape=[2, 10], dtype=tf.float32)
    print(variable_scope)
    print(variable_scope.name)
    print(arr1.name)
    print(tf.get_variable_scope().original_name_scope)
    with tf.variable_scope("xixi") as v_scope2:
        print(tf.get_variable_scope().original_name_scope)
