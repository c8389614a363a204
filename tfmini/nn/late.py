"""Names of `tf.nn` that load at their first use: they stand on layers or on functions of graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini.hints import no_attribute

UNROLLING = (
    "bidirectional_dynamic_rnn",
    "dynamic_rnn",
    "raw_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
)
LATE = (*UNROLLING, "ctc_loss_v2", "rnn_cell")


def late_attributes(module: str, names: dict[str, Any]) -> Callable[[str], Any]:
    """`__getattr__` of the package whose globals are `names`."""

    def get(name: str) -> Any:
        if name in UNROLLING:
            from tfmini.rnn import unrolling  # noqa: PLC0415

            names[name] = getattr(unrolling, name)
        elif name == "ctc_loss_v2":
            from tfmini.nn import dense_ctc  # noqa: PLC0415

            names[name] = dense_ctc.ctc_loss_v2
        elif name == "rnn_cell":
            import tfmini.nn.rnn_cell  # noqa: F401, PLC0415
        if name in LATE:
            return names[name]
        raise no_attribute(module, name, {*names, *LATE})

    return get
