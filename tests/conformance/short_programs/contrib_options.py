"""tf.contrib: one option of a function, layer or cell per program."""

import importlib
import re

import numpy as np

from tests.conformance.short_programs import FILE, plain, rows, table_of


def programs(tf):
    C = tf.contrib
    random = np.random.RandomState(1)

    def trained(value):
        loss = tf.add_n([tf.reduce_sum(value), *tf.losses.get_regularization_losses()])
        if not tf.trainable_variables():
            return value
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return [v.read_value() for v in tf.trainable_variables()]

    def told(cell, value):
        """A cell's outputs for zeros."""
        return cell(value, cell.zero_state(2, tf.float32))

    def attended(**options):
        attention = C.seq2seq.LuongAttention(2, tf.constant(arrays["X4"][:, 0, :, :2]))
        cell = C.seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicRNNCell(2), attention, **options)
        given, state = cell(tf.constant(arrays["R"]), cell.zero_state(2, tf.float32))
        return [given, state.attention, state.alignments, state.cell_state]

    def gone(optimizer):
        """A variable after two steps."""
        w = tf.get_variable("w", initializer=[1.0, -2.0])
        first = optimizer.minimize(tf.reduce_sum(w * w), global_step=step())
        with tf.control_dependencies([first]):
            return w.read_value()

    def sparsely(optimizer, scale=1.0):
        """A table after two steps on some of its rows, one of them twice."""
        w = tf.get_variable("w", initializer=arrays["X4"][0, 0])
        for _ in range(2):
            loss = scale * tf.reduce_sum(tf.gather(w, [1, 3, 1]) * [1.0, 2.0, -1.0, 0.5])
            with tf.control_dependencies([optimizer.minimize(loss, tf.train.get_global_step())]):
                found = w.read_value()
        return found

    def shown(found):
        """Objects in words, without what names a place in memory."""
        if isinstance(found, (list, tuple)):
            return [shown(each) for each in found]
        return re.sub(r"(?<=graphid=)\d+|(?<=graph\[)\d+", "ADDRESS", plain(str(found)))

    def edited(edit):
        a = tf.constant([1.0], name="a")
        with tf.control_dependencies([tf.no_op("first")]):
            b = tf.negative(a, name="b")
        c = tf.add(a, b, name="c")
        return shown(edit(C.graph_editor, a, b, c))

    def dataset():
        slim = C.slim
        decoder = slim.tfexample_decoder.TFExampleDecoder(
            {"a": tf.FixedLenFeature([1], tf.float32)}, {"a": slim.tfexample_decoder.Tensor("a")}
        )
        return slim.dataset.Dataset(FILE, tf.TFRecordReader, decoder, 4, {"a": "of a"})

    def convolved():
        with tf.Graph().as_default() as graph:
            value = tf.placeholder(tf.float32, [1, None, None, 1], name="x")
            with tf.variable_scope("a"):
                value = C.layers.conv2d(value, 2, 3, stride=2)
            with tf.variable_scope("b"):
                C.layers.conv2d(value, 2, 5)
            return graph.as_graph_def()

    def step():
        return tf.train.get_or_create_global_step()

    def scaled(manager):
        with tf.control_dependencies([manager.update_loss_scale(tf.constant(True))]):
            better = tf.identity(manager.get_loss_scale())
        with tf.control_dependencies([better]):
            with tf.control_dependencies([manager.update_loss_scale(tf.constant(False))]):
                return [better, tf.identity(manager.get_loss_scale())]

    def updated(metric):
        return metric[1]

    def placed(chooser):
        found = []
        for number in range(3):
            with tf.device(chooser):
                found.append(tf.Variable(1.0, name=f"v{number}").device)
        return found

    arrays = {"R": random.randn(2, 3).astype("f"), "X4": random.randn(2, 6, 6, 4).astype("f")}
    names = {
        "L2": tf.keras.regularizers.l2(0.1),
        "ONES": tf.ones_initializer(),
        "BASIC": tf.nn.rnn_cell.BasicRNNCell,
        "SPARSE": lambda values=None: tf.SparseTensor(
            [[0, 0], [1, 1]], tf.constant([1, 0]) if values is None else values, [2, 2]
        ),
        "W": lambda: tf.reduce_sum(tf.square(tf.get_variable("w", initializer=[1.0, 2.0]))),
        "V": lambda name: tf.get_variable(name, initializer=1.0),
        "STEP": step,
        "SGD": lambda: tf.train.GradientDescentOptimizer(0.1),
        "OPERATOR": lambda: C.solvers.util.create_operator(
            tf.constant(np.diag([1.0, 2.0, 3.0]).astype("f"))
        ),
    }
    layers = C.layers
    nets = getattr(C.slim, "nets", None) or importlib.import_module("tensorflow.contrib.slim.nets")
    ids = layers.sparse_column_with_integerized_feature("ids", 4)
    example = tf.train.Example()
    example.features.feature["x"].float_list.value[:] = [1.5]
    names.update(
        {
            "DENSE": lambda x: tf.layers.dense(x, 3, tf.tanh, kernel_initializer=names["ONES"]),
            "SIDED": lambda x, side: (
                tf.layers.dense(x, 3, kernel_initializer=names["ONES"]) * side[0]
            ),
            "FEATURES": lambda: {
                "x": tf.constant([[1.0], [2.0]]),
                "ids": names["SPARSE"](tf.constant([3, 1], tf.int64)),
            },
            "COLUMNS": lambda same=False: [
                layers.real_valued_column("x"),
                ids if same else layers.embedding_column(ids, 2, initializer=names["ONES"]),
            ],
            "SEQUENCES": lambda: {
                "x": tf.constant(arrays["X4"][:, 0, :, :1]),
                "ids": tf.SparseTensor([[0, 0], [1, 2]], tf.constant([3, 1], tf.int64), [2, 3]),
            },
            "REAL": lambda default=False: [
                layers.real_valued_column("x", default_value=0.5 if default else None)
            ],
            "EMBEDDED": lambda: [layers.embedding_column(ids, 2, initializer=names["ONES"])],
            "EXAMPLE": example.SerializeToString(),
            "L": lambda values: tf.constant(values, tf.int64),
            "FILE": FILE,
            "NETS": nets,
            "FEATURES_OF": {
                "x": tf.FixedLenFeature([1], tf.float32),
                "ids": tf.VarLenFeature(tf.int64),
            },
            "PNG": lambda: tf.image.encode_png(np.arange(6, dtype=np.uint8).reshape(2, 3, 1) * 40),
            "TABLE": lambda: C.lookup.HashTable(
                C.lookup.KeyValueTensorInitializer(["a"], ["b"]), "none"
            ),
            "DATASET": dataset,
            "CONVS": convolved,
            "sparsely": sparsely,
            "edited": edited,
            "shown": shown,
            "R64": arrays["R"].astype("d"),
        }
    )
    return rows(
        table_of(__file__),
        tf=tf, np=np, C=C, nn=tf.nn, A=tf.constant, F=tf.float32, trained=trained, told=told, updated=updated,
        attended=attended, gone=gone, scaled=scaled, placed=placed, **arrays, **names,
    )  # fmt: skip
