"""`tensorflow.python.tools.saved_model_utils`: the graphs of a SavedModel, by tags."""

from __future__ import annotations

from typing import Any

from tfmini._src.formats.gfile_functions import exists
from tfmini._src.saved_model import saved_model_files

__all__ = ["get_meta_graph_def", "get_saved_model_tag_sets", "read_saved_model"]


def read_saved_model(saved_model_dir: str) -> Any:
    """Returns the SavedModel message of a folder; raises OSError if it is missing or cannot be read."""
    paths = (saved_model_files.message_path(saved_model_dir, as_text) for as_text in (False, True))
    if not any(exists(path) for path in paths):
        raise OSError(f"SavedModel file does not exist at: {saved_model_dir}")
    return saved_model_files.read_saved_model(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: str) -> list[list[str]]:
    """Returns the tags of each graph of a SavedModel."""
    graphs = read_saved_model(saved_model_dir).meta_graphs
    return [list(graph.meta_info_def.tags) for graph in graphs]


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """Returns the MetaGraphDef with exactly these comma-separated tags; raises RuntimeError if there is no match."""
    tags = set(tag_set.split(","))
    for graph in read_saved_model(saved_model_dir).meta_graphs:
        if set(graph.meta_info_def.tags) == tags:
            return graph
    raise RuntimeError(
        f"MetaGraphDef associated with tag-set {tag_set} could not be found in SavedModel"
    )
