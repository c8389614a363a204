"""tf.summary.audio: WAV files, rates, names; TensorSummary of older graphs."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, None, name="x")
    rate = tf.placeholder_with_default(np.float32(8000.7), [], name="rate")
    tf.summary.audio("sounds", x, rate)
    tf.summary.audio("one", x, 0.4, max_outputs=1)
    tf.summary.audio("a b", x, 44100, 2, ["mine"], "fam ily")
    with tf.name_scope("scope"):
        tf.summary.audio("sounds", x, sample_rate=np.float32(16000), family="family")
    merged, mine = tf.summary.merge_all(), tf.summary.merge_all("mine")
    old = tf.raw_ops.TensorSummary(
        tensor=[1, 2], description='{"typeHint": "hint"}', labels=["p"], display_name="T"
    )
    text = tf.raw_ops.TensorSummary(tensor=["a", "b"], name="text")
    hint = tf.summary.get_summary_description(old.op.node_def).type_hint
    random = np.random.RandomState(1)
    bad = np.array([[np.nan, np.inf, -np.inf, -1, 1, 0.99997, 1e-5]], "f")
    return {
        "facts": {"hint": hint},
        "steps": [
            ("mono", [merged, mine], {x: random.uniform(-1.2, 1.2, (4, 9))}),
            ("stereo", [merged, mine], {x: random.uniform(-1, 1, (2, 5, 2)), rate: 11025.0}),
            ("corners", [merged, mine], {x: bad}),
            ("none", [merged, mine], {x: np.zeros((0, 4))}),
            ("old", [old, text], None),
        ],
    }
