"""`tensorflow.python.training.saver`: the Saver, and the builders that programs derive theirs from."""

from tfmini.train.checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from tfmini.train.meta_graph_import import import_meta_graph
from tfmini.train.meta_graphs import export_meta_graph
from tfmini.train.saver import Saver
from tfmini.train.saver_builder import BaseSaverBuilder, BulkSaverBuilder

__all__ = [
    "BaseSaverBuilder",
    "BulkSaverBuilder",
    "Saver",
    "checkpoint_exists",
    "export_meta_graph",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "import_meta_graph",
    "latest_checkpoint",
    "remove_checkpoint",
    "update_checkpoint_state",
]
