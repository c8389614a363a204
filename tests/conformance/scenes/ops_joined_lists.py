"""Vectors of tensor lists: concatenated, pushed to as a batch, and mismatches."""

import numpy as np

from tests.conformance.scenes import unknown


def vectors(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)

    def held(items, dtype=tf.float32, dims=(2,)):
        shape = np.array(dims, "i")
        made = raw.EmptyTensorList(element_shape=shape, max_num_elements=-1, element_dtype=dtype)
        for item in items:
            made = raw.TensorListPushBack(input_handle=made, tensor=tf.constant(item, dtype))
        return made

    def read(handle, dtype=tf.float32, dims=(2,)):
        return raw.TensorListStack(
            input_handle=handle, element_shape=np.array(dims, "i"), element_dtype=dtype
        )

    def joined(a, b, dtype=tf.float32, form=tf.identity):
        made = raw.TensorListConcatLists(input_a=form(a), input_b=form(b), element_dtype=dtype)
        return [made.shape] + [read(x, dtype) for x in tf.unstack(made, num=2)]

    def pushed(handles, rows, dtype=tf.float32):
        made = raw.TensorListPushBackBatch(input_handles=handles, tensor=rows)
        parts = tf.unstack(tf.reshape(made, [-1]), num=2)
        return [made.shape] + [read(x, dtype) for x in parts]

    one, two, none = held([[1, 2]]), held([[3, 4], [5, 6]]), held([])
    cases = {
        "of other lengths": lambda: joined(tf.stack([one, two]), tf.stack([one])),
        "pushed too short": lambda: pushed(tf.stack([one, none]), fed(np.float32([[7], [9]]))),
    }
    with tf.Session() as session:
        for name, make in cases.items():
            stage.say(name)
            with stage.failing():
                made = make()
                parts = made if isinstance(made, list) else [made]
                stage.say(*[x if isinstance(x, tf.TensorShape) else session.run(x) for x in parts])
