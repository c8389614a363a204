"""Names of `tf.nn` that load at their first use: they stand on layers or on functions of graphs."""

from __future__ import annotations

from typing import Any


def load(name: str) -> Any:
    """What `tf.nn` offers under this name."""
    if name == "rnn_cell":
        import tfmini.nn.rnn_cell  # noqa: PLC0415

        return tfmini.nn.rnn_cell
    if name == "ctc_loss_v2":
        from tfmini.ctc import dense_ctc  # noqa: PLC0415

        return dense_ctc.ctc_loss_v2
    if name in ("compute_average_loss", "scale_regularization_loss"):
        from tfmini.losses import averages  # noqa: PLC0415

        return getattr(averages, name)
    from tfmini.rnn import unrolling  # noqa: PLC0415

    return getattr(unrolling, name)
