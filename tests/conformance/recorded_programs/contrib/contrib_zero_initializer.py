"""Variables whose first value is 0: one op, which a variable that has a value refuses."""


def build(tf):
    plain = tf.get_variable("plain", [2, 2])
    resource = tf.get_variable("resource", [3], use_resource=True)
    whole = tf.get_variable("whole", [2], tf.int64, initializer=tf.ones_initializer())
    zeros = [tf.contrib.framework.zero_initializer(v) for v in (plain, resource)]
    named = tf.contrib.framework.zero_initializer(whole, name="named")

    def refused(session):
        """The messages, without the nodes."""
        said = []
        for zero in zeros:
            try:
                session.run(zero.op)
            except tf.errors.InvalidArgumentError as error:
                said.append(error.message.split("\n")[0])
        return said

    def wrong(value):
        try:
            tf.contrib.framework.zero_initializer(value)
        except TypeError as error:
            return str(error)

    return {
        "steps": [
            ("zeros", [zeros[0], zeros[1].op, named]),
            ("their values", [plain, resource.read_value(), whole]),
            ("refused", refused),
        ],
        "facts": {
            "no variable": wrong(tf.constant([1.0])),
            "an array": wrong([1.0]),
            "dtypes": [t.dtype.name for t in (*zeros, named)],
        },
    }
