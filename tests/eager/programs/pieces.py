"""One feature of eager execution each."""

import os
import tempfile

import numpy as np


def values_and_operators(tf):
    x = tf.constant([[1, 2], [3, 4]])
    y = tf.add(x, 1)
    return {
        "text": [str(x), repr(y), f"{y[0, 1]}", format(tf.constant(2.5), ".2f")],
        "sums": [x + y, x * y, x // 2, x % 2, -x, x**2, x @ y],
        "truth": [bool(tf.constant(1)), int(x[1, 1]), float(tf.constant(0.5)), len(x)],
        "rows": [row.numpy() for row in x],
        "numpy": [np.add(x, 1), np.multiply(np.ones((2, 2)), x), np.array(x).dtype.name],
        "compared": [x > 2, tf.equal(x, y), x == x],
    }


def slices_and_masks(tf):
    x = tf.reshape(tf.range(24.0), [2, 3, 4])
    return {
        "slices": [x[0], x[..., 1], x[:, ::-1, 1:3], x[1, tf.newaxis, -1], x[:, 1, None, ::2]],
        "masked": tf.boolean_mask(x, x[:, :, 0] > 5),
        "where": tf.where(x[0] > 4),
        "gathered": tf.gather_nd(x, [[0, 1], [1, 2]]),
        "scattered": tf.scatter_nd([[1], [3]], [9, 10], [5]),
        "chosen": x[int(tf.argmax([1, 0]))],
    }


def python_control_flow(tf):
    counter, found = tf.constant(0), []
    for number in range(1, tf.convert_to_tensor(15).numpy() + 1):
        number = tf.constant(number)
        if int(number % 3) == 0 and int(number % 5) == 0:
            found.append("FizzBuzz")
        elif int(number % 3) == 0:
            found.append("Fizz")
        elif int(number % 5) == 0:
            found.append("Buzz")
        else:
            found.append(str(number.numpy()))
        counter += 1
    return {"found": found, "counter": counter, "logistic": [float(v) for v in _logistic(tf)]}


def _logistic(tf):
    value = tf.constant(0.25)
    for _ in range(5):
        value = 3.5 * value * (1 - value)
        yield value


def loops_and_conditions_of_tensors(tf):
    trace = []

    def body(i, total):
        trace.append(int(i))
        return i + 1, total + i

    i, total = tf.while_loop(lambda i, total: i < 5, body, [tf.constant(0), tf.constant(0)])
    with tf.GradientTape() as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = tf.cond(x > 2.0, lambda: x * x, lambda: x)
    return {
        "trace": trace,
        "loop": [i, total],
        "gradient": tape.gradient(y, x),
        "case": tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)]),
        "mapped": tf.map_fn(lambda v: v * 2, tf.range(3)),
        "scanned": tf.scan(lambda a, v: a + v, tf.range(1, 5)),
        "folded": tf.foldr(lambda a, v: a - v, tf.range(1, 5)),
    }


def gradients_of_one_s_own(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    @tf.custom_gradient
    def clipped(x, norm):
        return tf.identity(x), lambda dresult: [tf.clip_by_norm(dresult, norm), None]

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(clipped(x, 0.5) * 10.0)
    grad = tf.contrib.eager.gradients_function(log1pexp)
    return {
        "stable": [grad(0.0)[0], grad(100.0)[0]],
        "clipped": tape.gradient(y, x),
        "square": tf.contrib.eager.value_and_gradients_function(lambda a, b: a * a * b)(3.0, 2.0),
    }


def gradients_of_higher_orders(tf):
    tfe = tf.contrib.eager
    cube = tfe.gradients_function(lambda x: x**3)
    second = tfe.gradients_function(lambda x: cube(x)[0])
    third = tfe.gradients_function(lambda x: second(x)[0])
    with tf.GradientTape() as t2:
        x = tf.constant([1.0, 2.0, 3.0])
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            y = tf.reduce_sum(tf.sin(x) * x)
        first = t1.gradient(y, x)
    return {
        "thrice": [cube(2.0)[0], second(2.0)[0], third(2.0)[0]],
        "first": first,
        "hessian": t2.jacobian(first, x),
    }


def a_function_of_python(tf):
    def huber(x, delta):
        return x**2 if tf.abs(x) <= delta else 2 * delta * (tf.abs(x) - 0.5 * delta)

    x, delta = tf.constant(2.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.contrib.eager.py_func(func=huber, inp=[x, delta], Tout=tf.float32)
    return {
        "value": y,
        "slope": tape.gradient(y, x),
        "numpy": tf.numpy_function(lambda v: np.cumsum(v), [x[None]], tf.float32),
        "old": tf.py_func(lambda v: v + np.float32(1), [x], tf.float32),
    }


def loops_over_datasets(tf):
    tfe = tf.contrib.eager
    dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5, 6])
    squares = dataset.map(tf.square).shuffle(2, seed=1).batch(2)
    zipped = tf.data.Dataset.zip((dataset, dataset.map(lambda v: {"twice": 2 * v}))).take(2)
    iterator = tfe.Iterator(dataset.filter(lambda v: v % 2 > 0).repeat(2).batch(4))
    generated = tf.data.Dataset.from_generator(lambda: iter([[1], [2, 3]]), tf.int32, [None])
    mean, accuracy = tfe.metrics.Mean(), tfe.metrics.Accuracy()
    for value in dataset:
        mean(value)
        accuracy(value % 2, tf.ones_like(value))
    return {
        "squares": [batch.numpy() for batch in squares],
        "zipped": [[a, b["twice"]] for a, b in zipped],
        "next": [iterator.next(), next(iterator)],
        "shapes": str(iterator.output_shapes),
        "padded": list(generated.padded_batch(2, [None])),
        "windows": [list(w.batch(3).map(tf.reduce_sum))[0] for w in dataset.window(3, 1, 1, True)],
        "reduced": dataset.reduce(0, lambda a, b: a + b),
        "metrics": [mean.result(), accuracy.result()],
    }


def lines_and_records_of_files(tf):
    folder = tempfile.mkdtemp()
    text, records = os.path.join(folder, "lines.txt"), os.path.join(folder, "records")
    with tf.gfile.GFile(text, "w") as out:
        out.write("Line 1\nLine 2\n\nLine 3\n")
    with tf.python_io.TFRecordWriter(records) as writer:
        for i in range(3):
            feature = {"x": tf.train.Feature(int64_list=tf.train.Int64List(value=[i, i * i]))}
            writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )
    parse = {"x": tf.io.FixedLenFeature([2], tf.int64)}
    lines = tf.data.TextLineDataset(text).filter(lambda line: tf.strings.length(line) > 0)
    return {
        "lines": [line.numpy() for line in lines.skip(1)],
        "records": [
            tf.io.parse_single_example(r, parse)["x"] for r in tf.data.TFRecordDataset(records)
        ],
        "csv": tf.io.decode_csv("1,2.5,word", [[0], [0.0], [""]]),
        "read": tf.read_file(text),
    }


def a_layer_and_a_model_of_one_s_own(tf):
    tf.set_random_seed(1)

    class MyDense(tf.keras.layers.Layer):
        def __init__(self, units):
            super().__init__()
            self.units = units

        def build(self, input_shape):
            self.kernel = self.add_variable("kernel", shape=[int(input_shape[-1]), self.units])

        def call(self, inputs):
            self.add_loss(tf.reduce_sum(self.kernel**2))
            return tf.matmul(inputs, self.kernel)

    class Block(tf.keras.Model):
        def __init__(self):
            super().__init__(name="block")
            self.parts = [MyDense(3), MyDense(2)]
            self.norm = tf.keras.layers.BatchNormalization()

        def call(self, inputs, training=False):
            for part in self.parts:
                inputs = tf.nn.relu(part(inputs))
            return self.norm(inputs, training=training)

    block, x = Block(), tf.ones([2, 4]) * [[1.0], [2.0]]
    first = block(x, training=True)
    return {
        "first": first,
        "again": block(x),
        "names": [v.name for v in block.variables],
        "trainable": len(block.trainable_variables),
        "losses": block.losses,
        "weights": block.get_weights()[-2:],
        "layers": [layer.name for layer in block.layers],
    }


def checkpoints_of_objects(tf):
    folder = tempfile.mkdtemp()
    x, step = tf.contrib.eager.Variable(10.0), tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(0.1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    root = tf.train.Checkpoint(x=x, optimizer=optimizer, model=model, step=step)
    manager = tf.train.CheckpointManager(root, folder, max_to_keep=2)
    for _ in range(3):
        optimizer.minimize(lambda: tf.reduce_sum(model(tf.ones([1, 2])) ** 2), global_step=step)
        manager.save()
    kept = [os.path.basename(path) for path in manager.checkpoints]
    x.assign(11.0)
    root.restore(manager.latest_checkpoint).assert_consumed()
    fresh = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    later = tf.train.Checkpoint(model=fresh)
    status = later.restore(tf.train.latest_checkpoint(folder))
    restored = fresh(tf.ones([1, 2]))  # variables take their values when they are made
    status.assert_existing_objects_matched()
    return {
        "x": x,
        "step": step,
        "kept": kept,
        "latest": os.path.basename(manager.latest_checkpoint),
        "restored": restored,
        "same": model(tf.ones([1, 2])),
        "counter": root.save_counter,
        "keys": sorted(name for name, _ in tf.train.list_variables(folder)),
    }


def savers_by_names(tf):
    folder = tempfile.mkdtemp()
    a = tf.contrib.eager.Variable([1.0, 2.0], name="a")
    saver = tf.contrib.eager.Saver([a])
    path = saver.save(os.path.join(folder, "model"), global_step=3)
    a.assign([5.0, 5.0])
    saver.restore(path)
    with tf.contrib.eager.restore_variables_on_create(path):
        b = tf.contrib.eager.Variable([0.0, 0.0], name="a")
    return {"file": os.path.basename(path), "a": a, "b": b}


def summaries_of_contrib(tf):
    folder = tempfile.mkdtemp()
    step = tf.train.get_or_create_global_step()
    writer = tf.contrib.summary.create_file_writer(folder, flush_millis=10000)
    with writer.as_default():
        for i in range(4):
            step.assign_add(1)
            with tf.contrib.summary.record_summaries_every_n_global_steps(2):
                tf.contrib.summary.scalar("loss", 0.5 * i)
        with tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.histogram("weights", tf.range(4.0), step=9)
    writer.close()
    (name,) = os.listdir(folder)
    events = list(tf.train.summary_iterator(os.path.join(folder, name)))
    found = [[e.step, v.tag, v.simple_value] for e in events for v in e.summary.value]
    return {"found": found, "version": events[0].file_version}


def functions_of_steps(tf):
    weight, traces = tf.Variable(1.0), []

    @tf.function
    def step(x, target):
        traces.append(x.shape.as_list())
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weight * x - target) ** 2)
        slope = tape.gradient(loss, weight)
        weight.assign_sub(0.1 * slope)
        return loss, slope

    found = [step(tf.constant([1.0, 2.0]), 3.0) for _ in range(3)]
    found.append(step(tf.constant([1.0]), 3.0))
    found.append(step(tf.constant([2.0]), 3.0))
    return {"found": found, "traces": traces, "weight": weight}


def functions_with_signatures(tf):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def normed(x):
        return x / tf.reduce_sum(x)

    @tf.function
    def outer(x):
        return normed(x) * 2.0

    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)[0]
    concrete = normed.get_concrete_function()
    return {
        "values": [normed(x), normed(tf.ones([4])), outer(x), concrete(tf.ones([2]))],
        "gradient": tape.gradient(y, x),
        "shape": str(concrete.output_shapes),
        "inputs": [i.dtype.name for i in concrete.inputs],
    }


def python_turned_into_graphs(tf):
    @tf.function
    def collatz(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    @tf.function
    def evens(values):
        total = 0
        for value in values:
            if value % 2 > 0:
                continue
            total += value
        return total

    @tf.function
    def table(n):
        rows = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for i in tf.range(n):
            rows = rows.write(i, i * i)
        return rows.stack()

    return {
        "steps": collatz(tf.constant(27)),
        "evens": evens(tf.constant([1, 2, 3, 4])),
        "dataset": evens(tf.data.Dataset.range(7).map(lambda v: tf.cast(v, tf.int32))),
        "table": table(tf.constant(4)),
    }


def ragged_and_sparse_values(tf):
    ragged = tf.ragged.constant([[3, 1, 4], [], [5, 9]])
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [7.0, 8.0], [3, 2])
    return {
        "text": str(ragged),
        "list": ragged.to_list(),
        "rows": [row.numpy() for row in ragged],
        "ops": [tf.reduce_sum(ragged, axis=1), (ragged + 1).to_list(), ragged[2, 1]],
        "concat": tf.concat([ragged, [[0], [1], [2]]], axis=1).to_list(),
        "mapped": tf.ragged.map_flat_values(tf.square, ragged).to_list(),
        "dense": [tf.sparse.to_dense(sparse), ragged.to_tensor(-1)],
        "matmul": tf.sparse.sparse_dense_matmul(sparse, [[1.0], [2.0]]),
        "sums": tf.sparse.reduce_sum(sparse, axis=0),
        "add": tf.sparse.add(sparse, sparse).values,
        "lengths": tf.strings.split(["a b c", "d"], result_type="RaggedTensor").to_list(),
    }


def words_and_bytes(tf):
    words = tf.constant(["to", "be", "or"])
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["to", "be"], tf.constant([1, 2], tf.int64)), -1
    )
    return {
        "text": str(words),
        "joined": tf.strings.join([words, "!"]),
        "reduced": tf.strings.reduce_join(words, separator=" "),
        "looked": table.lookup(words),
        "length": tf.strings.length(words),
        "number": tf.strings.to_number(["1.5", "2"]),
        "string": tf.as_string([1.25, 2.0], precision=1),
        "bytes": tf.strings.substr(words, 0, 1).numpy().tolist(),
    }


def variables_and_their_updates(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    found = [v.assign_add([[1.0, 1.0], [1.0, 1.0]]), v.scatter_nd_update([[0]], [[9.0, 9.0]])]
    found += [tf.assign(v, v * 2.0), v.sparse_read([1]), v[0], tf.convert_to_tensor(v)]
    count = tf.Variable(0, dtype=tf.int64)
    for _ in range(3):
        count.assign_add(2)
    return {
        "found": found,
        "repr": repr(v),
        "count": count,
        "about": [v.name, str(v.shape), v.dtype.name, v.trainable],
        "sum": v + 1.0,
    }


def variables_of_scopes(tf):
    store = tf.contrib.eager.EagerVariableStore()
    with store.as_default():
        for _ in range(2):
            with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
                v = tf.get_variable("w", [2], initializer=tf.ones_initializer())
                dense = tf.layers.dense(
                    tf.ones([1, 2]), 1, kernel_initializer=tf.ones_initializer()
                )
            v.assign_add([1.0, 2.0])
    return {"names": sorted(v.name for v in store.variables()), "v": v, "dense": dense}


def fit_of_a_sequential(tf):
    x = np.random.RandomState(0).randn(32, 4).astype("f")
    y = (x[:, :1] > 0).astype("f")
    tf.set_random_seed(2)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(6, activation="tanh"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(tf.keras.optimizers.SGD(0.5), loss="binary_crossentropy", metrics=["accuracy"])
    history = model.fit(
        x, y, batch_size=8, epochs=3, verbose=0, shuffle=False, validation_split=0.25
    )
    return {
        "history": {key: list(map(float, values)) for key, values in history.history.items()},
        "evaluated": model.evaluate(x, y, verbose=0),
        "predicted": model.predict(x[:2]),
        "batch": model.train_on_batch(x, y),
    }


def fit_of_a_functional_model_by_datasets(tf):
    tf.set_random_seed(3)
    inputs = tf.keras.Input([3])
    hidden = tf.keras.layers.Dense(4, activation="relu", name="hidden")(inputs)
    outputs = [
        tf.keras.layers.Dense(1, name="a")(hidden),
        tf.keras.layers.Dense(2, name="b")(hidden),
    ]
    model = tf.keras.Model(inputs, outputs)
    model.compile("adam", loss={"a": "mse", "b": "mae"}, loss_weights={"a": 1.0, "b": 0.5})
    x = np.random.RandomState(1).randn(8, 3).astype("f")
    dataset = tf.data.Dataset.from_tensor_slices((x, {"a": x[:, :1], "b": x[:, 1:]})).batch(4)
    losses = []
    history = model.fit(
        dataset,
        epochs=2,
        verbose=0,
        callbacks=[
            tf.keras.callbacks.LambdaCallback(
                on_batch_end=lambda batch, logs: losses.append(float(logs["loss"]))
            )
        ],
    )
    return {"loss": history.history["loss"], "keys": sorted(history.history), "losses": losses}


def fit_run_eagerly(tf):
    seen = []

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, inputs):
            seen.append(float(tf.reduce_sum(inputs)))
            return self.dense(inputs)

    model = Model()
    model.compile(tf.keras.optimizers.Adam(0.1), "mse", run_eagerly=True)
    x = np.arange(8, dtype="f").reshape(4, 2)
    history = model.fit(x, x[:, :1], batch_size=2, epochs=2, shuffle=False, verbose=0)
    return {"loss": history.history["loss"], "seen": seen[-4:], "predicted": model.predict(x)}


def an_estimator_in_an_eager_program(tf):
    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean((features["x"] * weight - labels) ** 2)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        predictions = {"graph": tf.fill([1], tf.executing_eagerly()), "weight": weight[None]}
        return tf.estimator.EstimatorSpec(mode, predictions, loss, train)

    def input_fn():
        return tf.data.Dataset.from_tensors(({"x": [1.0, 2.0]}, [2.0, 4.0])).repeat(5)

    estimator = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    estimator.train(input_fn)
    return {
        "weight": estimator.get_variable_value("weight"),
        "evaluated": estimator.evaluate(input_fn, steps=1)["loss"],
        "eager": tf.executing_eagerly(),
    }


def graphs_in_an_eager_program(tf):
    with tf.Graph().as_default():
        inside = tf.executing_eagerly()
        x = tf.placeholder(tf.float32, [None])
        doubled = x * 2.0
        with tf.init_scope():
            lifted = tf.executing_eagerly()
        with tf.Session() as session:
            value = session.run(doubled, {x: [1.0, 2.0]})
    return {"eager": [inside, lifted, tf.executing_eagerly()], "value": value, "name": doubled.name}


def random_numbers(tf):
    tf.set_random_seed(11)
    return {
        "uniform": tf.random.uniform([3]),
        "normal": tf.random.normal([2], seed=1),
        "truncated": tf.truncated_normal([3]),
        "whole": tf.random.uniform([4], maxval=10, dtype=tf.int32, seed=5),
        "shuffled": tf.random.shuffle(tf.range(6), seed=2),
        "drawn": tf.random.categorical([[0.1, 2.0, 1.0]], 5),
        "stateless": tf.random.stateless_uniform([2], seed=[1, 2]),
        "dropped": tf.nn.dropout(tf.ones([6]), rate=0.5, seed=3),
        "gamma": tf.random.gamma([2], 1.5),
    }


def rates_that_decay(tf):
    step, rates = tf.Variable(0, dtype=tf.int64), []
    decayed = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    cosine = tf.train.cosine_decay(1.0, step, 10)
    pieces = tf.train.piecewise_constant(step, [1, 3], [1.0, 0.5, 0.1])
    optimizer, weight = tf.train.GradientDescentOptimizer(decayed), tf.Variable(1.0)
    for _ in range(5):
        rates.append([decayed(), cosine(), pieces()])
        optimizer.minimize(lambda: weight * weight, global_step=step)
    return {"rates": rates, "weight": weight}


def optimizers_of_train(tf):
    found = {}
    for optimizer in [
        tf.train.AdamOptimizer(0.1),
        tf.train.AdagradOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, momentum=0.5),
        tf.train.FtrlOptimizer(0.1),
        tf.train.AdadeltaOptimizer(1.0),
        tf.keras.optimizers.Nadam(0.1),
        tf.keras.optimizers.Adamax(0.1),
    ]:
        v = tf.Variable([1.0, -2.0])
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(v**4)
            optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        found[type(optimizer).__name__] = v
    return found


def metrics_of_keras(tf):
    mean, auc = tf.keras.metrics.Mean(), tf.keras.metrics.AUC(num_thresholds=50)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for i in range(3):
        mean.update_state([i, i + 1.0])
        accuracy([0, 1], [[0.9, 0.1], [0.8, 0.2 + i]])
        auc.update_state([0, 1, 1], [0.1 * i, 0.4, 0.8])
    found = [mean.result(), accuracy.result(), auc.result()]
    mean.reset_states()
    return {"found": found, "reset": mean.result(), "names": [m.name for m in (mean, accuracy)]}


def recurrent_cells_by_hand(tf):
    tf.set_random_seed(12)
    cell, x = tf.keras.layers.LSTMCell(3), tf.ones([2, 4, 5])
    state = cell.get_initial_state(batch_size=2, dtype=tf.float32)
    for t in range(4):
        output, state = cell(x[:, t], state)
    old = tf.nn.rnn_cell.BasicLSTMCell(3)
    outputs, last = tf.nn.dynamic_rnn(old, x, sequence_length=[4, 2], dtype=tf.float32)
    both = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(2))(x)
    return {"output": output, "state": state, "old": outputs, "last": last, "both": both}


def distributions(tf):
    tf.set_random_seed(13)
    normal = tf.distributions.Normal([0.0, 1.0], 2.0)
    with tf.GradientTape() as tape:
        scale = tf.Variable(2.0)
        value = tf.reduce_sum(tf.distributions.Normal(0.0, scale).log_prob([1.0, 3.0]))
    return {
        "sample": normal.sample(2),
        "log_prob": normal.log_prob(0.5),
        "slope": tape.gradient(value, scale),
        "kl": tf.distributions.kl_divergence(normal, tf.distributions.Normal(0.0, 1.0)),
        "drawn": tf.distributions.Categorical(logits=[0.1, 2.0]).sample(5, seed=1),
    }


def devices_and_copies(tf):
    with tf.device("cpu:0"):
        x = tf.random_uniform([2, 2], seed=1) * 0.0 + 3.0
    return {
        "device": [x.device, x.cpu().device],
        "number": tf.contrib.eager.num_gpus(),
        "listed": tf.contrib.eager.list_devices()[0],
        "x": x,
    }


def shapes_and_types(tf):
    x = tf.zeros([2, 3])
    return {
        "shape": [
            str(x.shape),
            x.shape.as_list(),
            x.get_shape().ndims,
            tf.shape(x),
            tf.rank(x),
            tf.size(x),
        ],
        "dtype": [x.dtype.name, tf.cast(x, tf.int8).dtype.name, tf.constant(1).dtype.name],
        "converted": [tf.convert_to_tensor([1, 2.5]), tf.convert_to_tensor(np.arange(3))],
        "is": [
            tf.is_tensor(x),
            tf.contrib.framework.is_tensor(np.ones(2)),
            tf.contrib.eager.in_eager_mode(),
        ],
        "static": [tf.contrib.util.constant_value(x), tf.get_static_value(tf.constant([5]))],
    }
