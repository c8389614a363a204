"""The modes in which an Estimator calls a model function."""


class ModeKeys:
    """The names of what a model function is called for: `TRAIN`, `EVAL`, `PREDICT`."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
