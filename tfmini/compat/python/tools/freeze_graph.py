r"""`tensorflow.python.tools.freeze_graph`: merges a graph and a checkpoint, with constants for variables.

    python -m tfmini.compat.python.tools.freeze_graph --input_meta_graph=/tmp/model.meta \
        --input_checkpoint=/tmp/model --output_node_names=softmax --output_graph=/tmp/frozen.pb

In programs with a session, use `tf.graph_util.convert_variables_to_constants`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.saved_model.graph_util.convert_variables_to_constants import (
    convert_variables_to_constants,
)
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.saved_model.saved_model_files import read_saved_model
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.checkpoint_management import checkpoint_exists
from tfmini._src.train.checkpoints.checkpoint_reader import new_checkpoint_reader
from tfmini._src.train.checkpoints.import_meta_graph import import_meta_graph
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.meta_graph.write_graph import read_message

__all__ = ["freeze_graph", "freeze_graph_with_def_protos"]

V2 = 2


def freeze_graph(
    input_graph: str,
    input_saver: str,
    input_binary: bool,
    input_checkpoint: str,
    output_node_names: str,
    restore_op_name: Any,
    filename_tensor_name: Any,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: str = "serve",
    checkpoint_version: int = V2,
) -> Any:
    """Freezes a graph read from files, replacing variables by constants, and writes it to a file.

    Names are separated by commas. The graph comes from `input_saved_model_dir`, `input_meta_graph` or `input_graph`,
    whichever is not empty, and the values come from the SavedModel or from `input_checkpoint`.

    Args:
      input_graph: path of a GraphDef.
      input_saver: path of a SaverDef that names the restore nodes in `input_graph`; may be empty.
      input_binary: ignored, since the format is detected.
      input_checkpoint: the prefix of a checkpoint.
      output_node_names: names of the output nodes.
      restore_op_name, filename_tensor_name: have no effect.
      output_graph: path of the file to write; none if empty.
      clear_devices: whether to remove the devices of nodes.
      initializer_nodes: nodes to run after restoring; may be empty.
      variable_names_whitelist: variables to convert, by default all.
      variable_names_blacklist: variables not to convert.
      input_meta_graph: path of a MetaGraphDef, such as the `.meta` file of a checkpoint.
      input_saved_model_dir: the folder of a SavedModel.
      saved_model_tags: the tags of the graph in the SavedModel.
      checkpoint_version: ignored, since the file records its version.

    Returns:
      The frozen GraphDef.

    Raises:
      ValueError: if the checkpoint does not exist, no output is specified, or the graph has no variables.
      OSError: if a file does not exist.
    """
    tags = saved_model_tags.replace(" ", "").split(",")
    graph_def = meta_graph_def = saver_def = None
    if input_saved_model_dir:
        graph_def = _find_tagged(input_saved_model_dir, saved_model_tags).graph_def
    elif input_graph:
        graph_def = _message("graph", input_graph, proto.GraphDef)
    if input_meta_graph:
        meta_graph_def = _message("meta graph", input_meta_graph, proto.MetaGraphDef)
        print("Loaded meta graph file '" + input_meta_graph)
    if input_saver:
        saver_def = _message("saver", input_saver, proto.SaverDef)
    return freeze_graph_with_def_protos(
        graph_def,
        saver_def,
        input_checkpoint,
        output_node_names,
        restore_op_name,
        filename_tensor_name,
        output_graph,
        clear_devices,
        initializer_nodes,
        variable_names_whitelist,
        variable_names_blacklist,
        meta_graph_def,
        input_saved_model_dir,
        tags,
        checkpoint_version,
    )


def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: str,
    output_node_names: str,
    restore_op_name: Any,
    filename_tensor_name: Any,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: Sequence[str] | None = None,
    checkpoint_version: int = V2,
) -> Any:
    """Same as `freeze_graph`, with messages instead of files; imports the graph into the default graph.

    Returns:
      The frozen GraphDef.

    Raises:
      ValueError: if the checkpoint does not exist, no output is specified, or the graph has no variables.
    """
    if not input_saved_model_dir and not checkpoint_exists(input_checkpoint):
        raise ValueError("Input checkpoint '" + input_checkpoint + "' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def
    if clear_devices and graph_def:
        for node in graph_def.node:
            node.device = ""
    if input_graph_def and not input_saved_model_dir:
        import_graph_def(input_graph_def, name="")
    with Session() as session:
        if input_saver_def:
            Saver(saver_def=input_saver_def).restore(session, input_checkpoint)
        elif input_meta_graph_def:
            saver: Any = import_meta_graph(input_meta_graph_def, clear_devices=True)
            saver.restore(session, input_checkpoint)
        elif input_saved_model_dir:
            load_graph(session, saved_model_tags or [], input_saved_model_dir)
        else:
            _saver_of(session, input_checkpoint).restore(session, input_checkpoint)
        if initializer_nodes and not (input_saver_def or input_saved_model_dir):
            session.run(_names(initializer_nodes))
        frozen = convert_variables_to_constants(
            session,
            graph_def,
            _names(output_node_names),
            variable_names_whitelist=_names(variable_names_whitelist) or None,
            variable_names_blacklist=_names(variable_names_blacklist) or None,
        )
    if output_graph:
        with atomic_write(output_graph) as file:
            file.write(frozen.SerializeToString())
    return frozen


def _names(text: str) -> list[str]:
    return text.replace(" ", "").split(",") if text else []


def _message(file_type: str, path: str, message_type: Any) -> Any:
    if not os.path.exists(path):
        raise OSError(f"Input {file_type} file '{path}' does not exist!")
    return read_message(path, message_type)


def _find_tagged(directory: str, tags: str) -> Any:
    for message in read_saved_model(directory).meta_graphs:
        if set(message.meta_info_def.tags) == set(tags.split(",")):
            return message
    raise RuntimeError(
        f"MetaGraphDef associated with tag-set {tags} could not be found in SavedModel"
    )


def _saver_of(session: Any, checkpoint: str) -> Saver:
    """Returns a Saver for the variables of the graph in a checkpoint."""
    graph = session.graph
    parts = [t.name for op in graph.get_operations() for t in op.outputs if _is_part(t.name)]
    variables, has_parts = {}, False
    for name in new_checkpoint_reader(checkpoint).get_variable_to_shape_map():
        try:
            variables[name] = graph.get_tensor_by_name(name + ":0")
            if variables[name].dtype is dtypes.resource:  # a Saver finds the handle behind a read
                variables[name] = graph.get_tensor_by_name(name + "/Read/ReadVariableOp:0")
        except KeyError:  # what only training needs
            continue
        has_parts = has_parts or any(name in part for part in parts)
    try:
        return Saver(var_list=variables)
    except TypeError:
        if has_parts:
            raise ValueError(
                "Models containing partition variables cannot be converted from checkpoint files. Please pass in a "
                "SavedModel using the flag --input_saved_model_dir."
            ) from None
        if not any(_is_variable(op) for op in graph.get_operations()):
            raise ValueError(
                "No variables were found in this model. It is likely the model was frozen previously. You cannot "
                "freeze a graph twice."
            ) from None
        raise


def _is_part(name: str) -> bool:
    return re.search(r"/part_\d+/", name) is not None


def _is_variable(op: Any) -> bool:
    return op.type.startswith("Variable") or op.type.endswith("VariableOp")


# The command line --------------------------------------------------------------------------------

_TEXTS = {
    "input_graph": ("", "GraphDef file"),
    "input_saver": ("", "SaverDef file"),
    "input_checkpoint": ("", "checkpoint prefix"),
    "output_graph": ("", "output file"),
    "output_node_names": ("", "comma-separated output nodes"),
    "restore_op_name": ("save/restore_all", "without effect"),
    "filename_tensor_name": ("save/Const:0", "without effect"),
    "initializer_nodes": ("", "comma-separated nodes to run after restoring"),
    "variable_names_whitelist": ("", "variables to convert, by default all"),
    "variable_names_blacklist": ("", "variables to keep"),
    "input_meta_graph": ("", "MetaGraphDef file"),
    "input_saved_model_dir": ("", "SavedModel folder"),
    "saved_model_tags": ("serve", "comma-separated tags of its graph"),
}
_FLAGS = {"input_binary": (False, "not needed"), "clear_devices": (True, "remove devices")}


def run_main(arguments: Sequence[str] | None = None) -> int:
    """Freezes a graph according to `arguments`, by default the command line's; returns the exit status."""
    parser = argparse.ArgumentParser(prog="freeze_graph", description=(__doc__ or "").split(":")[0])
    for name, (text, about) in _TEXTS.items():
        parser.add_argument(f"--{name}", default=text, help=about)
    for name, (flag, about) in _FLAGS.items():
        parser.add_argument(
            f"--{name}",
            nargs="?",
            const=True,
            default=flag,
            type=lambda text: text.lower() == "true",
            help=about,
        )
    parser.add_argument("--checkpoint_version", type=int, default=V2, help="1 or 2")
    flags = parser.parse_args(arguments)
    if flags.checkpoint_version not in (1, 2):
        raise ValueError(
            f"Invalid checkpoint version (must be '1' or '2'): {flags.checkpoint_version}"
        )
    freeze_graph(**vars(flags))
    return 0


if __name__ == "__main__":
    sys.exit(run_main())
