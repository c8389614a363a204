"""`tf.contrib.slim.summaries`: summaries of tensors, called after the operations that make them."""

from tfmini.contrib.slim.tensor_summaries import (
    add_histogram_summaries,
    add_histogram_summary,
    add_image_summaries,
    add_image_summary,
    add_scalar_summaries,
    add_scalar_summary,
    add_zero_fraction_summaries,
    add_zero_fraction_summary,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "add_histogram_summaries",
    "add_histogram_summary",
    "add_image_summaries",
    "add_image_summary",
    "add_scalar_summaries",
    "add_scalar_summary",
    "add_zero_fraction_summaries",
    "add_zero_fraction_summary",
]

_namespace(globals())
