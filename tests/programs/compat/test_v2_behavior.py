"""The switches between TensorFlow 1 and 2, and `tf.compat.v1`."""

import subprocess
import sys
import textwrap

import tfmini as tf
import tfmini.compat.v1 as tf_v1


def test_v1_is_tf():
    assert tf_v1 is tf
    assert tf.compat.v1.Session is tf.Session


def test_version_one_switches():
    tf.disable_v2_behavior()
    tf.disable_eager_execution()
    tf.disable_control_flow_v2()
    tf.disable_tensor_equality()
    assert not tf.executing_eagerly()
    assert not tf.control_flow_v2_enabled()


def printed_by(program):
    """The output of a program in a separate process."""
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_version_two_switches():
    """TensorFlow 1.15.5 prints the same."""
    assert printed_by("""
        import tfmini as tf
        tf.enable_v2_behavior()
        x = tf.constant([1, 2, 3])
        print(x == tf.constant([1, 0, 3]), (x != 2).numpy())
        try:
            x == tf.constant([1, 2])
        except tf.errors.InvalidArgumentError as error:
            print(error)
        print(x.shape[0], type(x.shape[0]).__name__, tf.control_flow_v2_enabled())
        with tf.Graph().as_default() as graph:
            p = tf.placeholder(tf.float32, [])
            y = tf.cond(p > 0, lambda: p * 2, lambda: p - 1)
            w = tf.while_loop(lambda i: i < 10.0, lambda i: i * 2.0, [p + 1.0])
            print(type(tf.Variable(1.0)).__name__)
            print(sorted({op.type for op in graph.get_operations()} & {"StatelessIf", "While", "Switch"}))
            dy = tf.gradients(y, p)[0]
            with tf.Session() as session:
                print([float(value) for value in session.run([y, w, dy], {p: 1.0})])
    """) == [
        "tf.Tensor([ True False  True], shape=(3,), dtype=bool) [ True False  True]",
        "Incompatible shapes: [3] vs. [2] [Op:Equal]",
        "3 int True",
        "ResourceVariable",
        "['StatelessIf', 'While']",
        "[2.0, 16.0, 2.0]",
    ]


def test_version_two_tensorshape():
    tf.enable_v2_tensorshape()
    try:
        assert tf.TensorShape([2, None])[0] == 2
        assert tf.TensorShape([2, None])[1] is None
    finally:
        tf.disable_v2_tensorshape()
    assert isinstance(tf.TensorShape([2, None])[0], tf.Dimension)


def test_version_two_layers_use_floatx():
    """TensorFlow 1.15.5 prints the same."""
    assert printed_by("""
        import numpy as np
        import tfmini as tf
        tf.logging.set_verbosity(tf.logging.ERROR)
        tf.enable_v2_behavior()
        class Same(tf.keras.layers.Layer):
            def call(self, x):
                return x
        one = tf.constant(1.0, tf.float64)
        layer = Same()
        print(layer.dtype, layer(one).dtype.name, layer.get_config()["dtype"])
        for given in ({"dtype": "int32"}, {"autocast": False}, {"dtype": "float16"}):
            print(Same(**given)(one).dtype.name)
        print(Same()(tf.SparseTensor([[0]], one[None], [2])).dtype.name)
        print(Same()(tf.ragged.constant([[1.0], [2.0, 3.0]], tf.float64)).dtype.name)
        print(tf.keras.layers.Dense(2)(np.ones((2, 2))).dtype.name)
        print(tf.layers.Dense(2)(one[None, None]).dtype.name)
        model = tf.keras.Sequential([tf.keras.layers.LSTM(2, unroll=True, input_shape=(2, 3))])
        print(model.dtype, model(np.ones((2, 2, 3))).dtype.name)
        given = tf.keras.Input((2,))
        model = tf.keras.Model(given, Same(autocast=False)(given))
        print(model(np.ones((2, 2))).dtype.name)
        precision = tf.keras.mixed_precision.experimental
        print(precision.global_policy().name)
        precision.set_policy("mixed_float16")
        dense = tf.keras.layers.Dense(2)
        print(dense.dtype, dense(np.ones((2, 3), "f")).dtype.name, dense.kernel.dtype.name)
        precision.set_policy(None)
        tf.keras.backend.set_floatx("float64")
        print(Same().dtype, tf.keras.layers.Dense(2)(np.ones((2, 2), "f")).dtype.name)
    """) == [
        *("float32 float32 float32", "float64", "float64", "float16", "float32", "float32"),
        *("float32", "float64", "float32 float32", "float64", "float32", "float32 float16 float32"),
        "float64 float64",
    ]


def test_version_two_models():
    """TensorFlow 1.15.5 prints the same."""
    assert printed_by("""
        import os, tempfile
        import numpy as np
        import tfmini as tf
        tf.enable_v2_behavior()
        mixed = tf.keras.mixed_precision.experimental
        layers = tf.keras.layers
        x = np.arange(4.0).reshape(1, 4)
        print(layers.Dense(2).dtype, tf.layers.Dense(2).dtype, mixed.global_policy())
        print(layers.Dense(2, kernel_initializer="ones")(x))
        print(layers.Dense(2, kernel_initializer="ones", dtype="float64")(x.astype("f")))
        print(layers.Dense(2, kernel_initializer="ones", autocast=False, dtype="float64")(x))
        of_tf_layers = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
        print(of_tf_layers(x).dtype, layers.Lambda(lambda t: t)(np.array([1])).dtype)
        ragged = tf.ragged.constant([[1.0, 2.0], [3.0]], dtype=tf.float64)
        sparse = tf.SparseTensor([[0, 1]], tf.constant([1.0], tf.float64), [1, 2])
        for value in (ragged, sparse):
            got = layers.Lambda(lambda t: t)(value)
            print(type(got).__name__, got.dtype)
        mixed.set_policy("mixed_float16")
        dense = layers.Dense(2, kernel_initializer="ones")
        print(dense.dtype, dense(x).dtype, tf.keras.metrics.Mean().dtype)
        mixed.set_policy(None)
        tf.keras.backend.set_floatx("float64")
        print(layers.Dense(2).dtype)
        tf.keras.backend.set_floatx("float32")
        inputs = tf.keras.Input((8, 8, 3))
        y = layers.BatchNormalization()(layers.Conv2D(2, 3)(inputs))
        y = layers.Dense(1)(layers.LSTM(3)(layers.Reshape((6, 12))(y)))
        model = tf.keras.Model(inputs, y)
        model.compile("sgd", "mse", metrics=["acc", "accuracy", tf.keras.metrics.mse], weighted_metrics=["mae"])
        print(model.metrics_names, model.dtype, model.output_shape)
        print(len(model.fit(np.ones((4, 8, 8, 3)), np.ones((4, 1)), verbose=0).history["loss"]))
        folder = os.path.join(tempfile.mkdtemp(), "saved")
        model.save(folder)
        print(os.path.isdir(folder))
        v = tf.Variable(1.0)
        tf.keras.backend.moving_average_update(v, tf.constant(3.0), 0.9)
        print("%.4f" % v.numpy())
    """) == [
        'float32 None <Policy "float32", loss_scale=None>',
        "tf.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)",
        "tf.Tensor([[6. 6.]], shape=(1, 2), dtype=float64)",
        "tf.Tensor([[6. 6.]], shape=(1, 2), dtype=float64)",
        "<dtype: 'float64'> <dtype: 'int64'>",
        "RaggedTensor <dtype: 'float32'>",
        "SparseTensor <dtype: 'float32'>",
        "float32 <dtype: 'float16'> float32",
        "float64",
        "['loss', 'acc', 'accuracy', 'mean_squared_error', 'mae'] float32 (None, 1)",
        "1",
        "True",
        "1.2000",
    ]
