"""What to say of a name that tfmini does not have: the error of 1.15.5, then what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Names from before 1.0, and what 1.15.5 calls them.
_RENAMED = {
    "all_variables": "global_variables",
    "audio_summary": "summary.audio",
    "batch_cholesky": "cholesky",
    "batch_matmul": "matmul",
    "batch_matrix_diag": "matrix_diag",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "create_partitioned_variables": "get_variable(partitioner=...)",
    "histogram_summary": "summary.histogram",
    "image_summary": "summary.image",
    "initialize_all_tables": "tables_initializer",
    "inv": "reciprocal",
    "listdiff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "op_scope": "name_scope(name, default_name, values)",
    "pack": "stack",
    "scalar_summary": "summary.scalar",
    "select": "where",
    "sub": "subtract",
    "unpack": "unstack",
}


def no_attribute(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for `module.name`, with a hint where one is found among `known` names."""
    text = f"module '{module}' has no attribute '{name}'"
    meant = _RENAMED.get(name)
    if meant is None and not name.startswith("_"):
        close = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], n=1)
        meant = close[0] if close else None
    if meant is not None:
        text += f"\nDid you mean tf.{meant}?"
    return AttributeError(text, name=name)
