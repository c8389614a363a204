"""SavedModel assets: files that the graph reads and whose paths are stored in constants."""

from __future__ import annotations

import filecmp
import os
import shutil
from typing import Any

from tfmini._src.base import dtypes, logs, proto
from tfmini._src.base.errors import invalid
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists, isdir, makedirs
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.tensor import Tensor
from tfmini._src.saved_model.constants import ASSETS_KEY
from tfmini._src.saved_model.saved_model_files import assets_directory


def save_assets(tensors: Any, directory: str) -> None:
    """Copies asset files to a SavedModel's directory and records them in the collection ASSETS_KEY.

    Different files with the same name are renamed; identical files are shared.

    Raises:
      TypeError, ValueError: if an item is not a constant with a single path.
      OpError: for system errors.
    """
    if tensors is None:
        logs.info("No assets to save.")
    sources: dict[str, str] = {}
    for tensor in tensors or ():
        path = _path_in(tensor)
        name = free_name(path, sources)
        sources[name] = path
        asset = proto.AssetFileDef(filename=name)
        asset.tensor_info.name = tensor.name
        packed = proto.CollectionDef.AnyList().value.add()
        packed.Pack(asset)
        add_to_collection(ASSETS_KEY, packed)
    if tensors is not None:
        logs.info("Assets added to graph.")
    if not sources:
        logs.info("No assets to write.")
        return
    target = assets_directory(directory)
    makedirs(target)
    for name, path in sources.items():
        copy_asset(path, os.path.join(target, name))
    logs.info("Assets written to: %s", target)


def _path_in(tensor: Any) -> str:
    if not isinstance(tensor, Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    if not values[0]:
        raise ValueError(f"Invalid asset filepath tensor {tensor}")
    return os.fsdecode(values[0])


def free_name(path: str, sources: dict[str, str]) -> str:
    """Returns the file name for a copy of `path`, numbered if another file already uses the name."""
    name = os.path.basename(path)
    if name not in sources or sources[name] == path:
        return name
    with translate_errors(path):
        if filecmp.cmp(path, sources[name], shallow=False):
            return name
    free, suffix = name, 1
    while free in sources:
        free = f"{name}_{suffix}"
        suffix += 1
    return free


def copy_asset(path: str, target: str) -> None:
    """Copies a file unless another graph of the SavedModel has already done so."""
    if isdir(path):
        invalid(f"{target}; Invalid argument")
    if not exists(target):
        with open_file(path, "rb") as source, atomic_write(target) as file:
            shutil.copyfileobj(source, file)


def asset_feeds(meta_graph_def: Any, directory: str, import_scope: str | None) -> dict[str, str]:
    """Returns the asset file paths in the directory, by tensor name."""
    assets = list(meta_graph_def.asset_file_def)
    if not assets and ASSETS_KEY in meta_graph_def.collection_def:
        for packed in meta_graph_def.collection_def[ASSETS_KEY].any_list.value:
            asset = proto.AssetFileDef()
            packed.Unpack(asset)
            assets.append(asset)
    scope = f"{import_scope}/" if import_scope else ""
    return {
        scope + asset.tensor_info.name: os.path.join(assets_directory(directory), asset.filename)
        for asset in assets
    }
