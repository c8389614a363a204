"""`tf.keras.applications.imagenet_utils`: input preprocessing and class names of ImageNet models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.utils.get_file import get_file
from tfmini._src.nn.layers.backend.config import floatx, image_data_format
from tfmini._src.ops import ops

_CLASSES = "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json"
_CHECKSUM = "c2c37ea517e94d9795004a39431a14cb"

# ImageNet channel means: BGR in 0 ... 255; then RGB in 0 ... 1, and their standard deviations.
_MEANS_OF_255 = (103.939, 116.779, 123.68)
_MEANS, _DEVIATIONS = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def decode_predictions(preds: np.ndarray, top: int = 5) -> list[list[tuple[str, str, Any]]]:
    """Decodes predictions to the most probable classes per sample.

    Args:
      preds: [samples, 1000] predictions for ImageNet's classes.
      top: number of classes to return.

    Returns:
      For each sample, a list of (WordNet id, name, prediction), most probable first. Names come from
      ~/.keras/models/imagenet_class_index.json, downloaded if missing.

    Raises:
      ValueError: if `preds` has another shape.

    Example: `decode_predictions(model.predict(images), top=1)[0]` is `[("n02123045", "tabby", 0.87)]`.
    """
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape "
            f"(samples, 1000)). Found array with shape: {preds.shape}"
        )
    path = get_file(
        "imagenet_class_index.json", _CLASSES, cache_subdir="models", file_hash=_CHECKSUM
    )
    classes = json.loads(Path(path).read_text(encoding="utf-8"))
    decoded = []
    for sample in preds:
        best = [(*classes[str(i)], sample[i]) for i in sample.argsort()[-top:][::-1]]
        decoded.append(sorted(best, key=lambda row: row[2], reverse=True))
    return decoded


def preprocess_input(x: TensorLike, data_format: str | None = None, mode: str = "caffe") -> Any:
    """Converts images to a model's training format.

    Args:
      x: array or Tensor [batch, height, width, 3] or [height, width, 3] of RGB values from 0 to 255; with
        "channels_first", the channel axis precedes the height.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.
      mode: "caffe": BGR minus channel means; "tf": scaled to [-1, 1]; "torch": scaled to [0, 1], then standardized per
        channel.

    Returns:
      A new array or Tensor of the same shape; integer arrays become `backend.floatx()`.

    Raises:
      ValueError: for another data format.
    """
    data_format = data_format or image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format {data_format}")
    if isinstance(x, np.ndarray):
        x = x if np.issubdtype(x.dtype, np.floating) else x.astype(floatx())
        dtype: Any = x.dtype
    else:
        x = ops.convert_to_tensor(x)
        x = x if x.dtype.is_floating else ops.cast(x, floatx())
        dtype = x.dtype.as_numpy_dtype
    if mode == "tf":
        return x / np.asarray(127.5, dtype) - np.asarray(1.0, dtype)
    axis = len(x.shape) - (3 if data_format == "channels_first" else 1)
    broadcast_shape = [3 if i == axis else 1 for i in range(len(x.shape))]

    def by_channel(values: tuple[float, ...]) -> np.ndarray:
        return np.reshape(np.asarray(values, dtype), broadcast_shape)

    if mode == "torch":
        return (x / np.asarray(255.0, dtype) - by_channel(_MEANS)) / by_channel(_DEVIATIONS)
    flip_index = tuple(slice(None, None, -1 if i == axis else None) for i in range(len(x.shape)))
    return x[flip_index] - by_channel(_MEANS_OF_255)
