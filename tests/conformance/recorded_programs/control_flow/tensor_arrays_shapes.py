"""Static element shapes of TensorArrays: given, inferred, merged, and those of reads."""


def build(tf):
    loose = tf.placeholder(tf.float32, None, name="loose")
    half = tf.placeholder(tf.float32, [None, 3], name="half")
    made = {
        "unknown": tf.TensorArray(tf.float32, 2),
        "given": tf.TensorArray(tf.float32, 2, element_shape=[2, 3]),
        "partial": tf.TensorArray(tf.float32, 2, element_shape=[None, 3]),
        "free": tf.TensorArray(tf.float32, 2, infer_shape=False),
        "free_given": tf.TensorArray(tf.float32, 2, infer_shape=False, element_shape=[2, 3]),
        "free_partial": tf.TensorArray(tf.float32, 2, infer_shape=False, element_shape=[None, 3]),
        "scalar": tf.TensorArray(tf.float32, 2, element_shape=[]),
    }
    shapes, static = {}, {}
    for name, array in made.items():
        shapes[name] = [str(array.element_shape)]
        static[name] = [str(array.read(0).shape), str(array.gather([0, 1]).shape)]
        if name != "scalar":
            static[name].append(str(array.concat().shape))
            values = [loose, half, tf.zeros([2, 3])]
        else:
            values = [loose, tf.constant(1.0)]
        for value in values:
            array = array.write(0, value)
            shapes[name].append(str(array.element_shape))
            static[name] += [str(array.read(0).shape), str(array.stack().shape)]
        static[name].append(str(array.grad("gradients_" + name).read(0).shape))
        static[name].append(
            str(array.size().shape) + str(array.flow.shape) + str(array.handle.shape)
        )
    for name, value in (("unstacked", half), ("rows", tf.zeros([2, 5])), ("nothing", loose)):
        array = tf.TensorArray(tf.float32, 2).unstack(value)
        shapes[name] = [str(array.element_shape)]
        static[name] = [str(array.stack().shape), str(array.read(0).shape)]
    for name, value, lengths in (
        ("equal", half, [2, 2]),
        ("unequal", half, [1, 2]),
        ("one", tf.zeros([4, 5]), tf.constant([4])),
        ("some", loose, tf.placeholder(tf.int32, [None])),
    ):
        array = tf.TensorArray(tf.float32, 2, infer_shape=name == "equal").split(value, lengths)
        shapes[name] = [str(array.element_shape)]
        static[name] = [str(array.concat().shape), str(array.read(0).shape)]
    inside = {}

    def body(i, array):
        inside["shape"] = str(array.element_shape)
        inside["read"] = str(array.read(i).shape)
        array = array.write(i, tf.zeros([4]))
        inside["after"] = str(array.element_shape)
        return i + 1, array

    _, array = tf.while_loop(lambda i, _: i < 2, body, (0, tf.TensorArray(tf.float32, 2)))
    inside["outside"] = [str(array.element_shape), str(array.stack().shape)]
    return {"facts": {"shapes": shapes, "static": static, "inside": inside}, "steps": []}
