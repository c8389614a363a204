"""`inspect` on files of arrays: safetensors and NumPy's .npz."""

from __future__ import annotations

from typing import Any

from tfmini._src.formats import safetensors_files
from tfmini._src.programs.cli.model_arrays import npz_arrays
from tfmini._src.programs.cli.reports import Report, Section, amount, count_text, shape_text


def list_arrays(path: str, file_format: str) -> Report:
    """Lists the stored arrays, and the metadata; raises DataLossError if the file is damaged."""
    values, metadata = (safetensors_files.read if file_format == "safetensors" else npz_arrays)(
        path
    )
    items: list[dict[str, Any]] = [
        {"name": name, "dtype": value.dtype.name, "shape": list(value.shape), "bytes": value.nbytes}
        for name, value in sorted(values.items())
    ]
    size = sum(value.nbytes for value in values.values())
    lines = [f"{count_text(len(items), 'array')}, {amount(size)}"]
    lines += [f"{key}: {value}" for key, value in metadata.items()]
    rows = [(i["name"], i["dtype"], shape_text(i["shape"]), i["bytes"]) for i in items]
    sections = [Section("", ("name", "dtype", "shape", "bytes"), rows)]
    return Report(file_format, path, items, lines, sections, {"metadata": metadata, "bytes": size})
