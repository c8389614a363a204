"""`export --safetensors`, `--npz` and `--checkpoint`: converts a model's arrays to other formats and back."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping

import numpy as np

from tfmini._src.base.errors import OpError
from tfmini._src.formats import safetensors_files
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.bundle_writer import BundleWriter
from tfmini._src.programs.cli.kernel_layouts import Transposition, torch_layouts
from tfmini._src.programs.cli.model_arrays import METADATA, Arrays, read_arrays
from tfmini._src.programs.cli.printable import complain
from tfmini._src.programs.cli.reports import amount, count_text

_BFLOAT16 = "bfloat16"
_MAX_SHOWN = 8  # names per line


def run(arguments: argparse.Namespace) -> int:
    """Converts the arrays and prints the written files; returns the exit status."""
    try:
        arrays = read_arrays(arguments.source)
        if arguments.checkpoint:
            path, transposed, skipped = arguments.checkpoint, {}, arrays.left_out
            _write_checkpoint(path, arrays.values)
        else:
            path = arguments.safetensors or arguments.npz
            is_storable = safetensors_files.can_store if arguments.safetensors else _is_numpys
            selected = {n: v for n, v in arrays.values.items() if is_storable(v.dtype)}
            skipped = arrays.left_out + [name for name in arrays.values if name not in selected]
            transposed = _transpose(selected, arrays) if arguments.layout == "torch" else {}
            values = {
                n: transposed[n].permute(v) if n in transposed else v for n, v in selected.items()
            }
            write = safetensors_files.write if arguments.safetensors else _write_npz
            write(path, values, _metadata(arguments.layout, transposed))
    except OpError as error:
        complain("export", error.message)
        return 1
    except ImportError as error:
        complain("export", "\n".join([str(error), *getattr(error, "__notes__", ())]))
        return 1
    stored = [value for name, value in arrays.values.items() if name not in skipped]
    size = amount(sum(value.nbytes for value in stored))
    print(f"{path}: {count_text(len(stored), 'array')}, {size}")
    if transposed:
        print(f"transposed for PyTorch: {_list_names(transposed)}")
    if skipped:
        print(f"omitted, because the file can only contain numbers: {_list_names(skipped)}")
    return 0


def _list_names(names: Collection[str]) -> str:
    listing = ", ".join(list(names)[:_MAX_SHOWN])
    return listing + (f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else "")


def _transpose(values: Mapping[str, np.ndarray], arrays: Arrays) -> dict[str, Transposition]:
    return torch_layouts({name: value.shape for name, value in values.items()}, arrays.graph_def)


def _metadata(layout: str, transposed: Mapping[str, Transposition]) -> dict[str, str]:
    """Returns the file's metadata: `format`, as other programs write it, and the axes and shape of each kernel."""
    metadata = {"format": "pt" if layout == "torch" else "tf", "layout": layout}
    if transposed:
        ways = {name: (way.axes, way.shape) for name, way in transposed.items()}
        metadata["transposed"] = json.dumps(ways)
    return metadata


def _is_numpys(dtype: np.dtype) -> bool:
    return dtype.kind in "biufc" or dtype.name == _BFLOAT16


def _write_npz(path: str, values: Mapping[str, np.ndarray], metadata: dict[str, str]) -> None:
    """Writes a NumPy archive; the format lacks bfloat16, whose bits are stored as uint16."""
    halves = [name for name, value in values.items() if value.dtype.name == _BFLOAT16]
    if halves:
        metadata = metadata | {_BFLOAT16: json.dumps(halves)}
    stored = {n: v.view(np.uint16) if n in halves else v for n, v in values.items()}
    with atomic_write(path) as file:
        np.savez(file, **stored, **{METADATA: np.array(json.dumps(metadata))})  # type: ignore


def _write_checkpoint(prefix: str, values: Mapping[str, np.ndarray]) -> None:
    with BundleWriter(prefix) as writer:
        for name, value in values.items():
            writer.add(name, value)
        writer.finish()
