"""`tf.saved_model.builder`: writes SavedModels."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists, isdir, listdir, makedirs
from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.operation import Operation
from tfmini._src.saved_model import constants
from tfmini._src.saved_model.assets import save_assets
from tfmini._src.saved_model.saved_model_files import message_path, variables_prefix
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.variables.collections import saveable_objects

_OTHER_NAME = "Pass your op to the equivalent parameter main_op instead."


class SavedModelBuilder:
    """Writes a SavedModel: a directory with one or more graphs, variable values and asset files.

    Add the first graph with its variable values, then further graphs with the same variables.

    Args:
      export_dir: the directory to create; an existing one must be empty.

    Raises:
      AssertionError: if the directory is not empty.

    Example:
      builder = tf.saved_model.builder.SavedModelBuilder("/tmp/served/1")
      signature = tf.saved_model.signature_def_utils.predict_signature_def({"x": x}, {"y": y})
      with tf.Session() as session:
          ...
          builder.add_meta_graph_and_variables(
              session, [tf.saved_model.tag_constants.SERVING], {"serving_default": signature}
          )
      builder.save()
    """

    def __init__(self, export_dir: str):
        self._message = proto.SavedModel(
            saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION
        )
        self._directory = export_dir
        self._has_variables = False
        if exists(export_dir):
            if not isdir(export_dir):
                raise NotFoundError(None, None, f"Could not find directory {export_dir}")
            with translate_errors(export_dir):
                names = listdir(export_dir)
            if names:
                raise AssertionError(
                    "Export directory already exists, and isn't empty. Please choose a different "
                    "export directory, or delete all the contents of the specified directory: "
                    f"{export_dir}"
                )
        else:
            makedirs(export_dir)

    @deprecated_args(None, _OTHER_NAME, "legacy_init_op")
    def add_meta_graph(
        self,
        tags: Sequence[str],
        signature_def_map: Mapping[str, proto.SignatureDef] | None = None,
        assets_collection: Sequence[Any] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph, which uses the variable values of an earlier graph.

        Args:
          tags: tags of the graph, a list of strings.
          signature_def_map: a dict from signature keys to SignatureDef messages.
          assets_collection: a list of constants with asset file paths.
          legacy_init_op: deprecated alias of `main_op`.
          clear_devices: whether to clear node devices.
          main_op: an operation to run after loading and restoring.
          strip_default_attrs: whether to omit attrs with default values.
          saver: the Saver that restores variables; by default a new one for all variables.

        Raises:
          AssertionError: if no values have been saved, or a signature is incomplete.
          KeyError: for a reserved key.
          TypeError, ValueError: for an invalid asset or `main_op`.
        """
        if not self._has_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        self._prepare(signature_def_map, assets_collection, main_op or legacy_init_op)
        self._add(tags, signature_def_map, saver or _saver(), clear_devices, strip_default_attrs)

    @deprecated_args(None, _OTHER_NAME, "legacy_init_op")
    def add_meta_graph_and_variables(
        self,
        sess: BaseSession,
        tags: Sequence[str],
        signature_def_map: Mapping[str, proto.SignatureDef] | None = None,
        assets_collection: Sequence[Any] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph and saves its variable values from the session `sess`.

        The other arguments are as in `add_meta_graph`.

        Raises:
          AssertionError: if values have already been saved, or a signature is incomplete.
          KeyError: for a reserved key.
          TypeError, ValueError: for an invalid asset or `main_op`.
        """
        if self._has_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke "
                "`add_meta_graph()` instead."
            )
        self._prepare(signature_def_map, assets_collection, main_op or legacy_init_op)
        prefix = variables_prefix(self._directory)
        makedirs(os.path.dirname(prefix))
        saver = saver or _saver()
        saver.save(sess, prefix, write_meta_graph=False, write_state=False)
        self._add(tags, signature_def_map, saver, clear_devices, strip_default_attrs)
        self._has_variables = True

    def _prepare(self, signature_def_map: Any, assets: Any, main_op: Any) -> None:
        _check_signatures(signature_def_map or {})
        save_assets(assets, self._directory)
        if main_op is None:
            return
        if not isinstance(main_op, Operation):
            raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
        for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
            if get_collection(key):
                raise ValueError(
                    f"Graph already contains one or more main ops under the collection {key}."
                )
        add_to_collection(constants.MAIN_OP_KEY, main_op)

    def _add(
        self, tags: Any, signatures: Any, saver: Any, clear_devices: bool, strip_attrs: bool
    ) -> None:
        message = saver.export_meta_graph(
            clear_devices=clear_devices, strip_default_attrs=strip_attrs
        )
        message.meta_info_def.tags.extend(tags)
        for key, signature in (signatures or {}).items():
            message.signature_def[key].CopyFrom(signature)
        self._message.meta_graphs.append(message)

    def save(self, as_text: bool = False) -> bytes:
        """Completes the SavedModel by writing its graphs and signatures.

        Args:
          as_text: whether to write the protobuf text format.

        Returns:
          The file path as bytes.
        """
        makedirs(self._directory)
        path = message_path(self._directory, as_text)
        data = str(self._message).encode() if as_text else self._message.SerializeToString()
        with atomic_write(path) as file:
            file.write(data)
        logs.info("SavedModel written to: %s", path)
        return os.fsencode(path)


def _saver() -> Saver:
    return Saver(
        saveable_objects(), sharded=True, write_version=proto.SaverDef.V2, allow_empty=True
    )


def _check_signatures(signatures: Any) -> None:
    for signature in signatures.values():
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            _check_tensor_info(info)
    for key, purpose in (
        (constants.INIT_OP_SIGNATURE_KEY, "initialization"),
        (constants.TRAIN_OP_SIGNATURE_KEY, "the train op"),
    ):
        if key in signatures:
            raise KeyError(
                f'SignatureDef map key "{key}" is reserved for {purpose}. Please use a different key.'
            )


def _check_tensor_info(info: Any) -> None:
    if info is None:
        raise AssertionError(
            "All TensorInfo protos used in the SignatureDefs must have the name and dtype fields set."
        )
    encoding = info.WhichOneof("encoding")
    if encoding is None:
        raise AssertionError(
            "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields "
            f"(e.g., name or coo_sparse) set: {info}"
        )
    if encoding == "composite_tensor":
        for component in info.composite_tensor.components:
            _check_tensor_info(component)
    elif info.dtype == proto.DT_INVALID:
        raise AssertionError(
            f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}"
        )
