"""Arrays of a checkpoint, SavedModel, Keras, safetensors or NumPy file, in TensorFlow's layout."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError, invalid
from tfmini._src.formats import safetensors_files
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.formats.hdf5 import require_h5py, text
from tfmini._src.programs.cli.checkpoint_report import Checkpoint
from tfmini._src.programs.cli.file_type import Contents, detect_contents
from tfmini._src.programs.cli.kernel_layouts import Transposition
from tfmini._src.train.object_checkpoint.object_graph import KEY

# The .npz array with the equivalent of safetensors' metadata, as JSON.
METADATA = "__metadata__"


@dataclass(frozen=True)
class Arrays:
    """The arrays of a model by name, and their graph if known.

    `left_out` lists the names of strings and other values that array files cannot hold.
    """

    values: dict[str, np.ndarray]
    left_out: list[str] = field(default_factory=list)
    graph_def: proto.GraphDef | None = None


def read_arrays(path: str) -> Arrays:
    """Reads a file, directory or checkpoint.

    Raises:
      OpError: if it is unreadable, damaged, or has no arrays.
      ImportError: for a Keras file, if h5py is not installed.
    """
    contents = detect_contents(path)
    if contents.kind == "checkpoint":
        return _checkpoint_arrays(
            Checkpoint(contents.value), _import_graph(contents.path + ".meta")
        )
    if contents.kind == "saved_model":
        prefix = os.path.join(contents.path, "variables", "variables")
        return _checkpoint_arrays(
            Checkpoint(open_bundle(prefix)), contents.value.meta_graphs[0].graph_def
        )
    if contents.kind == "hdf5":
        return _keras_arrays(contents.path)
    if contents.kind == "safetensors":
        return _untranspose(path, *safetensors_files.read(contents.path))
    if contents.kind == "npz":
        return _untranspose(path, *npz_arrays(contents.path))
    return _refusal(contents)


def _refusal(contents: Contents) -> Any:
    hints = {
        "graph": ": frozen graphs hold constants instead of variables; pass the checkpoint",
        "meta_graph": ": pass the checkpoint without .meta",
        "keras_archive": ": load it with tf.keras.models.load_model and save it as .h5",
    }
    description = contents.kind.replace("_", " ")
    invalid(
        f"{contents.path} is a {description}, which contains no variables{hints.get(contents.kind, '')}"
    )


def _import_graph(meta: str) -> proto.GraphDef | None:
    if not os.path.isfile(meta):
        return None
    with open(meta, "rb") as file:
        return proto.MetaGraphDef.FromString(file.read()).graph_def


def _checkpoint_arrays(checkpoint: Checkpoint, graph_def: proto.GraphDef | None) -> Arrays:
    keys = checkpoint.names()
    stored = [key for key in keys if checkpoint.dtype(key).is_numpy_compatible]
    stored = [key for key in stored if checkpoint.dtype(key).name != "string"]
    names = _variable_names(checkpoint)
    values = {names.get(key, key): checkpoint.read(key) for key in stored}
    return Arrays(values, [key for key in keys if key not in stored], graph_def)


def _variable_names(checkpoint: Checkpoint) -> dict[str, str]:
    """Returns the variable names by key of an object-based checkpoint, where unique."""
    if KEY not in checkpoint.names():
        return {}
    graph = proto.TrackableObjectGraph.FromString(checkpoint.read(KEY).item())
    attributes = [a for node in graph.nodes for a in node.attributes if a.full_name]
    counts = Counter(attribute.full_name for attribute in attributes)
    return {a.checkpoint_key: a.full_name for a in attributes if counts[a.full_name] == 1}


def _keras_arrays(path: str) -> Arrays:
    """Returns the weights by name; optimizer and other arrays by path."""
    h5py = require_h5py(f"{path} is an HDF5 file")
    values: dict[str, np.ndarray] = {}
    with h5py.File(path, mode="r") as file:
        root = file["model_weights"] if "model_weights" in file else file
        names = {}
        for layer in root.attrs.get("layer_names", ()):
            group = root[text(layer)]
            for name in group.attrs.get("weight_names", ()):
                names[group[text(name)].name] = text(name)
        counts = Counter(names.values())

        def note(path: str, node: Any) -> None:
            if isinstance(node, h5py.Dataset):
                name = names.get(node.name)
                is_unique = name is not None and counts[name] == 1
                values[(name if is_unique else path).removesuffix(":0")] = node[()]  # type: ignore

        file.visititems(note)
    skipped_names = [name for name, value in values.items() if value.dtype.kind not in "biufc"]
    return Arrays(
        {n: np.asarray(v) for n, v in values.items() if n not in skipped_names}, skipped_names
    )


def npz_arrays(path: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Returns the stored arrays of a NumPy archive, and its metadata."""
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {name: file[name] for name in file.files}
        metadata = json.loads(str(values.pop(METADATA, "{}")))
        for name in json.loads(metadata.get("bfloat16", "[]")):
            values[name] = values[name].view(ml_dtypes.bfloat16)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise DataLossError(None, None, f"{path}: {error}") from None
    return values, metadata


def _untranspose(path: str, values: dict[str, np.ndarray], metadata: dict[str, str]) -> Arrays:
    """Returns the arrays with the transpositions in the metadata undone."""
    try:
        for name, (axes, shape) in json.loads(metadata.get("transposed", "{}")).items():
            way = Transposition(tuple(axes), tuple(shape), values[name].shape)
            values[name] = way.undone(values[name])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise DataLossError(None, None, f"{path}: damaged metadata: {error!r}") from None
    return Arrays(values)
