"""tf.linalg.expm: single and double precision, small and large norms, batches, gradients, unknown sizes."""

import numpy as np

SQUARE = np.array([[0.1, 0.3], [-0.2, 0.05]])
LARGE = np.array(
    [[[4.0, -7.0], [2.0, 3.0]], [[0.01, 0.0], [0.02, 0.03]], [[1.0, 1.0], [0.0, -1.0]]]
)


def build(tf):
    known = tf.linalg.expm(tf.constant(SQUARE, tf.float32))
    batch = tf.linalg.expm(LARGE.astype("f"), name="batch")
    double = tf.linalg.expm(LARGE)
    of_complex = tf.linalg.expm(tf.constant(SQUARE + 1j * SQUARE[::-1], tf.complex64))
    x = tf.placeholder(tf.float64, [None, None], name="x")
    loose = tf.placeholder(tf.float32, None, name="loose")
    unknown = tf.linalg.expm(x)
    of_any = tf.linalg.expm(loose)
    empty = tf.linalg.expm(tf.zeros([0, 0]))
    steps = [
        ("known", [known, batch, double, of_complex, empty]),
        ("unknown", unknown, {x: LARGE[0]}),
        ("any", of_any, {loose: LARGE[None]}),
        ("small", unknown, {x: SQUARE / 100}),
    ]
    for name, value in (("small", 0.01), ("middle", 0.5), ("large", 4.0)):
        matrix = tf.constant(SQUARE * value, name=name)
        steps.append((name, tf.gradients(tf.linalg.expm(matrix), matrix)))
    facts = {"shapes": [str(t.shape) for t in (known, batch, double, unknown, of_any, empty)]}
    return {"facts": facts, "steps": steps}
