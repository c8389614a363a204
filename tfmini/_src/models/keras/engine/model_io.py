"""Saving and loading methods of models."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar

from tfmini._src.base import logs, tf2
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.hdf5 import is_open_file, require_h5py
from tfmini._src.functions.tf_function import Function, functions_run_eagerly
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.models.keras.engine.layer_container import SavedNetwork
from tfmini._src.models.keras.engine.model_functions import model_input_signature, trace_model_call
from tfmini._src.models.keras.engine.standardize_user_data import FeedMixin
from tfmini._src.models.keras.saving import hdf5, training_config, weights_checkpoint
from tfmini._src.models.keras.saving.yaml_configs import to_yaml
from tfmini._src.nn.layers.saved_layer.layer_calls import preserve_state
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader


def looks_like_hdf5(filepath: Any) -> bool:
    """Whether a path has an HDF5 file extension."""
    return str(filepath).endswith((".h5", ".keras", ".hdf5"))


def confirm_overwrite(filepath: str) -> bool:
    """Asks the user whether to overwrite a file."""
    answer = input(f"[WARNING] {filepath} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).').strip().lower()
    if answer == "y":
        print("[TIP] Next time specify overwrite=True!")
    return answer == "y"


class SavedModel(SavedNetwork):
    """A model's representation in a SavedModel."""

    def metadata(self) -> dict[str, Any]:
        config = training_config.metadata(self.layer, include_optimizer=True, requires_config=False)
        return {**super().metadata(), **config}

    def is_ready(self) -> bool:
        if not self.layer.inputs:
            logs.warning(
                "Skipping full serialization of Keras model %s, because its inputs are not defined.",
                self.layer,
            )
            return False
        return True

    def input_signature(self) -> Any:
        call = self.layer.call
        if isinstance(call, Function) and call.input_signature is not None:
            return call.input_signature
        return model_input_signature(self.layer)

    def signature(self) -> Function:
        with preserve_state(self.layer):
            function = trace_model_call(self.layer)
            function.get_concrete_function()
        return function


class SaveMixin(FeedMixin):
    """Mixin of models with saving methods."""

    _directory_writer: ClassVar[Callable[..., None]]  # set in `models`
    _object_identifier = "_tf_keras_model"
    _saved_as = SavedModel

    def save_weights(
        self, filepath: str, overwrite: bool = True, save_format: str | None = None
    ) -> None:
        """Writes the weights to an HDF5 file for paths ending in ".h5", ".hdf5" or ".keras", else to a checkpoint.

        Args:
          filepath: file path, or checkpoint prefix.
          overwrite: whether to overwrite an existing file without asking.
          save_format: "h5" or "tf", regardless of the path.

        Raises:
          ImportError: for HDF5, if h5py is not installed.
          ValueError: for another format, or if format and path conflict.
        """
        self._check_weights_created()
        filepath = os.fspath(filepath)
        is_h5 = looks_like_hdf5(filepath)
        if save_format is None:
            save_format = "h5" if is_h5 else "tf"
        else:
            format_name = save_format.lower().strip()
            if format_name not in ("tensorflow", "tf", "hdf5", "h5", "keras"):
                raise ValueError(
                    f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.'
                )
            save_format = "tf" if format_name in ("tensorflow", "tf") else "h5"
        if save_format == "tf" and is_h5:
            raise ValueError(
                f'save_weights got save_format="tf"/"tensorflow", but the filepath ("{filepath}") looks like an HDF5 '
                'file. Omit the ".h5"/".keras" when saving in TensorFlow format.'
            )
        h5py = None
        if save_format == "h5":
            h5py = require_h5py("`save_weights` requires h5py when saving in hdf5.")
        written = filepath + ".index" if save_format == "tf" else filepath
        if not overwrite and os.path.isfile(written) and not confirm_overwrite(written):
            return
        if h5py is None:
            weights_checkpoint.save_weights(self, filepath)
        else:
            with h5py.File(filepath, "w") as file:
                hdf5.save_weights(file, self.layers)

    def load_weights(self, filepath: str, by_name: bool = False) -> Any:
        """Reads weights from an HDF5 file or a checkpoint.

        Args:
          filepath: file path, or checkpoint prefix.
          by_name: whether to match layers by name, for HDF5 files.

        Returns:
          None; for a checkpoint, a status object as returned by `tf.train.Checkpoint.restore`.

        Raises:
          ImportError: for HDF5, if h5py is not installed.
          ValueError: for a different number of layers or weights, or different shapes.
          NotImplementedError: for `by_name` with a checkpoint.
        """
        filepath = os.fspath(filepath)
        is_checkpoint = False
        if not looks_like_hdf5(filepath):
            try:
                CheckpointReader(filepath)
                is_checkpoint = True
            except DataLossError:
                is_checkpoint = False
        if is_checkpoint:
            if by_name:
                raise NotImplementedError(
                    "Weights may only be loaded based on topology into Models when loading TensorFlow-formatted "
                    "weights (got by_name=True to load_weights)."
                )
            return weights_checkpoint.load_weights(self, filepath)
        h5py = require_h5py("`load_weights` requires h5py when loading weights from HDF5.")
        self._check_weights_created()
        with h5py.File(filepath, "r") as file:
            group = file
            if "layer_names" not in file.attrs and "model_weights" in file:
                group = file["model_weights"]
            load = hdf5.load_weights_by_name if by_name else hdf5.load_weights
            load(group, self.layers)
        return None

    def save(
        self,
        filepath: str,
        overwrite: bool = True,
        include_optimizer: bool = True,
        save_format: str | None = None,
        signatures: object = None,
    ) -> None:
        """Saves the model: its layers, weights, compile arguments and optimizer variables.

        The default format is HDF5; "tf", the default after `tf.enable_v2_behavior`, writes a SavedModel, which
        `load_model`, `tf.saved_model.load` and servers can read. An HDF5 extension ("h5", "hdf5", "keras") always
        selects HDF5.

        Args:
          filepath: a file path, an open h5py file, or a directory.
          overwrite: whether to overwrite an existing file without asking.
          include_optimizer: whether to include the compile arguments and the optimizer.
          save_format: "h5" or "tf".
          signatures: signatures of a SavedModel, as in `tf.saved_model.save`; by default the model's call.

        Raises:
          ImportError: for HDF5, if h5py is not installed.
          NotImplementedError: if a subclassed model is saved as HDF5.
          ValueError: if a model without inputs is saved as a SavedModel.

        Example:
          model.save("exported", save_format="tf")
          again = tf.keras.models.load_model("exported")
        """
        save_format = save_format or ("tf" if tf2.enabled() else "h5")
        is_directory = save_format != "h5" and not is_open_file(filepath)
        if is_directory and not looks_like_hdf5(os.fspath(filepath)):
            where = os.fspath(filepath)
            type(self)._directory_writer(self, where, overwrite, include_optimizer, signatures)
            return
        is_path = not is_open_file(filepath)
        require_h5py("`save_model` requires h5py.")
        if (
            is_path
            and not overwrite
            and os.path.isfile(filepath)
            and not confirm_overwrite(filepath)
        ):
            return
        hdf5.save_model(self, filepath, include_optimizer)

    def to_yaml(self, **kwargs: Any) -> str:
        """Returns the model without its weights as YAML; requires `pyyaml`.

        Args:
          **kwargs: passed to `yaml.dump`.

        Raises:
          ImportError: if pyyaml is not installed.
        """
        return to_yaml(self._updated_config(), **kwargs)

    @property
    def run_eagerly(self) -> bool:
        """Whether eager mode steps run as Python code instead of graphs; settable.

        Defaults to `tf.config.experimental_run_functions_eagerly`.

        Raises:
          ValueError: if set to False for layers incompatible with graphs.
        """
        expected = vars(self).get("_run_eagerly")
        if executing_eagerly():
            if self.dynamic and expected is False:
                raise ValueError(
                    "Your model contains layers that can only be successfully run in eager execution (layers "
                    "constructed with `dynamic=True`). You cannot set `run_eagerly=False`."
                )
            if expected is None and not self.dynamic:
                return functions_run_eagerly()
            return bool(expected or self.dynamic)
        if expected:
            raise ValueError("You can only set `run_eagerly=True` if eager execution is enabled.")
        if self.dynamic:
            raise ValueError(
                "Your model contains layers that can only be successfully run in eager execution (layers constructed "
                "with `dynamic=True`). You must enable eager execution with `tf.enable_eager_execution()`."
            )
        return False

    @run_eagerly.setter
    def run_eagerly(self, value: bool | None) -> None:
        vars(self)["_run_eagerly"] = value
