"""Models trained in eager mode: TensorFlow 1.15.5's losses and metrics for the same weights and data."""

import subprocess
import sys

_PROGRAM = """
import numpy as np
import tfmini as tf

tf.enable_eager_execution()
np.random.seed(0)
X = np.random.rand(10, 4).astype(np.float32)
Y = np.random.randint(0, 3, 10)


def show(history):
    for name, values in sorted(history.history.items()):
        print(name, *(f"{value:.3f}" for value in values))


def set_weights(model):
    state = np.random.RandomState(1)
    model.set_weights([abs(state.uniform(-0.5, 0.5, w.shape)) + 0.1 for w in model.get_weights()])

"""


def _run(text, file=None):
    program = ["-c", _PROGRAM + text]
    if file is not None:  # AutoGraph reads it
        file.write_text(_PROGRAM + text)
        program = [str(file)]
    done = subprocess.run([sys.executable, *program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


def test_functional_models_train_as_functions_and_eagerly():
    lines = _run("""
for how in (False, True):
    np.random.seed(5)
    x = tf.keras.Input([4])
    h = tf.keras.layers.Dense(5, "tanh", kernel_regularizer=tf.keras.regularizers.l2(0.1))(x)
    h = tf.keras.layers.BatchNormalization()(h)
    model = tf.keras.Model(x, tf.keras.layers.Dense(3, activation="softmax")(h))
    set_weights(model)
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    model.compile(
        tf.keras.optimizers.RMSprop(rate),
        "sparse_categorical_crossentropy",
        metrics=["accuracy"],
        run_eagerly=how,
    )
    show(model.fit(X, Y, epochs=3, batch_size=4, verbose=0, validation_split=0.2))
    print(type(model.predict_on_batch(X)).__name__, int(model.optimizer.iterations))
""")
    expected = [
        "acc 0.500 0.500 0.625",
        "loss 1.534 1.064 0.938",
        "val_acc 0.500 0.500 0.500",
        "val_loss 1.202 1.130 1.177",
        "EagerTensor 6",
    ]
    assert lines[:10] == expected * 2


def test_subclassed_models_add_losses_per_call():
    lines = _run("""
class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = tf.keras.layers.Dense(4, activation="relu")
        self.b = tf.keras.layers.Dense(3)

    def call(self, x):
        h = self.a(x)
        self.add_loss(tf.reduce_mean(h) * 0.1)
        self.add_metric(tf.reduce_sum(h), name="total", aggregation="mean")
        return tf.nn.softmax(self.b(h))

model = Model()
model(X[:1])
print(len(model.losses))
set_weights(model)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["acc"])
show(model.fit(X, Y, epochs=2, batch_size=5, verbose=0))
print(model.metrics_names)
""")
    assert lines[:5] == [
        "1",
        "acc 0.300 0.300",
        "loss 1.272 1.266",
        "total 22.567 22.531",
        "['loss', 'acc', 'total']",
    ]


def test_class_weights_with_several_outputs():
    lines = _run("""
a, b = tf.keras.Input([4], name="a"), tf.keras.Input([4], name="b")
h = tf.keras.layers.concatenate([a, b])
ys = [tf.keras.layers.Dense(1, name="y1")(h), tf.keras.layers.Dense(3, "softmax", name="y2")(h)]
model = tf.keras.Model([a, b], ys)
set_weights(model)
model.compile(
    "rmsprop",
    {"y1": "mse", "y2": "sparse_categorical_crossentropy"},
    metrics={"y2": ["acc"]},
    loss_weights=[1.0, 0.5],
)
targets = {"y1": Y.astype(np.float32), "y2": Y}
weights = {"y1": np.arange(10.0), "y2": np.ones(10)}
show(model.fit({"a": X, "b": X * 2}, targets, epochs=2, verbose=0, batch_size=4, sample_weight=weights))
print([p.shape for p in model.predict([X, X])])
""")
    assert lines[:5] == [
        "loss 19.692 18.964",
        "y1_loss 19.057 26.023",
        "y2_acc 0.400 0.500",
        "y2_loss 1.220 1.159",
        "[(10, 1), (10, 3)]",
    ]


def test_class_weights_apply_in_older_dataset_loop_only():
    """Only there, as in TensorFlow 1.15.5; the losses are TensorFlow's."""
    lines = _run("""
random = np.random.RandomState(0)
x, y = random.randn(24, 3).astype("f"), (random.rand(24) > 0.5).astype("f")[:, None]
for newer in (True, False):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, "sigmoid", kernel_initializer="ones", input_shape=(3,))])
    model.compile("sgd", "binary_crossentropy", experimental_run_tf_function=newer)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
    show(model.fit(data, epochs=2, class_weight={0: 1.0, 1: 5.0}, verbose=0))
""")
    assert lines[:2] == ["loss 1.380 1.370", "loss 4.417 4.256"]


def test_symbolic_tensors_and_backend_functions():
    lines = _run("""
K = tf.keras.backend
x = tf.keras.Input([2], name="x")
print(x)
y = tf.nn.relu(x) * 2.0 + tf.constant([1.0, 2.0])
print(K.function([x], [y, K.sum(y)])([np.ones([1, 2])]))
v = K.variable([1.0, 2.0])
K.set_value(v, [3.0, 4.0])
print(K.get_value(v), K.eval(v * 2), K.learning_phase())
model = tf.keras.Model(x, y)
print(model(np.ones([1, 2], np.float32)).numpy())
try:
    model.add_loss(tf.constant(1.0))
except ValueError as error:
    print(error)
""")
    assert lines[:5] == [
        'Tensor("x:0", shape=(?, 2), dtype=float32)',
        "[array([[3., 4.]], dtype=float32), np.float32(7.0)]",
        "[3. 4.] [6. 8.] 0",
        "[[3. 4.]]",
        "Expected a symbolic Tensors or a callable for the loss value. Please wrap your loss computation in a zero "
        "argument `lambda`.",
    ]


def test_custom_loops_with_keras_optimizers():
    lines = _run("""
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(5, "tanh", input_shape=(4,)), tf.keras.layers.Dense(3, "softmax")]
)
set_weights(model)
optimizer = tf.keras.optimizers.Adam(0.01)
loss_of = tf.keras.losses.SparseCategoricalCrossentropy()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

def step(x, y):
    with tf.GradientTape() as tape:
        outputs = model(x, training=True)
        loss = loss_of(y, outputs)
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    accuracy(y, outputs)
    return loss

for run in (tf.function(step), step):
    for _ in range(4):
        loss = run(X, Y)
    print(f"{float(loss):.4f} {float(accuracy.result()):.4f} {int(optimizer.iterations)}")
""")
    assert lines[:2] == ["1.0802 0.4000 4", "1.0564 0.4000 8"]


def test_build_and_scopes_of_symbolic_tensors():
    lines = _run("""
model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dropout(0.5)])
model.build([None, 4])
print([w.shape.as_list() for w in model.weights], [type(w.numpy()).__name__ for w in model.weights])
x = tf.keras.Input([2], name="x")
for _ in range(2):
    print(tf.clip_by_value(x, 0.0, 1.0).name)
rows = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="softmax", input_shape=(4,))])
set_weights(model)
model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["accuracy"])
show(model.fit(rows, epochs=2, verbose=0, validation_data=rows))
print(model.predict(rows).shape)
""")
    assert lines[:3] == [
        "[[4, 3], [3]] ['ndarray', 'ndarray']",
        "clip_by_value:0",
        "clip_by_value_1:0",
    ]
    assert lines[3:8] == [
        "acc 0.400 0.400",
        "loss 1.081 1.075",
        "val_acc 0.400 0.400",
        "val_loss 1.067 1.060",
        "(10, 3)",
    ]


def test_dynamic_models_run_as_python_code():
    lines = _run("""
class Layer(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight("w", [4, 3])

    def call(self, x):
        return tf.matmul(x, self.w)

print(Layer().compute_output_shape((None, 4)))

class Model(tf.keras.Model):
    def __init__(self):
        super().__init__(dynamic=True)
        self.dense = tf.keras.layers.Dense(3, kernel_initializer="ones")

    def call(self, x):
        return self.dense(x) if float(tf.reduce_sum(x)) > 0 else x

model = Model()
model.compile("sgd", "mse")
print(model.run_eagerly)
show(model.fit(np.ones([8, 4], "f"), np.ones([8, 3], "f"), epochs=2, verbose=0))
""")
    assert lines[:3] == ["(?, 3)", "True", "loss 9.000 8.410"]


def test_tensors_train_like_arrays():
    lines = _run("""
np.random.seed(2)
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
set_weights(model)
model.compile("sgd", "mse")
show(model.fit(tf.constant(X), tf.constant(X[:, :2]), epochs=2, batch_size=4, shuffle=False, verbose=0))
print(model.predict(tf.constant(X), batch_size=4).shape)
model.compile("sgd", "mse", experimental_run_tf_function=False)
show(model.fit(tf.constant(X), tf.constant(X[:, :2]), epochs=1, batch_size=4, shuffle=False, verbose=0))
""")
    assert lines[:3] == ["loss 0.323 0.290", "(10, 2)", "loss 0.262"]


def test_dataset_batches_may_be_columns_of_varying_size():
    lines = _run("""
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="softmax", input_shape=(4,))])
set_weights(model)
model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
data = tf.data.Dataset.from_tensor_slices((X, Y, np.arange(1, 11, dtype=np.float32))).batch(4)
show(model.fit(data, epochs=2, verbose=0))
wide = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
set_weights(wide)
wide.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices((X, np.arange(10, dtype=np.float32))).batch(4)
show(wide.fit(data, epochs=2, verbose=0))
for loss in ("mse", "binary_crossentropy"):
    wide.compile("sgd", loss)
    try:
        wide.fit(X, np.arange(10), verbose=0)
    except ValueError as error:
        print(str(error).partition(". ")[0])
""")
    assert lines[:3] == ["acc 0.400 0.400", "loss 5.852 5.826", "loss 19.583 18.683"]
    for line, loss in zip(lines[3:5], ("mean_squared_error", "binary_crossentropy"), strict=True):
        assert line == (
            "A target array with shape (10, 1) was passed for an output of shape (None, 4) while using as loss "
            f"`{loss}`"
        )


def test_equally_named_variables_have_separate_slots():
    lines = _run("""
cells = [tf.keras.layers.LSTMCell(3), tf.keras.layers.LSTMCell(2)]
model = tf.keras.Sequential([tf.keras.layers.RNN(cells, input_shape=(2, 4))])
model.compile("rmsprop", "mse")
model.fit(np.ones((2, 2, 4), np.float32), np.ones((2, 2), np.float32), verbose=0)
print(*(slot.shape.as_list() for slot in model.optimizer.weights[1:]))
""")
    assert lines[0] == "[4, 12] [3, 12] [12] [3, 8] [2, 8] [8]"


def test_losses_in_branches_are_refused(tmp_path):
    lines = _run(
        """
class Added(tf.keras.layers.Layer):
    def call(self, inputs, training=None):
        if tf.reduce_sum(inputs) > 0.0:
            self.add_loss(tf.reduce_sum(inputs))
        return inputs


class Regularized(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layer = tf.keras.layers.Dense(2, activity_regularizer="l2")

    def call(self, x):
        if tf.reduce_sum(x) > 0.0:
            return self.layer(x)
        return self.layer(x)


for refused in (lambda: Added()(tf.keras.Input((3,))), lambda: Regularized()(tf.keras.Input((3,)))):
    try:
        refused()
    except RuntimeError as error:
        said = str(error)
        print(said[said.index("You are") : said.index("control flow")])
""",
        tmp_path / "program.py",
    )
    assert lines[:2] == [
        "You are using the method `add_loss` in a ",
        "You are using a layer with `activity_regularizer` in a ",
    ]


def test_tensor_arguments_in_configurations_and_pairs_of_optimizers():
    lines = _run("""
class AddAll(tf.keras.layers.Layer):
    def call(self, x1, x2, x3=None):
        return x1 + x2 + x3["x3"]

a = tf.keras.Input((2,), name="a")
out = AddAll(name="s")(a, tf.keras.layers.Dense(2, name="d")(a), x3={"x3": tf.constant([1.0, 2.0])})
print(tf.keras.Model(a, out).get_config()["layers"][2]["inbound_nodes"])

linear = tf.keras.experimental.LinearModel(1, kernel_initializer="zeros")
deep = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
model = tf.keras.experimental.WideDeepModel(linear, deep)
for rates in [(0.1, 0.3), (0.2, 0.0)]:
    model.compile([tf.keras.optimizers.SGD(rate) for rate in rates], "mse")
    model.train_on_batch([np.ones([1, 1], "f")] * 2, np.full([1, 1], 3.0, "f"))
    print(*(f"{w.numpy().item():.2f}" for w in linear.weights + deep.weights))
""")
    assert lines[-3:-1] == ["0.30 0.30 0.90 0.90", "0.66 0.66 0.90 0.90"]
    assert lines[-4] == "[[['a', 0, 0, {'x2': ['d', 0, 0], 'x3': {'x3': [1.0, 2.0]}}]]]"


def test_models_follow_eager_function_switch():
    lines = _run("""
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile("sgd", "mse", loss_weights=[2.0])
tf.config.experimental_run_functions_eagerly(True)
print(model.run_eagerly, model._loss_weights_list)
model.compile("sgd", "mse", run_eagerly=False)
print(model.run_eagerly)
tf.config.experimental_run_functions_eagerly(False)
""")
    assert lines[:2] == ["True [2.0]", "False"]


def test_layers_returning_variables_and_function_calls():
    lines = _run("""
class Kept(tf.keras.layers.Layer):
    def build(self, shape):
        self.v = self.add_weight("v", shape=(2, 5), initializer="ones")

    def call(self, x):
        return self.v


class Traced(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
        self.call = tf.function(self.call)

    def call(self, x):
        return self.dense(x)


ones = tf.keras.layers.Dense(1, kernel_initializer="ones")
for model in (tf.keras.Sequential([Kept(input_shape=(10,)), ones]), Traced()):
    model.compile("sgd", "mse")
    show(model.fit(np.ones((10, 10)), np.ones((10, 1)), batch_size=2, epochs=2, verbose=0))
    print(len(model.trainable_variables))
x = tf.keras.Input([1])
model = tf.keras.Model(x, x * 2)
try:
    model.add_metric(tf.constant(1.0), name="m", aggregation="mean")
except ValueError as error:
    print(error)
inputs = {"a": tf.keras.Input([1]), "b": tf.keras.Input([1])}
model = tf.keras.Model(inputs, tf.keras.layers.Add()([inputs["a"], inputs["b"]]))
print(model.compute_output_shape({"a": (None, 1), "b": (None, 1)}))
""")
    assert lines[:2] == ["loss 9.102 2.199", "3"]
    assert lines[3] == "2"
    assert lines[4].endswith("metric value, received: tf.Tensor(1.0, shape=(), dtype=float32)")
    assert lines[5] == "(?, 1)"


def test_dropout_matches_tensorflow_numbers():
    lines = _run("""
L = tf.keras.layers
np.random.seed(0)
X = np.random.rand(10, 4).astype("f")
Y = np.random.rand(10, 1).astype("f")
C = np.arange(10) % 3


def trained(x, y, outputs=1, **how):
    tf.set_random_seed(5)
    model = tf.keras.Sequential(
        [
            L.Dense(6, "relu", input_shape=(4,)),
            L.Dropout(0.5),
            L.Dense(5, "tanh"),
            L.Dropout(0.3),
            L.Dense(outputs),
        ]
    )
    classes = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", "mse" if outputs == 1 else classes)
    weights = model.get_weights()
    model.set_weights([np.full(w.shape, 0.1 * (i + 1), "f") for i, w in enumerate(weights)])
    show(model.fit(x, y, epochs=2, verbose=0, shuffle=False, **how))


trained(X, Y, batch_size=5)
trained(X, Y, batch_size=4)
trained(X.astype("d"), Y, batch_size=5)
trained(tf.data.Dataset.from_tensor_slices((X, Y)).batch(5), None)
trained(tf.data.Dataset.from_tensor_slices((X, C)).batch(5), None, 3)
trained(X, C, 3, batch_size=5)
""")
    assert lines[:6] == [
        "loss 3.751 3.426",
        "loss 3.908 2.901",
        "loss 3.319 3.541",
        "loss 3.751 3.426",
        "loss 1.098 1.096",
        "loss 1.099 1.096",
    ]
