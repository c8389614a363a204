"""Vectors of lists of tensors: joined and pushed to all at once, and what does not fit where."""

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
    other, whole = held([[1, 2, 3]], dims=(3,)), held([[1, 2]], tf.int32)
    cases = {
        "joined": lambda: joined(tf.stack([one, two]), tf.stack([two, none])),
        "of one alone": lambda: read(
            raw.TensorListConcatLists(input_a=one, input_b=two, element_dtype=tf.float32)
        ),
        "of other lengths": lambda: joined(tf.stack([one, two]), tf.stack([one])),
        "second of other shapes": lambda: joined(tf.stack([one, one]), tf.stack([one, other])),
        "second of another dtype": lambda: joined(tf.stack([one, whole]), tf.stack([one, one])),
        "b of another dtype": lambda: joined(tf.stack([one, one]), tf.stack([one, whole])),
        "pushed": lambda: pushed(tf.stack([one, none]), [[7.0, 8.0], [9.0, 10.0]]),
        "pushed unknown": lambda: pushed(tf.stack([one, none]), fed(np.float32([[7, 8], [9, 10]]))),
        "pushed too few": lambda: pushed(tf.stack([one, none]), fed(np.float32([[7, 8]]))),
        "pushed too short": lambda: pushed(tf.stack([one, none]), fed(np.float32([[7], [9]]))),
        "pushed to another": lambda: pushed(
            tf.stack([one, other]), fed(np.float32([[7, 8], [9, 1]]))
        ),
        "pushed another dtype": lambda: pushed(tf.stack([one, whole]), [[7.0, 8.0], [9.0, 10.0]]),
        "originals": lambda: [read(one), read(two), read(none)],
    }
    with tf.Session() as session:
        for name, make in cases.items():
            stage.say(name)
            with stage.failing():
                made = make()
                parts = made if isinstance(made, list) else [made]
                stage.say(*[x if isinstance(x, tf.TensorShape) else session.run(x) for x in parts])
