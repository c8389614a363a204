"""`export --saved-model FOLDER SOURCE`: a checkpoint with its `.meta`, a frozen graph or a Keras file, for serving."""

from __future__ import annotations

import argparse
import re
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OpError, invalid
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.programs.cli.file_type import detect_contents
from tfmini._src.programs.cli.keras_files import inference_graph
from tfmini._src.programs.cli.onnx_export import parse_tensor_names
from tfmini._src.programs.cli.printable import complain
from tfmini._src.saved_model.builder import SavedModelBuilder
from tfmini._src.saved_model.frozen_graph import InitializedSession, import_checkpoint, import_graph
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.saved_model.signature_def_utils import predict_signature_def
from tfmini._src.saved_model.tag_constants import SERVING


def run(arguments: argparse.Namespace) -> int:
    """Converts the model and prints the paths of the written files; returns the exit status."""
    level = logs.get_verbosity()
    logs.set_verbosity(logs.ERROR)
    try:
        inputs, outputs = (
            list(parse_tensor_names(text)) for text in (arguments.inputs, arguments.outputs)
        )
        with _open(arguments.source, inputs, outputs) as live:
            signature = _write_saved_model(live, arguments.saved_model, arguments.signature)
    except (KeyError, AssertionError) as error:  # str() would quote a KeyError's text
        complain("export", error.args[0])
        return 1
    except ImportError as error:
        complain("export", "\n".join([str(error), *getattr(error, "__notes__", ())]))
        return 1
    except (OpError, OSError, ValueError) as error:
        complain("export", getattr(error, "message", None) or error)
        return 1
    finally:
        logs.set_verbosity(level)
    for role, tensor_infos in (("inputs", signature.inputs), ("outputs", signature.outputs)):
        names = (f"{key} ({info.name})" for key, info in sorted(tensor_infos.items()))
        print(f"{role}: {', '.join(names)}")
    print(f"{arguments.saved_model}: a SavedModel")
    return 0


def _open(source: str, inputs: list[str], outputs: list[str]) -> Any:
    """Context manager that returns a `InitializedSession`."""
    contents = detect_contents(source)
    if contents.kind == "checkpoint":
        return import_checkpoint(contents.path, inputs, outputs)
    if contents.kind == "graph":
        return import_graph(contents.value, inputs, outputs)
    if contents.kind in ("hdf5", "keras_archive"):
        return inference_graph.keras_model(contents.path)
    description = contents.kind.replace("_", " ")
    invalid(
        f"{source} is not a checkpoint, frozen graph or Keras model; its kind is: {description}"
    )


def _write_saved_model(live: InitializedSession, directory: str, key: str | None) -> Any:
    """Writes the directory; returns the signature."""
    graph = live.session.graph
    if not live.inputs:
        invalid(
            f"{', '.join(live.outputs)}: the outputs depend on no placeholder, but a signature requires an input: "
            "name a tensor to feed with --inputs"
        )
    signature = predict_signature_def(
        _tensors_by_key(graph, live.inputs), _tensors_by_key(graph, live.outputs)
    )
    has_tables = bool(get_collection(GraphKeys.TABLE_INITIALIZERS))
    builder = SavedModelBuilder(directory)
    builder.add_meta_graph_and_variables(
        live.session,
        tags=[SERVING],
        signature_def_map={key or DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=tables_initializer() if has_tables else None,
        clear_devices=True,
    )
    builder.save()
    return signature


def _tensors_by_key(graph: Graph, names: list[str]) -> dict[str, Any]:
    """Returns the tensors by keys that are valid argument names."""
    keys = (re.sub(r"\W", "_", name.removesuffix(":0")) for name in names)
    return {key: graph.get_tensor_by_name(name) for key, name in zip(keys, names)}
