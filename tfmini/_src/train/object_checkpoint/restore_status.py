"""Status objects returned by object restores, which report matched objects and restore them in a session."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import NotFoundError
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini._src.train.checkpoints.device_saver import DeviceSaver
from tfmini._src.train.checkpoints.saveables import checked_saveables
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.object_checkpoint.object_graph import KEY, object_names, walk
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restoration import ORDER, Restoration, is_restored_later
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import node_name


def start_restore(saver: ObjectSaver, path: str | None) -> Any:
    """Starts a restore by `saver` from an object checkpoint, a Saver's checkpoint, or None.

    Raises:
      NotFoundError: if the checkpoint does not exist.
    """
    if path is None:
        return InitializationOnlyStatus(saver.root, next(ORDER))
    reader = CheckpointReader(path)
    try:
        text = reader.get_tensor(KEY)
    except NotFoundError:
        by_name = NameBasedSaverStatus(saver.root, path)
        if executing_eagerly():
            by_name.restore_found()
        return by_name
    if not executing_eagerly():
        assert saver.prefix_to_restore is not None
    message = proto.TrackableObjectGraph.FromString(text)
    return CheckpointLoadStatus(Restoration(saver, path, message))


class _Status:
    """Base class of restore statuses."""

    def __init__(self, root: Any, order: int):
        self._root = root
        self._order = order

    def expect_partial(self) -> Any:
        """Returns the status; unused parts of the checkpoint are accepted."""
        return self

    def _initialize(self, session: Any, initialized_ids: set[int]) -> None:
        if session is None:  # eager variables are initialized already
            return
        values = [node.value for node in walk(self._root)]
        session.run(
            [
                v.initializer
                for v in values
                if isinstance(v, Variable)
                and id(v) not in initialized_ids
                and not is_restored_later(v, self._order)
            ]
        )


class InitializationOnlyStatus(_Status):
    """Status of a restore without a checkpoint, which restores nothing."""

    def assert_consumed(self) -> Any:
        """Raises AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Raises AssertionError, since there is no checkpoint."""
        raise AssertionError(
            "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
        )

    def initialize_or_restore(self, session: Any = None) -> None:
        """Initializes all variables."""
        self._initialize(default_session(session), set())


class CheckpointLoadStatus(_Status):
    """Status of an object checkpoint."""

    def __init__(self, restoration: Restoration):
        super().__init__(restoration.saver.root, restoration.order)
        self._restoration = restoration

    def expect_partial(self) -> Any:
        """Silences warnings about unused parts of the checkpoint; returns the status."""
        self._restoration.expects_part = True
        return self

    def assert_consumed(self) -> Any:
        """Raises AssertionError unless checkpoint and objects match completely."""
        self.assert_existing_objects_matched()
        message, restored = self._restoration.message, self._restoration.objects
        names = object_names(message)
        for node_id, entry in enumerate(message.nodes):
            if node_id not in restored:
                raise AssertionError(
                    f"Unresolved object in checkpoint {names.get(node_id, '?')}: {entry}"
                )
        unused: dict[int, list[str]] = {}
        for node_id, attribute in self._restoration.unused:
            unused.setdefault(node_id, []).append(attribute)
        if unused:
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but were not restored):\n"
                + "\n".join(f"{names[n]} ({restored[n]}): {key}" for n, key in unused.items())
            )
        return self

    def assert_existing_objects_matched(self) -> Any:
        """Raises AssertionError unless all objects are in the checkpoint."""
        restored_ids = self._restored_ids()
        missing = [
            node.value
            for node in walk(self._root)
            if id(node.value) not in restored_ids
            and (node.children or not isinstance(node.value, list | dict))
        ]
        if missing:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {missing}"
            )
        return self

    def assert_nontrivial_match(self) -> Any:
        """Raises AssertionError if no object except the root is in the checkpoint."""
        if len(self._restored_ids()) > 1:
            return self
        values = [node.value for node in walk(self._root)[1:]]
        if values:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint "
                "does not match the Python program. The following objects have no matching checkpointed value: "
                f"{values}"
            )
        raise AssertionError(
            f"Nothing to load. No dependencies have been added to {self._root} yet."
        )

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores the matched objects."""
        self._run(default_session(session), None)

    def run_variable_restores(self, variables: list, session: Any) -> None:
        """Restores the given variables, except those missing from the checkpoint."""
        self._run(session, variables)

    def restore_later_objects_in(self, session: Any) -> None:
        """Restores objects in this session as soon as they are attached."""
        self._restoration.session = session

    def restore_operations(self, variable: Any) -> list[Any]:
        """Returns the operations that restore a variable, in graph mode."""
        return self._restoration.operations([variable])

    def is_complete(self) -> bool:
        """Whether the whole checkpoint has been matched."""
        return len(self._restored_ids()) == len(self._restoration.message.nodes)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores the matched objects and initializes all other variables."""
        session = default_session(session)
        self.run_restore_ops(session)
        self._initialize(session, self._restored_ids())

    def _run(self, session: Any, variables: list | None) -> None:
        if session is None:  # eager: already restored
            self._restoration.restore_new()
            return
        with session.graph.as_default():
            operations = self._restoration.operations(variables)
        if operations or variables is None:
            session.run(
                operations, {self._restoration.saver.prefix_to_restore: self._restoration.path}
            )

    def _restored_ids(self) -> set[int]:
        """Returns the `id` of each object in the checkpoint."""
        self._restoration.restore_new()
        return {id(value) for value in self._restoration.objects.values()}


class NameBasedSaverStatus(_Status):
    """Status of a Saver's checkpoint, with variables matched by name."""

    def __init__(self, root: Any, path: str):
        super().__init__(root, next(ORDER))
        self._path = path
        self._shapes = CheckpointReader(path).get_variable_to_shape_map()
        self._objects_by_id: dict[int, Any] = {}  # objects to restore, by id
        # In eager mode: unmatched objects with their names.
        self._missing: list[tuple[Any, str]] = []

    def assert_consumed(self) -> Any:
        """Raises AssertionError unless all current objects have been restored."""
        if self._missing:
            rows = "".join(f"\n    {value}: {[name]}" for value, name in self._missing)
            raise AssertionError(f"Some objects had attributes which were not restored:{rows}")
        for node in walk(self._root):
            if id(node.value) not in self._objects_by_id:
                raise AssertionError(f"Object not restored: {node.value}")
        return self

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores all variables, including the `save` counter; all of them must be in the checkpoint."""
        if executing_eagerly():  # eager: already restored
            return
        session = default_session(session)
        nodes = walk(self._root)
        with device("/cpu:0"):
            variables = [n.value for n in nodes if self._mark_restored(n.value)]
            Saver({node_name(v): v for v in variables}).restore(session, self._path)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Same as `run_restore_ops`; initializes nothing."""
        self.run_restore_ops(session)

    def restore_found(self) -> None:
        """In eager mode, restores the variables in the checkpoint now, and later variables when they are attached."""
        for node in walk(self._root):
            node.value._restore_by_names(self._restore)

    def _restore(self, value: Any) -> None:
        if not self._mark_restored(value):
            return
        name = node_name(value)
        if name in self._shapes:
            DeviceSaver(checked_saveables({name: value})).restore(ops.constant(self._path))
        else:
            self._missing.append((value, name))

    def _mark_restored(self, value: Any) -> bool:
        """Marks an object as restored; returns whether it is a variable to restore."""
        if id(value) in self._objects_by_id:
            return False
        self._objects_by_id[id(value)] = value
        if is_restored_later(value, self._order):
            return False
        vars(value)["_update_uid"] = self._order
        return isinstance(value, Variable)


def default_session(session: Any) -> Any:
    """Returns the given session, or the default or Keras session; None in eager mode and in functions."""
    if executing_eagerly() or get_default_graph().building_function:
        return None
    return (get_default_session() or get_session()) if session is None else session
