"""The projector's config; TensorBoard's own packages on tfmini's graphs: curves, layouts."""

import subprocess
import sys

import pytest

import tfmini as tf

projector = tf.contrib.tensorboard.plugins.projector


PROGRAM = """\
import sys
import tensorflow as tf
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.plugins.custom_scalar import layout_pb2, summary as custom_scalar
from tensorboard.plugins.pr_curve import summary as pr_curve
labels, scores = tf.constant([True, False, True]), tf.constant([0.1, 0.5, 0.9])
curve = pr_curve.op("curve", labels, scores, num_thresholds=5)
growing, update = pr_curve.streaming_op("growing", labels, scores, num_thresholds=5)
layout = layout_pb2.Layout(category=[layout_pb2.Category(title="losses")])
with tf.Session() as session, tf.summary.FileWriter(sys.argv[1]) as writer:
    session.run(tf.local_variables_initializer())
    session.run(update)
    for summary in session.run([curve, growing]):
        writer.add_summary(summary, 1)
    writer.add_summary(session.run(custom_scalar.op(layout)))
found = EventAccumulator(sys.argv[1]).Reload()
for plugin in ("pr_curves", "custom_scalars"):
    print(plugin, sorted(found.PluginTagToContent(plugin)))
for tag in ("curve/pr_curves", "growing/pr_curves"):
    (event,) = found.Tensors(tag)
    print(event.step, [dim.size for dim in event.tensor_proto.tensor_shape.dim], event.tensor_proto.float_val[:5])
"""


def test_tensorboard_plugins_under_runner(tmp_path):
    pytest.importorskip("tensorboard")
    process = subprocess.run(
        [sys.executable, "-m", "tfmini", "run", "-c", PROGRAM, str(tmp_path / "log")],
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[:2] == [
        "pr_curves ['curve/pr_curves', 'growing/pr_curves']",
        "custom_scalars ['custom_scalars__config__']",
    ]
    assert process.stdout.count("1 [6, 5]") == 2
