"""`simple_save`: writes a SavedModel with one graph and one signature."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.saved_model.builder import SavedModelBuilder
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.saved_model.signature_def_utils import predict_signature_def
from tfmini._src.saved_model.tag_constants import SERVING
from tfmini._src.session.base_session import BaseSession


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.simple_save.",
)
def simple_save(
    session: BaseSession,
    export_dir: str,
    inputs: dict[str, Any],
    outputs: dict[str, Any],
    legacy_init_op: Operation | None = None,
) -> None:
    """Writes the default graph as a SavedModel for serving.

    The tag is "serve" and the signature "serving_default"; devices are cleared, and assets come from the collection
    ASSET_FILEPATHS.

    Args:
      session: the session with the variable values.
      export_dir: the directory to create.
      inputs: a dict from input names to tensors.
      outputs: a dict from output names to tensors.
      legacy_init_op: operation to run after loading.

    Raises:
      AssertionError: if the directory is not empty.
      ValueError: if inputs or outputs are missing.

    Example: `tf.saved_model.simple_save(session, "/tmp/served/1", {"x": x}, {"y": y})`.
    """
    signature = predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        tags=[SERVING],
        signature_def_map={DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()
