"""What is deprecated of the methods of Estimators of `tf.contrib.learn`, with TensorFlow's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated, deprecated_arg_values, deprecated_args

writes_no_export = deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")

gives_no_arrays = deprecated_arg_values(
    "2016-09-15",
    "The default behavior of predict() is changing. The default value for\n"
    "as_iterable will change to True, and then the flag will be removed\n"
    "altogether. The behavior of this flag is described below.",
    as_iterable=False,
)


def takes_no_arrays(**accepted: Any) -> Callable[[Callable], Callable]:
    """Deprecates the arguments of scikit-learn's interface; each may have the value that is given here."""
    return deprecated_args(
        "2016-12-01",
        "Estimator is decoupled from Scikit Learn interface by moving into\n"
        "separate class SKCompat. Arguments x, y and batch_size are only\n"
        "available in the SKCompat class, Estimator will only accept input_fn.\n"
        "Example conversion:\n"
        "  est = Estimator(...) -> est = SKCompat(Estimator(...))",
        *accepted.items(),
    )


def asks_for_one(method: str) -> Callable[[Callable], Callable]:
    """Deprecates `predict` without `outputs`, in favour of another method."""
    return deprecated_arg_values(
        "2017-03-01",
        f"Please switch to {method}, or set `outputs` argument.",
        outputs=None,
    )
