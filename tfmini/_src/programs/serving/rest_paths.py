"""The paths of models in TensorFlow Serving's REST interface."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tfmini._src.base.errors import invalid
from tfmini._src.programs.serving.service import Spec

_MODEL = re.compile(
    r"/v1/models/(?P<model>[^/:]+)(?:/versions/(?P<version>[0-9]+)|/labels/(?P<label>[^/:]+))?"
    r"(?P<kind>/metadata|:(?P<method>[^/:]+))?"
)
METADATA, STATUS = "metadata", "status"
_LARGEST_VERSION = (1 << 63) - 1
_DIGITS = len(str(_LARGEST_VERSION))


@dataclass(frozen=True, slots=True)
class ModelPath:
    """A path of a model.

    api: the API requested: "metadata", "status", or a method, "predict" for example.
    """

    model: str
    version: str
    label: str
    api: str

    def spec(self, signature: str = "") -> Spec:
        """Returns the model of a request to this path that requests a signature; raises InvalidArgumentError."""
        version_number = None
        if self.version:
            digits = self.version.lstrip("0")
            version_number = int(digits or "0") if len(digits) <= _DIGITS else _LARGEST_VERSION + 1
            if version_number > _LARGEST_VERSION:
                invalid(f"Failed to convert version: {self.version} to numeric.")
        return Spec(self.model, version_number, self.label, signature)


def model_path(path: str, is_post: bool) -> ModelPath | None:
    """Parses the path of a request that posts to a method or gets; None for an invalid path."""
    match = _MODEL.fullmatch(path)
    if match is None:
        return None
    model, version, label, suffix, method = match.groups("")
    if bool(method) != is_post:
        return None
    return ModelPath(model, version, label, method or (METADATA if suffix else STATUS))
