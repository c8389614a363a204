"""`tf.keras.utils`: progress bars, batches by number, custom objects."""

import typing as _typing

from tfmini.keras.utils.arrays import normalize, to_categorical
from tfmini.keras.utils.files import get_file
from tfmini.keras.utils.matrices import HDF5Matrix
from tfmini.keras.utils.objects import (
    convert_all_kernels_in_model,
    deserialize_keras_object,
    get_source_inputs,
    serialize_keras_object,
)
from tfmini.keras.utils.pictures import model_to_dot, plot_model
from tfmini.keras.utils.progress import Progbar
from tfmini.keras.utils.sequences import (
    GeneratorEnqueuer,
    OrderedEnqueuer,
    Sequence,
    SequenceEnqueuer,
)
from tfmini.layers.identifiers import CustomObjectScope, custom_object_scope
from tfmini.layers.settings import get_custom_objects
from tfmini.names.later import loader as _loader
from tfmini.names.namespaces import namespace as _namespace

if _typing.TYPE_CHECKING:  # what loads at its first use from above, shown to editors

    def multi_gpu_model(
        model: _typing.Any, gpus: _typing.Any, cpu_merge: bool = True, cpu_relocation: bool = False
    ) -> _typing.Any: ...


__all__ = [
    "CustomObjectScope",
    "GeneratorEnqueuer",
    "HDF5Matrix",
    "OrderedEnqueuer",
    "Progbar",
    "Sequence",
    "SequenceEnqueuer",
    "convert_all_kernels_in_model",
    "custom_object_scope",
    "deserialize_keras_object",
    "get_custom_objects",
    "get_file",
    "get_source_inputs",
    "model_to_dot",
    "multi_gpu_model",
    "normalize",
    "plot_model",
    "serialize_keras_object",
    "to_categorical",
]

_namespace(globals(), _loader("tf.keras.utils"))
