"""SavedLayer: how a layer is described in a SavedModel."""

from __future__ import annotations

import json
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers import regularizers
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.input_spec import to_tensor_spec
from tfmini._src.nn.layers.node_history import CallHistory
from tfmini._src.nn.layers.saved_layer.saved_attributes import saved_attributes
from tfmini._src.nn.layers.serialization.json_encoding import json_value


class SavedLayer(CallHistory):
    """A module that SavedModels have with functions that call it."""

    _object_identifier = "_tf_keras_layer"
    input_spec: Any
    dtype: Any
    activity_regularizer: Any

    @property
    def _expects_training_arg(self) -> bool:
        """Whether `call` takes the argument `training`."""
        names, any_name = self._call_arguments()  # type: ignore[attr-defined]
        return "training" in names or any_name

    def _metadata_to_save(self) -> dict[str, Any]:
        """Its description in a SavedModel."""
        found: dict[str, Any] = {
            "class_name": type(self).__name__,
            "name": self.name,
            "trainable": self.trainable,
            "expects_training_arg": self._expects_training_arg,
            "dtype": self.dtype,
            "batch_input_shape": getattr(self, "_batch_input_shape", None),
        }
        try:
            found["config"] = self.get_config()  # type: ignore[attr-defined]
        except NotImplementedError:
            pass
        specs, regularizer = self.input_spec, self.activity_regularizer
        found["input_spec"] = None if specs is None else map_structure(_described, specs)
        found["activity_regularizer"] = (
            regularizers.serialize(regularizer) if hasattr(regularizer, "get_config") else None
        )
        return found

    @property
    def _tracking_metadata(self) -> str:  # type: ignore[override]
        return json.dumps(self._metadata_to_save(), default=json_value)

    def _list_extra_dependencies_for_serialization(
        self, serialization_cache: Any
    ) -> dict[str, Any]:
        return saved_attributes(self, serialization_cache).objects

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        return saved_attributes(self, serialization_cache).own_functions

    # What networks and revived layers have of their own ------------------------------------------

    def _is_ready_to_save(self) -> bool:
        """Whether it can be called by functions; warns if not."""
        if not self.built:
            logs.warning(
                "Skipping full serialization of Keras layer %s, because it is not built.", self
            )
            return False
        return True

    def _saved_layers(self) -> list[Any]:
        """The layers that it calls."""
        return self._child_layers()

    def _saved_functions(self) -> dict[str, Any] | None:
        """Functions that call it; None if they are to be made."""
        return None

    def _saved_signature(self) -> Any:
        """The function that serves it, where it is the root; None if there is none."""
        return None

    def _saved_input_signature(self) -> Any:
        """The specs of its inputs, None for each that is not known; None if nothing is."""
        call = getattr(self, "call", None)
        if isinstance(call, Function) and call.input_signature is not None:
            return call.input_signature
        if self.input_spec is None:
            return None

        def known(spec: Any) -> TensorSpec | None:
            found = to_tensor_spec(spec, self.dtype)
            return None if found.shape.ndims is None else found

        return [map_structure(known, self.input_spec)]

    def _saved_activity_regularizer(self) -> Function | None:
        """The function of its activity regularizer."""
        regularizer = self.activity_regularizer
        if regularizer is None or isinstance(regularizer, Function):
            return regularizer

        def call(x: Any) -> Any:
            return regularizer(x)

        call.__name__ = f"{self.name}_activity_regularizer".replace("/", "_")
        return Function(call, input_signature=[TensorSpec(None, self.dtype or floatx())])


def _described(spec: Any) -> Any:
    return None if spec is None else {"class_name": "InputSpec", "config": spec.get_config()}
