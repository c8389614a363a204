from tfmini.train import CheckpointManager as CheckpointManager
from tfmini._src.variables.auto_trackable import AutoTrackable as _Checkpointable; Checkpointable = _Checkpointable
from tfmini._src.variables.trackable import Trackable as _CheckpointableBase; CheckpointableBase = _CheckpointableBase
from tfmini._src.base.proto import TrackableObjectGraph as _CheckpointableObjectGraph; CheckpointableObjectGraph = _CheckpointableObjectGraph
from tfmini._src.variables.data_structures import List as List
from tfmini._src.variables.named_containers import Mapping as Mapping
from tfmini._src.variables.trackable import NoDependency as NoDependency
from tfmini._src.contrib.checkpoint.numpy_state import NumpyState as NumpyState
from tfmini.train.experimental import PythonState as _PythonStateWrapper; PythonStateWrapper = _PythonStateWrapper
from tfmini._src.variables.named_containers import UniqueNameTracker as UniqueNameTracker
from tfmini._src.variables.captured_dependencies import capture_dependencies as capture_dependencies
from tfmini._src.contrib.checkpoint.dot_graph import dot_graph_from_checkpoint as dot_graph_from_checkpoint
from tfmini._src.train.object_checkpoint.object_graph import list_objects as list_objects
from tfmini._src.train.object_checkpoint.object_graph import object_metadata as object_metadata
from tfmini._src.contrib.checkpoint.split import split_dependency as split_dependency
