"""`tf.saved_model.loader`: reads SavedModels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.graph.collections import get_collection
from tfmini._src.saved_model import constants
from tfmini._src.saved_model.assets import asset_feeds
from tfmini._src.saved_model.saved_model_files import (
    message_path,
    read_saved_model,
    variables_prefix,
)
from tfmini._src.saved_model.signature_def_utils import op_of_signature_def
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.checkpoints.import_meta_graph import import_with_elements
from tfmini._src.train.meta_graph.write_graph import errors_with_path
from tfmini._src.variables.collections import saveable_objects


def maybe_saved_model_directory(export_dir: str) -> bool:
    """Whether a directory contains a SavedModel file, which is not read."""
    paths = (message_path(export_dir, as_text) for as_text in (True, False))
    return any(exists(path) for path in paths)


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.loader.load or tf.compat.v1.saved_model.load. There will be a new "
    "function for importing SavedModels in Tensorflow 2.0.",
)
def load(
    sess: BaseSession,
    tags: Sequence[str],
    export_dir: str,
    import_scope: str | None = None,
    **saver_kwargs: Any,
) -> Any:
    """Imports a graph of a SavedModel into a session's graph, restores its variables and runs its initializers.

    Args:
      sess: the session.
      tags: the exact tags of the graph, a list or set of strings.
      export_dir: the directory of the SavedModel.
      import_scope: name scope of the imported nodes; none by default.
      **saver_kwargs: further arguments of `tf.train.import_meta_graph`.

    Returns:
      The MetaGraphDef with the signatures; its names do not include `import_scope`.

    Raises:
      OSError: if the SavedModel does not exist.
      RuntimeError: if no graph has exactly these tags.

    Example:
      with tf.Session(graph=tf.Graph()) as session:
          served = tf.saved_model.loader.load(session, ["serve"], "/tmp/served/1")
          output = served.signature_def["serving_default"].outputs["y"].name
          session.run(output, {"x:0": images})
    """
    return load_graph(sess, tags, export_dir, import_scope, **saver_kwargs)


def load_graph(
    sess: Any, tags: Any, export_dir: str, import_scope: str | None = None, **saver_kwargs: Any
) -> Any:
    """Implements `load`."""
    with errors_with_path(export_dir), sess.graph.as_default():
        message = find_meta_graph(read_saved_model(export_dir), tags)
        saver, _ = import_with_elements(message, import_scope=import_scope, **saver_kwargs)
        if saver is not None:
            saver.restore(sess, variables_prefix(export_dir))
        elif saveable_objects(scope=import_scope):
            raise ValueError(
                "No tf.train.Saver object was passed to the function "
                "SavedModelLoader.restore_variables. Since there are variables in the graph, a saver "
                "is required."
            )
        else:
            logs.info("The specified SavedModel has no variables; no checkpoints were restored.")
        feeds = asset_feeds(message, export_dir, import_scope)
        init_op = find_init_op(message, import_scope)
        if init_op is not None:
            sess.run([init_op], feeds)
    return message


def find_meta_graph(saved_model: Any, tags: Any) -> Any:
    """Returns the MetaGraphDef with exactly these tags."""
    available = []
    for message in saved_model.meta_graphs:
        available.append(set(message.meta_info_def.tags))
        if available[-1] == set(tags):
            return message
    raise RuntimeError(
        f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. "
        "To inspect available tag-sets in the SavedModel, please use the SavedModel CLI: "
        f"`saved_model_cli`\navailable_tags: {available}"
    )


def find_init_op(message: Any, import_scope: str | None = None) -> Any:
    """Returns the operation to run after restoring; None if the SavedModel has none."""
    collections = constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY
    return _find_operation(message, constants.INIT_OP_SIGNATURE_KEY, collections, import_scope)


def find_train_op(message: Any, import_scope: str | None = None) -> Any:
    """Returns the operation that runs one training step; None if the SavedModel has none."""
    key = constants.TRAIN_OP_SIGNATURE_KEY
    return _find_operation(message, key, (constants.TRAIN_OP_KEY,), import_scope)


def _find_operation(
    message: Any, key: str, collections: Sequence[str], import_scope: str | None
) -> Any:
    """Returns the operation named by a signature or else by a collection; None if neither names one."""
    if key in message.signature_def:
        return op_of_signature_def(message.signature_def[key], key, import_scope)
    for collection in collections:
        if collection in message.collection_def:
            names = message.collection_def[collection].node_list.value
            if len(names) != 1:
                raise RuntimeError(f"Expected exactly one SavedModel init op. Found: {names}")
            return get_collection(collection)[0]
    return None
