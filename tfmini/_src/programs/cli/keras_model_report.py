"""`inspect` on models and weights saved by Keras: the Keras version, the layers and the arrays."""

from __future__ import annotations

import json
import zipfile
from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.formats.hdf5 import require_h5py, text
from tfmini._src.formats.keras_archive import WEIGHTS, read_version_and_config
from tfmini._src.programs.cli.reports import Report, Section, amount, count_text


def list_keras_model(path: str, file_format: str) -> Report:
    """Reports on an HDF5 file or `.keras` archive; raises InvalidArgumentError if damaged or h5py is missing."""
    try:
        h5py = require_h5py("h5py is needed to read it: pip install 'tfmini-runtime[keras]'")
        if file_format == "hdf5":
            with h5py.File(path, mode="r") as file:
                version, config = _describe(file)
                weights = _weight_rows(file)
        else:
            version, config = read_version_and_config(path)
            with zipfile.ZipFile(path) as archive, archive.open(WEIGHTS) as weights_file:
                with h5py.File(weights_file, mode="r") as file:
                    weights = _weight_rows(file)
    except (OSError, KeyError, ValueError, ImportError, zipfile.BadZipFile) as error:
        invalid(f"{path}: {error}")
    layers = [_layer(layer) for layer in _list_layers(config)]
    count = sum(item["bytes"] for item in weights)
    title = f"{config.get('class_name', 'model')} of {count_text(len(layers), 'layer')}"
    summary = title if config else "weights or other data, no model"
    lines = [f"{summary}, {count_text(len(weights), 'array')}, {amount(count)}, by Keras {version}"]
    sections = [
        Section("layers", ("layer", "class"), [(row["name"], row["class"]) for row in layers]),
        Section(
            "arrays",
            ("name", "dtype", "shape", "bytes"),
            [(i["name"], i["dtype"], str(i["shape"]), i["bytes"]) for i in weights],
        ),
    ]
    facts = {"keras_version": version, "layers": layers, "bytes": count}
    return Report(file_format, path, weights, lines, [s for s in sections if s.rows], facts)


def _describe(file: Any) -> tuple[str, dict[str, Any]]:
    """Returns the Keras version, and the model configuration (else {})."""
    version = file.attrs.get("keras_version", "of unknown version")
    config = file.attrs.get("model_config")
    return text(version), {} if config is None else json.loads(text(config))


def _list_layers(config: dict[str, Any]) -> list[dict[str, Any]]:
    layer_config = config.get("config", {})
    return layer_config if isinstance(layer_config, list) else layer_config.get("layers", [])


def _layer(config: dict[str, Any]) -> dict[str, Any]:
    return {"name": config["config"].get("name", ""), "class": config["class_name"]}


def _weight_rows(file: Any) -> list[dict[str, Any]]:
    arrays: list[dict[str, Any]] = []

    def note(name: str, value: Any) -> None:
        if hasattr(value, "shape"):
            size = {"dtype": str(value.dtype), "shape": list(value.shape), "bytes": value.nbytes}
            arrays.append({"name": name, **size})

    file.visititems(note)
    return arrays
