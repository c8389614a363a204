"""Modes of model functions, and their Keras names."""


class ModeKeys:
    """The modes of a model function: `TRAIN`, `EVAL`, `PREDICT`."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class KerasModeKeys:
    """Modes of a Keras model: `TRAIN`, `TEST`, `PREDICT`."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"
