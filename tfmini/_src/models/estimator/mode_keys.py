"""The modes in which an Estimator calls a model function."""


class ModeKeys:
    """The modes of a model function: `TRAIN`, `EVAL`, `PREDICT`."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
