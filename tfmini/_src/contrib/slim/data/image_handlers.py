"""Item handler of image features."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.slim.data.item_handlers import ItemHandler
from tfmini._src.functions.functional_ops import map_fn
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.decode_image import decode_image, decode_jpeg, is_jpeg


class Image(ItemHandler):
    """Handler of encoded images: PNG, JPEG, BMP, a GIF frame, or raw bytes with format "raw".

    Args:
      image_key: name of the feature with the bytes, by default "image/encoded".
      format_key: name of the feature with the format, by default "image/format".
      shape: image shape, or None.
      channels: number of channels.
      dtype: dtype of the item.
      repeated: whether the feature contains several images, all of the same shape.
      dct_method: JPEG decoding method, as in `tf.image.decode_jpeg`.

    Example: `slim.tfexample_decoder.Image(shape=[28, 28, 1], channels=1)`.
    """

    def __init__(
        self,
        image_key: str | None = None,
        format_key: str | None = None,
        shape: TensorLike | None = None,
        channels: int = 3,
        dtype: DTypeLike = dtypes.uint8,
        repeated: bool = False,
        dct_method: str = "",
    ):
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the decoded image, [height, width, channels], or a batch of images if `repeated` is set."""
        contents = keys_to_tensors[self._image_key]
        image_format = keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(
                lambda x: self._decode_image(x, image_format), contents, dtype=self._dtype
            )
        return self._decode_image(contents, image_format)

    def _decode_image(self, contents: Any, image_format: Any) -> Any:
        def any_image() -> Any:
            return ops.cast(decode_image(contents, channels=self._channels), self._dtype)

        def jpeg() -> Any:
            image = decode_jpeg(contents, channels=self._channels, dct_method=self._dct_method)
            return ops.cast(image, self._dtype)

        def decode_by_content() -> Any:
            return ops.cond(is_jpeg(contents), jpeg, any_image, name="cond_jpeg")

        def raw() -> Any:
            return ops.decode_raw(contents, out_type=self._dtype)

        is_raw = ops.logical_or(ops.equal(image_format, "raw"), ops.equal(image_format, "RAW"))
        image = ops.case([(is_raw, raw)], default=decode_by_content, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else ops.reshape(image, self._shape)
