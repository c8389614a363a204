"""Imports a MetaGraphDef into the default graph and returns its Saver."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.meta_graph.import_scoped_meta_graph import (
    import_scoped_meta_graph_with_return_elements,
)
from tfmini._src.train.meta_graph.write_graph import message_scope
from tfmini._src.variables.collections import saveable_objects


def import_meta_graph(
    meta_graph_or_file: proto.MetaGraphDef | str,
    clear_devices: bool = False,
    import_scope: str | None = None,
    **kwargs: Any,
) -> Saver | None:
    """Adds the nodes and collections of a MetaGraphDef to the default graph.

    Args:
      meta_graph_or_file: a MetaGraphDef or its file path.
      clear_devices: whether to clear the devices of nodes.
      import_scope: name scope of the imported nodes, by default none.
      **kwargs: `graph`, `input_map`, `unbound_inputs_col_name` and `restore_collections_predicate`.

    Returns:
      The Saver from its SaverDef, else a new Saver of all variables; None without variables.

    Raises:
      OSError: if the file does not exist or cannot be parsed.
      ValueError: if the graph is invalid or has unbound inputs.
      NotFoundError: if the graph contains unsupported ops.

    Example:
      saver = tf.train.import_meta_graph("/tmp/model-1000.meta")
      with tf.Session() as session:
          saver.restore(session, "/tmp/model-1000")
          session.run("loss:0", {"x:0": images})
    """
    require_graph_mode(
        "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager "
        "execution is enabled."
    )
    return import_with_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def import_with_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    return_elements: Any = None,
    **kwargs: Any,
) -> tuple[Saver | None, Any]:
    """Same as `import_meta_graph`, but also returns the requested operations and tensors."""
    with message_scope(meta_graph_or_file, proto.MetaGraphDef) as message:
        variables, elements = import_scoped_meta_graph_with_return_elements(
            message,
            clear_devices=clear_devices,
            import_scope=import_scope,
            return_elements=return_elements,
            **kwargs,
        )
        return _saver(message, import_scope, variables), elements


def _saver(message: Any, import_scope: str | None, variables: dict[str, Any]) -> Saver | None:
    if message.HasField("saver_def"):
        # The nodes' actual scope may differ from the requested one.
        scope = import_scope
        for name, variable in variables.items():
            scope = variable.name.removesuffix(name)
            break
        return Saver(saver_def=message.saver_def, name=scope)
    if saveable_objects(scope=import_scope):
        return Saver()
    logs.info("Saver not created because there are no variables in the graph to restore")
    return None
