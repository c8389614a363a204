"""`tf.keras.backend.constant` with values of another shape."""


def constants(tf, stage):
    values = {
        "fewer": ([1.0, 2.0], (2, 2)),
        "more": ([1.0, 2.0, 3.0], (2,)),
        "of_another_rank": ([[1.0, 2.0]], (3,)),
        "as_many": ([1.0, 2.0, 3.0, 4.0], (2, 2)),
        "of_one_in_one": ([[5.0]], (2, 2)),
        "none_of_none": ([], (0,)),
    }
    cases = {
        name: lambda value=value, shape=shape: tf.keras.backend.constant(value, shape=shape)
        for name, (value, shape) in values.items()
    }
    stage.each(cases)
