"""What to say of a name that tfmini does not have: the error of 1.15.5, then what was probably meant.

Each public namespace ends with `__getattr__ = no_attributes(__name__, globals())`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Names from before 1.0, below `tf.`, and what 1.15.5 calls them.
_RENAMED = {
    "audio_summary": "summary.audio",
    "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matmul": "matmul",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_self_adjoint_eig": "self_adjoint_eig",
    "batch_self_adjoint_eigvals": "self_adjoint_eigvals",
    "batch_svd": "svd",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "histogram_summary": "summary.histogram",
    "image_summary": "summary.image",
    "inv": "reciprocal",
    "list_diff": "setdiff1d",
    "listdiff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.deconv2d": "nn.conv2d_transpose",
    "nn.rnn": "nn.static_rnn",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "pack": "stack",
    "scalar_summary": "summary.scalar",
    "select": "where",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}


def no_attribute(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for `module.name`, with a hint where one is found among its `known` names."""
    text = f"module '{module}' has no attribute '{name}'"
    prefix = module.removeprefix("tfmini").removeprefix(".")
    prefix = prefix and prefix + "."
    meant = _RENAMED.get(prefix + name)
    if meant is None and not name.startswith("_"):
        close = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], n=1)
        meant = prefix + close[0] if close else None
    if meant is not None:
        text += f"\nDid you mean tf.{meant}?"
    return AttributeError(text, name=name)


def no_attributes(module: str, names: Mapping[str, Any]) -> Callable[[str], Any]:
    """A module's `__getattr__` that raises the error for each name that is not among `names`."""

    def __getattr__(name: str) -> Any:
        raise no_attribute(module, name, names)

    return __getattr__
