"""`tf.contrib.checkpoint`: what checkpoints of objects save, and what they have."""

from tfmini.contrib.checkpoint.dot_graph import dot_graph_from_checkpoint
from tfmini.contrib.checkpoint.numpy_state import NumpyState
from tfmini.contrib.checkpoint.split import split_dependency
from tfmini.layers.containers import List, Mapping, UniqueNameTracker
from tfmini.names.namespaces import namespace as _namespace
from tfmini.proto import TrackableObjectGraph as CheckpointableObjectGraph
from tfmini.train.objects.checkpoint_manager import CheckpointManager
from tfmini.train.objects.object_graph import list_objects, object_metadata
from tfmini.train.objects.python_state import PythonState as PythonStateWrapper
from tfmini.variables.captured_dependencies import capture_dependencies
from tfmini.variables.trackable import AutoTrackable as Checkpointable
from tfmini.variables.trackable import NoDependency
from tfmini.variables.trackable import Trackable as CheckpointableBase

__all__ = [
    "CheckpointManager",
    "Checkpointable",
    "CheckpointableBase",
    "CheckpointableObjectGraph",
    "List",
    "Mapping",
    "NoDependency",
    "NumpyState",
    "PythonStateWrapper",
    "UniqueNameTracker",
    "capture_dependencies",
    "dot_graph_from_checkpoint",
    "list_objects",
    "object_metadata",
    "split_dependency",
]

_namespace(globals())
