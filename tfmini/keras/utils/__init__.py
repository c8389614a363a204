"""`tf.keras.utils`: progress bars, batches by number, custom objects."""

from tfmini.keras.utils.arrays import normalize, to_categorical
from tfmini.keras.utils.files import get_file
from tfmini.keras.utils.progress import Progbar
from tfmini.keras.utils.sequences import (
    GeneratorEnqueuer,
    OrderedEnqueuer,
    Sequence,
    SequenceEnqueuer,
)
from tfmini.layers.identifiers import CustomObjectScope, custom_object_scope
from tfmini.layers.settings import get_custom_objects
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CustomObjectScope",
    "GeneratorEnqueuer",
    "OrderedEnqueuer",
    "Progbar",
    "Sequence",
    "SequenceEnqueuer",
    "custom_object_scope",
    "get_custom_objects",
    "get_file",
    "normalize",
    "to_categorical",
]

_namespace(globals())
