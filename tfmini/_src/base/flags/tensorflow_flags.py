"""Flags defined by importing TensorFlow: the flags of absl's logging, `app.run` and tests, and `FALLS_BACK`.

Importing absl's modules takes a third of the start-up time, so the first use of a flag imports this module.
"""

from absl import app, logging  # noqa: F401  # define flags
from absl.flags import DEFINE_bool
from absl.testing import absltest  # noqa: F401  # defines flags

FALLS_BACK = "op_conversion_fallback_to_while_loop"
DEFINE_bool(
    FALLS_BACK,
    False,
    "If true, ops without a converter run in a loop, an iteration after the other.",
)
