"""with_shape and with_same_shape: checked at once, when run, or with a scalar made of one element."""

import numpy as np


def build(tf):
    framework = tf.contrib.framework
    fixed = tf.constant([[1.0, 2.0]], name="fixed")
    loose = tf.placeholder_with_default(np.ones((1, 2), "f"), [None, None], name="loose")
    open_ = tf.placeholder_with_default(np.ones((1,), "f"), None, name="open")
    checked = [
        framework.with_shape([1, 2], fixed),
        framework.with_shape([1, 2], loose),
        framework.with_shape(tf.constant([1, -1]), loose),
        framework.with_shape(tf.constant([1, 2]), fixed),
        framework.with_shape([], open_),
        framework.with_shape([], tf.constant([3.0], name="one")),
        framework.with_same_shape(fixed, loose),
        framework.with_same_shape(loose, fixed),
        framework.with_same_shape(loose, loose),
    ]
    return {
        "steps": [("checked", checked)],
        "facts": {"same": checked[0] is fixed, "shapes": [str(t.shape) for t in checked]},
    }
