"""SavedModels of TensorFlow 1, loaded as objects whose signatures are functions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.functions.wrap_function import WrappedFunction, wrap_function
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.saved_model.assets import asset_feeds
from tfmini._src.saved_model.loader import find_init_op, find_meta_graph
from tfmini._src.saved_model.objects.restored_functions import rename_calls, rename_functions
from tfmini._src.saved_model.objects.signatures import signature_map
from tfmini._src.saved_model.saved_model_files import variables_prefix
from tfmini._src.saved_model.tensor_info import get_tensor_from_tensor_info
from tfmini._src.train.checkpoints.import_meta_graph import import_with_elements
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.capturable_resource import CapturableResource, TrackableAsset
from tfmini._src.variables.lifted_values import UnliftableError


def load_first_version(message: Any, directory: str, tags: Any) -> Any:
    """Loads a SavedModel without an object graph.

    Args:
      message: the SavedModel.
      directory: its directory.
      tags: tags of the MetaGraph, a set or a list; None selects the only MetaGraph.

    Returns:
      An object with `signatures`, `variables`, `graph`, and `prune` for other subgraphs.

    Raises:
      RuntimeError: if no MetaGraph has these tags.
      ValueError: if `tags` is None and there are several MetaGraphs.
      UnliftableError: if a signature's outputs depend on a placeholder that is not among its inputs.
    """
    meta_graph = _rename_uniquely(_choose_meta_graph(message, tags))
    savers: list[Any] = []
    wrapped = wrap_function(lambda: savers.append(import_with_elements(meta_graph)[0]), [])
    _restore(wrapped, savers[0], directory)
    root: Any = AutoTrackable()
    root.initializer = _initializer(wrapped, meta_graph, directory)
    root.asset_paths = root.initializer.asset_paths
    root.signatures = signature_map(
        {key: _signature(wrapped, key, sig) for key, sig in meta_graph.signature_def.items()}
    )
    root.variables = list(wrapped.graph.variables)
    root.tensorflow_version = meta_graph.meta_info_def.tensorflow_version
    root.tensorflow_git_version = meta_graph.meta_info_def.tensorflow_git_version
    root.graph = wrapped.graph
    root.prune = wrapped.prune
    return root


def _choose_meta_graph(message: Any, tags: Any) -> Any:
    if tags is not None:
        return find_meta_graph(message, tags)
    if len(message.meta_graphs) != 1:
        tag_sets = [graph.meta_info_def.tags for graph in message.meta_graphs]
        raise ValueError(
            "Importing a SavedModel with tf.saved_model.load requires a 'tags=' argument if there is more than one "
            f"MetaGraph. Got 'tags=None', but there are {len(tag_sets)} MetaGraphs in the SavedModel with tag sets "
            f"{tag_sets}. Pass a 'tags=' argument to load this SavedModel."
        )
    return message.meta_graphs[0]


def _rename_uniquely(message: Any) -> Any:
    """Returns a copy of the MetaGraph with unique function and resource names."""
    suffix = f"_load_{next(function_numbers)}"
    graph_def = message.graph_def
    library = rename_functions(graph_def.library, suffix)
    del graph_def.library.function[:], graph_def.library.gradient[:]
    graph_def.library.function.extend(function.definition for function in library.values())
    rename_calls(graph_def.node, {old: new.name for old, new in library.items()}, suffix)
    return message


def _restore(wrapped: WrappedFunction, saver: Any, directory: str) -> None:
    """Restores variable values; in graph mode, the restore operation becomes their initializer."""
    if saver is None:
        return
    path, restored = (
        wrapped.graph.as_graph_element(name)
        for name in (saver.saver_def.filename_tensor_name, saver.saver_def.restore_op_name)
    )
    initializer, _ = wrapped.prune(path, [path, restored])(
        ops.constant(variables_prefix(directory))
    )
    if executing_eagerly():
        return
    add_to_collection(GraphKeys.TABLE_INITIALIZERS, initializer)
    for variable in wrapped.graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
        variable._initializer_op = initializer


def _initializer(wrapped: WrappedFunction, message: Any, directory: str) -> Initializer:
    """Creates the initialization operation and runs it in eager mode, or else adds it to the table initializers."""
    with wrapped.graph.as_default():
        init_op = find_init_op(message) or Scaffold.default_local_init_op()
        anchor = ops.constant(0.0, name="dummy_fetch")
    feeds = asset_feeds(message, directory, None)
    function = wrapped.prune(
        [wrapped.graph.as_graph_element(name) for name in feeds], [anchor, init_op]
    )
    initializer = Initializer(function, [TrackableAsset(path) for path in feeds.values()])
    done, _ = initializer._initialize()
    if not executing_eagerly():
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, done)
        for variable in wrapped.graph.get_collection(GraphKeys.LOCAL_VARIABLES):
            variable._initializer_op = done
    return initializer


class Initializer(CapturableResource):
    """The initialization operation of a SavedModel, as a resource that can be saved again.

    Args:
      function: a function of the file paths that runs the operation.
      asset_paths: the file paths.
    """

    def __init__(self, function: WrappedFunction, asset_paths: list[TrackableAsset]):
        super().__init__()
        self.asset_paths = asset_paths
        self._function = function

    def _create_resource(self) -> Any:
        return ops.placeholder(dtypes.resource, shape=[], name="unused_resource")

    def _initialize(self) -> Any:
        return self._function(*[asset.asset_path for asset in self.asset_paths])


def _signature(wrapped: WrappedFunction, key: str, signature: Any) -> WrappedFunction:
    feeds = [_described_element(wrapped.graph, info) for info in signature.inputs.values()]
    fetches = {
        name: _described_element(wrapped.graph, info) for name, info in signature.outputs.items()
    }
    try:
        result = wrapped.prune(feeds, fetches)
    except UnliftableError as error:
        raise UnliftableError(
            "A SavedModel signature needs an input for each placeholder the signature's outputs use. An output for "
            f"signature '{key}' depends on a placeholder which is not an input (i.e. the placeholder is not fed a "
            f"value).\n\n{error}"
        ) from None
    result._arg_keywords = tuple(signature.inputs) or []
    result._num_positional_args = int(len(result._arg_keywords) == 1)
    for name, info in signature.outputs.items():
        if isinstance(result.structured_outputs[name], Tensor):
            result.structured_outputs[name].set_shape(info.tensor_shape)
    return result


def _described_element(graph: Any, info: Any) -> Any:
    """Returns the tensor, SparseTensor or operation that a TensorInfo describes."""
    if info.WhichOneof("encoding") == "name":
        return graph.as_graph_element(info.name)
    return get_tensor_from_tensor_info(info, graph)
