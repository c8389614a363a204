"""tf.summary: names, tags, families and collections; scalars, histograms, tensors, text and merges."""

import numpy as np

VALUES = [
    -1e30,
    -2.5,
    -1.0,
    -1e-13,
    0.0,
    0.0,
    1e-13,
    1e-12,
    0.1,
    0.1,
    0.11,
    1.0,
    3.0,
    3.1,
    1e20,
    1e30,
]


def build(tf):
    x = tf.placeholder(tf.float32, name="x")
    loss = tf.reduce_sum(x, name="loss")
    tf.summary.scalar("loss", loss)
    with tf.name_scope("scope"):
        tf.summary.scalar("loss", loss)
        tf.summary.scalar("a b:c", loss, family="fam ily")
        tf.summary.histogram("x", x, family="family")
    tf.summary.scalar("/loss", loss, collections=["mine", "summaries"])
    tf.summary.scalar("int", 7)
    tf.summary.scalar("double", np.float64(1e300))
    tf.summary.histogram(None, x)
    tf.summary.histogram("none", tf.zeros([0]))
    tf.summary.histogram("ints", tf.constant([[1, 2, 2], [100, -7, 0]]))
    tf.summary.histogram("halves", tf.constant([0.1, 65504.0], tf.float16), collections=["mine"])
    tf.summary.text("text", tf.constant([["a", "*b*"]]))
    tf.summary.tensor_summary("tensor", x, summary_description="which", display_name="X")
    tf.summary.tensor_summary("tensor", x, family="family", collections=[])
    several = tf.raw_ops.ScalarSummary(tags=["p", "q"], values=tf.constant([1, 2], tf.int8))
    merged = tf.summary.merge_all()
    some = tf.summary.merge_all(scope="scope/")
    mine = tf.summary.merge_all("mine", name="of mine")
    both = tf.summary.merge([some, several], collections=["merged"])
    assert tf.summary.merge_all("nothing") is None
    assert tf.get_collection("merged") == [both]
    steps = [
        ("numbers of all sizes", merged, {x: VALUES}),
        ("parts", [some, mine, both], {x: [[1.0, 2.0]]}),
        ("zeros", merged, {x: [-0.0, -0.0]}),
        ("many numbers", merged, {x: np.arange(-250, 300) * 0.25}),
    ]
    return {"steps": steps}
