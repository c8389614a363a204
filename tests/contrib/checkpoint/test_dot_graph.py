"""A checkpoint's object graph in DOT: TensorFlow 1.15.5's output for the same checkpoints."""

from pathlib import Path

import tfmini as tf

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "checkpoints"
OBJECTS = """\
digraph {
N_0 [shape=point label="" width=.25]
N_0 -> N_1 [label="first"]
N_0 -> N_2 [label="other"]
N_1 [shape=point label="" color=blue width=.25 tooltip="Variable scope/a shape=[3] float64"]
N_2 [shape=point label="" color=blue width=.25 tooltip="Variable b shape=[2] int32"]
}
"""
OPTIMIZER = """\
digraph {
N_0 [shape=point label="" width=.25]
N_0 -> N_1 [label="o"]
N_0 -> N_2 [label="v"]
N_0 -> N_3 [label="save_counter"]
N_1 [shape=point label="" width=.25 color=red,tooltip="Optimizer"]
N_1 -> N_4 [label="beta1_power"]
N_1 -> N_5 [label="beta2_power"]
N_1 -> N_6 [label="m" style=dotted]
N_2 -> N_6 [style=dotted]
N_1 -> N_7 [label="v" style=dotted]
N_2 -> N_7 [style=dotted]
N_2 [shape=point label="" color=blue width=.25 tooltip="Variable v shape=[2] float32"]
N_3 [shape=point label="" color=blue width=.25 tooltip="Variable save_counter shape=[] int64"]
N_4 [shape=point label="" color=blue width=.25 tooltip="Variable beta1_power shape=[] float32"]
N_5 [shape=point label="" color=blue width=.25 tooltip="Variable beta2_power shape=[] float32"]
N_6 [shape=point label="" color=orange width=.25 tooltip="Slot variable v/Adam shape=[2] float32"]
N_7 [shape=point label="" color=orange width=.25 tooltip="Slot variable v/Adam_1 shape=[2] float32"]
}
"""


def test_variables_only():
    assert tf.contrib.checkpoint.dot_graph_from_checkpoint(str(GOLDEN / "objects")) == OBJECTS


def test_optimizer_and_slots(tmp_path):
    v = tf.get_variable("v", [2], use_resource=True)
    optimizer = tf.train.AdamOptimizer()
    optimizer.minimize(tf.reduce_sum(v), var_list=[v])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saved = tf.train.Checkpoint(v=v, o=optimizer).save(str(tmp_path / "model"), session=session)
    assert tf.contrib.checkpoint.dot_graph_from_checkpoint(saved) == OPTIMIZER
