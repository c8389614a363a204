"""The modes in which an Estimator calls a model function, and what Keras calls them."""


class ModeKeys:
    """The modes of a model function: `TRAIN`, `EVAL`, `PREDICT`."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class KerasModeKeys:
    """The modes of a model of Keras: `TRAIN`, `TEST`, `PREDICT`."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"
