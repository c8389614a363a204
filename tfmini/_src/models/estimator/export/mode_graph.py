"""Tags and signature key of a mode's graph in a SavedModel.

Mode names are "eval" and "infer" in Estimators, "test" and "predict" in Keras.
"""

from __future__ import annotations

from tfmini._src.models.estimator.mode_keys import KerasModeKeys, ModeKeys
from tfmini._src.saved_model import signature_constants, tag_constants

_SERVING = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
SIGNATURE_KEY_MAP = {
    ModeKeys.TRAIN: "train",
    **dict.fromkeys((KerasModeKeys.TEST, ModeKeys.EVAL), "eval"),
    **dict.fromkeys((KerasModeKeys.PREDICT, ModeKeys.PREDICT), _SERVING),
}
_TAGS = {"train": tag_constants.TRAINING, "eval": "eval", _SERVING: tag_constants.SERVING}
EXPORT_TAG_MAP = {mode: [_TAGS[key]] for mode, key in SIGNATURE_KEY_MAP.items()}
