"""Wrong uses of eager mode: functions of `tf` that raise; error class and text are recorded by TensorFlow 1.15.5."""

import numpy as np


def add_of_other_shapes(tf):
    return tf.ones([2, 3]) + tf.ones([4])


def add_of_other_types(tf):
    return tf.constant(1) + tf.constant(1.0)


def add_by_name_of_other_types(tf):
    return tf.add(tf.constant(1), tf.constant(1.0))


def matmul_of_other_shapes(tf):
    return tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))


def matmul_of_vectors(tf):
    return tf.matmul(tf.ones([3]), tf.ones([3]))


def reshape_to_another_size(tf):
    return tf.reshape(tf.range(6), [4, 2])


def concat_of_other_shapes(tf):
    return tf.concat([tf.ones([2, 2]), tf.ones([3, 3])], axis=0)


def stack_of_other_shapes(tf):
    return tf.stack([tf.ones([2]), tf.ones([3])])


def unique_template_name(tf):
    return tf.make_template("a", lambda: None, unique_name_="b")


def split_unevenly(tf):
    return tf.split(tf.range(5), 2)


def gather_out_of_range(tf):
    return tf.gather(tf.range(3), [5])


def index_out_of_range(tf):
    return tf.range(3)[5]


def too_many_indices(tf):
    return tf.range(3)[0, 1]


def index_by_a_float(tf):
    return tf.range(3)[1.5]


def squeeze_of_a_wide_dimension(tf):
    return tf.squeeze(tf.ones([2, 1]), axis=0)


def transpose_by_a_wrong_permutation(tf):
    return tf.transpose(tf.ones([2, 3]), [0, 0])


def reduce_over_a_missing_axis(tf):
    return tf.reduce_sum(tf.ones([2]), axis=3)


def expand_beyond_the_rank(tf):
    return tf.expand_dims(tf.ones([2]), 4)


def cast_to_an_unknown_type(tf):
    return tf.cast([1], "float99")


def constant_of_a_text_as_number(tf):
    return tf.constant("one", tf.float32)


def constant_of_rows_of_other_lengths(tf):
    return tf.constant([[1, 2], [3]])


def constant_of_a_large_float(tf):
    return tf.constant([1.0, 1e39])


def constant_of_a_large_integer(tf):
    return tf.constant(2**63)


def constant_of_numbers_and_rows(tf):
    return tf.constant([1, [2]])


def constant_of_dates(tf):
    return tf.constant(np.array(["2019-01-01"], "M8[D]"))


def constant_of_records(tf):
    return tf.constant(np.zeros(2, [("a", np.int32)]))


def one_row_for_a_larger_shape(tf):
    return tf.constant([0.5], shape=[3])


def constant_of_another_shape(tf):
    return tf.constant([1, 2, 3], shape=[2])


def truth_of_a_vector(tf):
    return bool(tf.constant([1, 2]))


def length_of_a_scalar(tf):
    return len(tf.constant(1))


def iteration_over_a_scalar(tf):
    return list(tf.constant(1))


def assignment_to_an_item(tf):
    x = tf.zeros([2])
    x[0] = 1.0


def placeholder(tf):
    return tf.placeholder(tf.float32)


def gradients_of_the_graph(tf):
    x = tf.constant(1.0)
    return tf.gradients(x * x, x)


def the_op_of_a_tensor(tf):
    return tf.constant(1).op


def the_name_of_a_tensor(tf):
    return tf.constant(1).name


def the_graph_of_a_tensor(tf):
    return tf.constant(1).graph


def evaluation_of_a_tensor(tf):
    return tf.constant(1).eval()


def set_shape_to_another(tf):
    tf.ones([2]).set_shape([3])


def a_tensor_of_a_graph(tf):
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    return x + 1.0


def numpy_of_a_graph_s_tensor(tf):
    with tf.Graph().as_default():
        return tf.constant(1.0).numpy()


def truth_of_a_graph_s_tensor(tf):
    with tf.Graph().as_default():
        return bool(tf.constant(True))


def iteration_in_a_graph(tf):
    with tf.Graph().as_default():
        return list(tf.constant([1]))


def assign_of_another_shape(tf):
    tf.Variable([1.0, 2.0]).assign([1.0])


def assign_of_another_type(tf):
    tf.Variable([1.0, 2.0]).assign(tf.constant([1, 2]))


def variable_without_a_value(tf):
    return tf.Variable()


def a_tape_used_twice(tf):
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)


def a_tape_entered_twice(tf):
    with tf.GradientTape() as tape, tape:
        pass


def stop_recording_outside(tf):
    with tf.GradientTape() as tape:
        pass
    with tape.stop_recording():
        pass


def watch_of_a_number(tf):
    with tf.GradientTape() as tape:
        tape.watch(3.0)


def unconnected_gradients_of_another_kind(tf):
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x, unconnected_gradients="nothing")


def output_gradients_of_another_shape(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x, output_gradients=tf.ones([3]))


def batch_jacobian_of_vectors(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.batch_jacobian(y, x)


def gradients_function_without_parameters(tf):
    return tf.contrib.eager.gradients_function(lambda x: x * x, params=[3])(1.0)


def implicit_gradients_without_variables(tf):
    return tf.contrib.eager.implicit_gradients(lambda: tf.constant(1.0))()


def custom_gradients_of_another_number(tf):
    @tf.custom_gradient
    def wrong(x, y):
        return x * y, lambda dy: (dy,)

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = wrong(x, x)
    return tape.gradient(z, x)


def minimize_of_a_tensor(tf):
    x = tf.Variable(1.0)
    return tf.train.GradientDescentOptimizer(0.1).minimize(x * x)


def minimize_without_variables(tf):
    return tf.train.GradientDescentOptimizer(0.1).minimize(lambda: tf.constant(1.0))


def apply_no_gradients(tf):
    tf.train.GradientDescentOptimizer(0.1).apply_gradients([(None, tf.Variable(1.0))])


def keras_apply_no_gradients(tf):
    tf.keras.optimizers.SGD(0.1).apply_gradients([(None, tf.Variable(1.0, name="v"))])


def dense_of_another_width(tf):
    layer = tf.keras.layers.Dense(2)
    layer(tf.ones([1, 3]))
    return layer(tf.ones([1, 4]))


def convolution_of_a_matrix(tf):
    return tf.keras.layers.Conv2D(2, 3)(tf.ones([4, 4]))


def weights_of_another_number(tf):
    layer = tf.keras.layers.Dense(2)
    layer.build([None, 3])
    layer.set_weights([np.zeros([3, 2])])


def fit_before_compile(tf):
    tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit(np.ones([2, 2]), np.ones([2, 1]))


def weights_before_build(tf):
    return tf.keras.Sequential([tf.keras.layers.Dense(1)]).summary()


def loss_of_other_shapes(tf):
    return tf.losses.mean_squared_error(tf.ones([2]), tf.ones([3]))


def labels_out_of_range(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1, 2], logits=tf.ones([2, 3]))


def the_end_of_a_dataset(tf):
    iterator = tf.contrib.eager.Iterator(tf.data.Dataset.range(1))
    iterator.get_next()
    return iterator.get_next()


def one_shot_iterator_s_session(tf):
    return tf.data.Dataset.range(2).make_initializable_iterator()


def batch_of_other_shapes(tf):
    dataset = tf.data.Dataset.from_generator(lambda: iter([[1], [2, 3]]), tf.int32)
    return list(dataset.batch(2))


def slices_of_other_lengths(tf):
    return tf.data.Dataset.from_tensor_slices((np.ones(2), np.ones(3)))


def a_signature_of_another_shape(tf):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x

    return f(tf.ones([3]))


def a_signature_of_fewer_arguments(tf):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x

    return f()


def truth_in_a_function_without_autograph(tf):
    @tf.function(autograph=False)
    def f(x):
        return 1 if x > 0 else 2

    return f(tf.constant(1))


def numpy_in_a_function(tf):
    @tf.function
    def f(x):
        return x.numpy()

    return f(tf.constant(1))


def a_restored_checkpoint_without_all(tf):
    import tempfile  # noqa: PLC0415

    path = tf.train.Checkpoint(a=tf.Variable(1.0)).save(tempfile.mkdtemp() + "/c")
    tf.train.Checkpoint(b=tf.Variable(1.0)).restore(path).assert_consumed()


def a_saver_of_no_variables(tf):
    return tf.train.Saver()


def a_false_assertion(tf):
    tf.debugging.assert_equal(tf.constant([1, 2]), tf.constant([1, 3]), message="they differ")


def a_number_that_is_none(tf):
    return tf.check_numerics(tf.constant([1.0, np.nan]), "found")


def condition_of_a_vector(tf):
    return tf.cond(tf.constant([True, False]), lambda: 1, lambda: 2)


def condition_of_a_number_of_python(tf):
    return tf.cond(3, 4, lambda: 2)


def decoding_of_no_picture(tf):
    return tf.image.decode_png(b"no picture")


def parsing_of_no_number(tf):
    return tf.strings.to_number("x")


def a_missing_file(tf):
    return tf.read_file("/nowhere/at/all")


def an_embedding_out_of_range(tf):
    return tf.keras.layers.Embedding(3, 2)(tf.constant([[5]]))


def inverse_of_a_singular_matrix(tf):
    return tf.linalg.inv(tf.zeros([2, 2]))


def cholesky_of_a_negative_matrix(tf):
    return tf.cholesky(-tf.eye(2))


def queue_runner(tf):
    return tf.train.string_input_producer(["a"])


def exception_of_a_py_function(tf):
    def fails(x):
        raise KeyError("no such key")

    return tf.py_function(fails, [1], tf.int32)


def slice_from_a_float(tf):
    return tf.slice([1, 2], [0.0], [1.0])


def numbers_of_an_unsupported_type(tf):
    return tf.strings.to_number("1", tf.uint8)


def a_metric_in_every_call_of_a_function(tf):
    return tf.function(lambda: tf.keras.metrics.Mean()(1.0), autograph=False)()
