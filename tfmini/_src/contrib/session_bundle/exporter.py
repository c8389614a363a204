"""Exporter of session bundles: a checkpoint whose meta graph contains the signatures, and assets."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.base import dtypes, logs, proto
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn import export_gc
from tfmini._src.formats import gfile_functions as gfile
from tfmini._src.graph.attributes import to_bytes, to_str
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.global_step import global_step

_deprecated = deprecated("2017-06-30", "No longer supported. Switch to SavedModel immediately.")


@_deprecated
def gfile_copy_callback(files_to_copy: Mapping[Any, Any], export_dir_path: Any) -> None:
    """Copies files to a directory, replacing existing ones: the default `assets_callback`.

    Args:
      files_to_copy: the target basename of each source path.
      export_dir_path: the directory, created if missing.
    """
    logs.info("Write assets into: %s using gfile_copy.", export_dir_path)
    gfile.makedirs(export_dir_path)
    for source, basename in files_to_copy.items():
        target = os.path.join(to_bytes(export_dir_path), to_bytes(basename))
        logs.info("Copying asset %s to path %s.", source, target)
        if gfile.exists(target):
            logs.info("Removing file %s.", target)
            gfile.remove(target)
        gfile.copy(source, target)


@_deprecated
def regression_signature(input_tensor: Tensor, output_tensor: Tensor) -> Any:
    """Returns the Signature message of a regression."""
    signature = proto.Signature()
    signature.regression_signature.input.tensor_name = input_tensor.name
    signature.regression_signature.output.tensor_name = output_tensor.name
    return signature


@_deprecated
def classification_signature(
    input_tensor: Tensor,
    classes_tensor: Tensor | None = None,
    scores_tensor: Tensor | None = None,
) -> Any:
    """Returns the Signature message of a classification."""
    signature = proto.Signature()
    signature.classification_signature.input.tensor_name = input_tensor.name
    if classes_tensor is not None:
        signature.classification_signature.classes.tensor_name = classes_tensor.name
    if scores_tensor is not None:
        signature.classification_signature.scores.tensor_name = scores_tensor.name
    return signature


@_deprecated
def generic_signature(name_tensor_map: Mapping[str, Tensor]) -> Any:
    """Returns the Signature message of tensors by logical name."""
    signature = proto.Signature()
    for name, tensor in name_tensor_map.items():
        signature.generic_signature.map[name].tensor_name = tensor.name
    return signature


class Exporter:
    """Exports a model for serving.

    Args:
      saver: the Saver of the exported variables.
    """

    def __init__(self, saver: Saver):
        saver_def = saver.as_saver_def()
        saver_def.ClearField("max_to_keep")
        self._saver = Saver(saver_def=saver_def)
        self._has_init = False
        self._assets_to_copy: dict[bytes, bytes] = {}

    @_deprecated
    def init(
        self,
        graph_def: Any = None,
        init_op: Operation | None = None,
        clear_devices: bool = False,
        default_graph_signature: Any = None,
        named_graph_signatures: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Tensor] | None = None,
        assets_callback: Callable[[Any, Any], None] | None = gfile_copy_callback,
    ) -> None:
        """Adds a description of the export to the collections of the default graph.

        Args:
          graph_def: GraphDef used for inference; None for the GraphDef of the exported meta graph.
          init_op: operation that serving runs first.
          clear_devices: whether to clear the devices of the GraphDef.
          default_graph_signature, named_graph_signatures: Signature messages.
          assets_collection: constant tensors of the paths of files to export.
          assets_callback: copies the assets, given their basenames by path and the directory.

        Raises:
          RuntimeError: if called twice.
          TypeError, ValueError: if `init_op` is not an operation, or an asset is not a constant scalar path.
        """
        assets = []
        for tensor in assets_collection or ():
            path = _asset_path(tensor)
            if not path:
                raise ValueError(f"invalid asset filepath tensor {tensor}")
            assets.append((os.path.basename(path), tensor))
            self._assets_to_copy[path] = os.path.basename(path)
        if self._has_init:
            raise RuntimeError("init should be called only once")
        self._has_init = True
        if graph_def or clear_devices:
            exported = proto.GraphDef()
            exported.CopyFrom(graph_def or get_default_graph().as_graph_def())
            if clear_devices:
                for node in exported.node:
                    node.device = ""
            _add_packed("serving_graph", exported)
        if init_op:
            if not isinstance(init_op, Operation):
                raise TypeError(f"init_op needs to be an Operation: {init_op}")
            add_to_collection("serving_init_op", init_op)
        signatures = proto.Signatures()
        if default_graph_signature:
            signatures.default_signature.CopyFrom(default_graph_signature)
        for name, signature in (named_graph_signatures or {}).items():
            signatures.named_signatures[name].CopyFrom(signature)
        _add_packed("serving_signatures", signatures)
        for basename, tensor in assets:
            asset = proto.AssetFile(filename=to_str(basename))
            asset.tensor_binding.tensor_name = tensor.name
            _add_packed("serving_assets", asset)
        self._assets_callback: Callable[[Any, Any], None] | None = assets_callback

    @_deprecated
    def export(
        self,
        export_dir_base: str,
        global_step_tensor: Any,
        sess: Any = None,
        exports_to_keep: Callable[[list], list] | None = None,
    ) -> bytes:
        """Exports the model to a directory named after the step; returns its path.

        Args:
          export_dir_base: directory of the exports.
          global_step_tensor: tensor of the step, or its name.
          sess: session with the variables.
          exports_to_keep: policy of `gc` that selects the exports to keep; None for all.

        Raises:
          RuntimeError: if `init` was not called, or the directory exists.
        """
        if not self._has_init:
            raise RuntimeError("init must be called first")
        export_dir_base = export_dir_base.removesuffix("/")
        step = global_step(sess, global_step_tensor)
        export_dir = os.path.join(to_bytes(export_dir_base), b"%08d" % step)
        if gfile.exists(export_dir):
            raise RuntimeError(
                "Overwriting exports can cause corruption and are not allowed. "
                f"Duplicate export dir: {export_dir!r}"
            )
        temporary = to_str(export_dir) + "-tmp"
        gfile.makedirs(temporary)
        self._saver.save(sess, os.path.join(temporary, "export"), meta_graph_suffix="meta")
        if self._assets_callback and self._assets_to_copy:
            assets_dir = os.path.join(to_bytes(temporary), b"assets")
            gfile.makedirs(assets_dir)
            self._assets_callback(self._assets_to_copy, assets_dir)
        gfile.rename(temporary, export_dir)
        if exports_to_keep:

            def parse(path: Any) -> Any:
                match = re.match(rf"^{re.escape(export_dir_base)}/(\d{{8}})$", path.path)
                return match and path._replace(export_version=int(match.group(1)))

            drop = export_gc.negation(exports_to_keep)
            for path in drop(export_gc.get_paths(export_dir_base, parser=parse)):
                gfile.rmtree(path.path)
        return export_dir


def _add_packed(key: str, message: Any) -> None:
    packed = proto.CollectionDef.AnyList().value.add()
    packed.Pack(message)
    add_to_collection(key, packed)


def _asset_path(tensor: Tensor) -> bytes:
    if not isinstance(tensor, Tensor):
        raise TypeError("tensor is not a Tensor")
    if tensor.op.type != "Const":
        raise TypeError("Only constants tensor are supported")
    if tensor.dtype != dtypes.string:
        raise TypeError("File paths should be string")
    strings = tensor.op.get_attr("value").string_val
    if len(strings) != 1:
        raise TypeError("Only scalar tensors are supported")
    return bytes(strings[0])
