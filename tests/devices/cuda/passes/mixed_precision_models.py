"""Models for mixed precision, with the nodes that TensorFlow's own rewrite converts.

`TFMINI_REFERENCE_GPU -m tests.devices.cuda.passes.mixed_precision_models` writes `golden/mixed_precision.json`,
with tensorflow-gpu 1.15.5 (no GPU is needed): for each model, the names of its float16 nodes, except casts.
"""

import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).parents[3] / "golden" / "mixed_precision.json"


def _trained(tf, logits):
    labels = tf.placeholder(tf.int64, [8], name="labels")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss), loss


def convolutions(tf):
    h = tf.placeholder(tf.float32, [8, 12, 12, 1], name="x")
    for filters in (4, 8):
        h = tf.layers.conv2d(h, filters, 3, activation=tf.nn.relu)
        h = tf.layers.batch_normalization(tf.layers.max_pooling2d(h, 2, 2), training=True)
    h = tf.layers.dropout(tf.layers.flatten(h), 0.3, training=True, seed=1)
    return _trained(tf, tf.layers.dense(tf.layers.dense(h, 16, tf.nn.elu), 5))


def cells(tf):
    x = tf.placeholder(tf.float32, [8, 4, 6], name="x")
    steps = tf.unstack(x, axis=1)
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.LSTMCell(6), steps, dtype=tf.float32)
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(6, name="gru"), outputs, dtype=tf.float32)
    return _trained(tf, tf.layers.dense(tf.concat(outputs, 1), 5))


def attention(tf):
    x = tf.placeholder(tf.float32, [8, 6, 16], name="x")
    q, k, v = (tf.layers.dense(x, 16, name=name) for name in "qkv")
    scores = tf.matmul(q, k, transpose_b=True) / 4.0
    mask = tf.linalg.band_part(tf.ones([6, 6]), -1, 0)
    h = x + tf.matmul(tf.nn.softmax(scores - 1e9 * (1.0 - mask)), v)
    mean, variance = tf.nn.moments(h, [-1], keep_dims=True)
    h = (h - mean) * tf.rsqrt(variance + 1e-6)
    h = h + tf.layers.dense(tf.layers.dense(h, 32, tf.nn.relu), 16)
    return _trained(tf, tf.layers.dense(tf.reduce_mean(h, 1), 5))


def branches(tf):
    x = tf.placeholder(tf.float32, [8, 6], name="x")
    h = tf.layers.dense(x, 6, tf.tanh, name="first")
    weights = tf.get_variable("weights", [6, 6])
    h = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(h, weights), lambda: h * 2.0)
    penalty = tf.nn.l2_loss(weights)
    train, loss = _trained(tf, tf.layers.dense(tf.nn.relu(h), 5))
    return tf.group(train, tf.identity(penalty)), loss


MODELS = (convolutions, cells, attention, branches)


def in_half(tf, model):
    """Names of the nodes that TensorFlow converts to float16."""
    from tensorflow.core.protobuf import config_pb2, device_properties_pb2  # noqa: PLC0415
    from tensorflow.python.grappler import cluster, tf_optimizer  # noqa: PLC0415

    with tf.Graph().as_default() as graph:
        train, loss = model(tf)
        meta = tf.train.export_meta_graph(graph=graph)
    meta.collection_def["train_op"].node_list.value[:] = [train.name, loss.op.name]
    config = config_pb2.ConfigProto()
    rewriting = config.graph_options.rewrite_options
    rewriting.optimizers.append("auto_mixed_precision")
    rewriting.min_graph_nodes = -1
    devices = [
        device_properties_pb2.NamedDevice(
            name=f"/device:{kind}:0",
            properties=device_properties_pb2.DeviceProperties(
                type=kind,
                environment={"architecture": "7", "cuda": "10000"},
                frequency=1,
                num_cores=1,
            ),
        )
        for kind in ("GPU", "CPU")
    ]
    result = tf_optimizer.OptimizeGraph(config, meta, cluster=cluster.Cluster(devices=devices))
    return sorted(
        node.name
        for node in result.node
        if node.op != "Cast"
        and any(attr.type == tf.float16.as_datatype_enum for attr in node.attr.values())
    )


if __name__ == "__main__":
    import tensorflow as reference

    found = {model.__name__: in_half(reference, model) for model in MODELS}
    GOLDEN.write_text(json.dumps(found, indent=0) + "\n")
    sys.exit(not all(found.values()))
