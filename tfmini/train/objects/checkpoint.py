"""`tf.train.Checkpoint`: saves objects by the names of attributes, and restores them by these."""

from __future__ import annotations

import os
import sys
from typing import Any

from tfmini import dtypes, logs, proto
from tfmini.errors import NotFoundError
from tfmini.formats.schemes import local_path
from tfmini.graph.default import get_default_session
from tfmini.graph.scopes import colocate_with, device
from tfmini.session.session import BaseSession
from tfmini.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini.train.checkpoints.checkpoint_state import write_state_file
from tfmini.train.checkpoints.saver import Saver
from tfmini.train.objects.object_graph import (
    KEY,
    GraphSaveable,
    Node,
    Tracked,
    is_tracked,
    matched,
    message_of,
    names_of,
    saveables,
    walked,
)
from tfmini.variables.variable import Variable


class Checkpoint(Tracked):
    """Objects that are saved together, under the names of attributes: variables, layers, optimizers, lists and dicts.

    Args:
      **kwargs: what becomes attributes; more can be set later.

    Raises:
      ValueError: one cannot be saved.

    Example:
      checkpoint = tf.train.Checkpoint(optimizer=optimizer, layer=layer, step=step)
      path = checkpoint.save("/tmp/model/run", session=session)
      checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    """

    def __init__(self, **kwargs: Any):
        for name, value in sorted(kwargs.items()):
            if not is_tracked(value):
                raise ValueError(
                    "`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), "
                    f"got {value}. If you believe this object should be trackable (i.e. it is part of the "
                    "TensorFlow Python API and manages state), please open an issue."
                )
            setattr(self, name, value)
        self._save_counter: Any = None
        self._count_op: tuple = ()  # in a tuple it is no object to save
        self._saver: tuple[bytes, Saver] | None = None

    def write(self, file_prefix: str, session: Any = None) -> str:
        """Writes a checkpoint; nothing is counted, and no file names it as the latest.

        Args:
          file_prefix: its prefix; its folder is made if need be.
          session: the session with the values, by default the default one.

        Returns:
          The prefix.
        """
        file_prefix = os.fspath(file_prefix)
        folder = os.path.dirname(file_prefix)
        if folder:
            os.makedirs(local_path(folder), exist_ok=True)
        saver = self._saver_of_now()
        saver.save(_session(session), file_prefix, write_meta_graph=False, write_state=False)
        return file_prefix

    @property
    def save_counter(self) -> Any:
        """The variable that counts what `save` has written, made if need be."""
        if self._save_counter is None:
            with device("/cpu:0"):
                self._save_counter = Variable(
                    0, name="save_counter", dtype=dtypes.int64, trainable=False, use_resource=True
                )
        return self._save_counter

    def save(self, file_prefix: str, session: Any = None) -> str:
        """Writes a checkpoint with its number behind the prefix, and into `checkpoint` that it is the latest.

        Args:
          file_prefix: what stands before "-1", "-2" ...
          session: the session with the values, by default the default one.

        Returns:
          The prefix with the number.
        """
        session = _session(session)
        if self._save_counter is None:
            session.run(self.save_counter.initializer)
        if not self._count_op:
            with colocate_with(self.save_counter):
                self._count_op = (self.save_counter.assign_add(1, read_value=True),)
        path = self.write(f"{file_prefix}-{session.run(self._count_op[0])}", session=session)
        write_state_file(os.path.dirname(file_prefix), path, [path], relative=True)
        return path

    def restore(self, save_path: str | None) -> Any:
        """Says from which checkpoint the objects are to be restored.

        In a graph that happens when `run_restore_ops` or `initialize_or_restore` of what is returned is called; objects
        that hang on this one by then are restored too.

        Args:
          save_path: the prefix of a checkpoint, of a Checkpoint or a Saver; None for none.

        Returns:
          A status, with `assert_consumed`, `assert_existing_objects_matched`, `assert_nontrivial_match`,
          `expect_partial`, `run_restore_ops(session)` and `initialize_or_restore(session)`.

        Raises:
          NotFoundError: there is no such checkpoint.
        """
        status: Any
        if save_path is None:
            status = InitializationOnlyStatus(self)
        else:
            save_path = os.fspath(save_path)
            reader = CheckpointReader(save_path)
            try:
                message = proto.TrackableObjectGraph.FromString(reader.get_tensor(KEY))
            except NotFoundError:
                status = NameBasedSaverStatus(self, save_path)
            else:
                status = CheckpointLoadStatus(self, save_path, message)
        assert self.save_counter is not None  # it is restored too
        return status

    def _saver_of_now(self) -> Saver:
        """What saves the objects as they hang together now; made anew when that has changed."""
        message, found = message_of(walked(self))
        text = message.SerializeToString()
        if self._saver is None or self._saver[0] != text:
            self._saver = (text, Saver([*found, GraphSaveable(message)], sharded=True))
        return self._saver[1]


class _Status:
    """What has been, or is to be, restored."""

    def __init__(self, root: Checkpoint):
        self._root = root

    def expect_partial(self) -> Any:
        """Says that not all of the checkpoint is wanted; returns the status."""
        return self

    def _initialize(self, session: Any, restored: list[Node]) -> None:
        done = {id(node.value) for node in restored}
        values = [node.value for node in walked(self._root)]
        session.run(
            [v.initializer for v in values if isinstance(v, Variable) and id(v) not in done]
        )


class InitializationOnlyStatus(_Status):
    """That of no checkpoint: there is nothing to restore."""

    def assert_consumed(self) -> Any:
        """Raises AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Raises AssertionError."""
        raise AssertionError(
            "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
        )

    def initialize_or_restore(self, session: Any = None) -> None:
        """Initialises all variables."""
        self._initialize(_session(session), [])


class CheckpointLoadStatus(_Status):
    """That of a checkpoint of objects."""

    def __init__(self, root: Checkpoint, path: str, message: Any):
        super().__init__(root)
        self._path, self._message = path, message
        self._is_partial = False
        self._saver: tuple[list[str], Saver] | None = None

    def __del__(self) -> None:
        """Warns of what was never restored, unless `expect_partial` was called."""
        if getattr(self, "_is_partial", True) or sys.is_finalizing():
            return
        names, found = names_of(self._message), self._matched()
        missing = [number for number in range(len(self._message.nodes)) if number not in found]
        for number in missing:
            logs.warning("Unresolved object in checkpoint: %s", names.get(number, "?"))
        if missing:
            logs.warning(
                "A checkpoint was restored (e.g. tf.train.Checkpoint.restore or tf.keras.Model.load_weights) but not "
                "all checkpointed values were used. See above for specific issues. Use expect_partial() on the load "
                "status object, e.g. tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or "
                "use assert_consumed() to make the check explicit. See "
                "https://www.tensorflow.org/alpha/guide/checkpoints#loading_mechanics for details."
            )

    def expect_partial(self) -> Any:
        """Says that not all of the checkpoint is wanted, so that nothing warns of it; returns the status."""
        self._is_partial = True
        return self

    def assert_consumed(self) -> Any:
        """Raises AssertionError unless all of the checkpoint has its object, and all objects are in it."""
        self.assert_existing_objects_matched()
        names, found = names_of(self._message), self._matched()
        for number, entry in enumerate(self._message.nodes):
            if number not in found:
                raise AssertionError(
                    f"Unresolved object in checkpoint {names.get(number, '?')}: {entry}"
                )
        unused = []
        for number, node in found.items():
            there = {name for name, *_ in saveables(node)}
            unused += [
                f"{names[number]} ({node.value}): {attribute.name}"
                for attribute in self._message.nodes[number].attributes
                if attribute.name not in there
            ]
        if unused:
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but were not restored):\n"
                + "\n".join(unused)
            )
        return self

    def assert_existing_objects_matched(self) -> Any:
        """Raises AssertionError unless all objects are in the checkpoint."""
        found = {node.number for node in self._matched().values()}
        missing = [
            node.value
            for node in walked(self._root)
            if node.number not in found
            and (node.children or not isinstance(node.value, list | dict))
        ]
        if missing:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {missing}"
            )
        return self

    def assert_nontrivial_match(self) -> Any:
        """Raises AssertionError if nothing but the first object is in the checkpoint."""
        if len(self._matched()) > 1:
            return self
        others = [node.value for node in walked(self._root)[1:]]
        if others:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint "
                "does not match the Python program. The following objects have no matching checkpointed value: "
                f"{others}"
            )
        raise AssertionError(
            f"Nothing to load. No dependencies have been added to {self._root} yet."
        )

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores the values of the objects that are in the checkpoint."""
        self._restore(_session(session))

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores what is in the checkpoint, and initialises the other variables."""
        session = _session(session)
        self._initialize(session, self._restore(session))

    def _matched(self) -> dict[int, Node]:
        return matched(self._message, walked(self._root))

    def _restore(self, session: Any) -> list[Node]:
        restored, wanted = [], []
        for number, node in self._matched().items():
            keys = {
                each.name: each.checkpoint_key for each in self._message.nodes[number].attributes
            }
            for name, _, _, made in saveables(node):
                if name not in keys:
                    continue
                restored.append(node)
                for saveable in made:
                    saveable.name = keys[name]
                    for spec in saveable.specs:
                        spec.name = keys[name]
                wanted += made
        if wanted:
            key = [f"{saveable.name} {saveable.op.name}" for saveable in wanted]
            if self._saver is None or self._saver[0] != key:
                self._saver = (key, Saver(wanted))
            names = self._saver[1].saver_def
            session.run(names.restore_op_name, {names.filename_tensor_name: self._path})
        return restored


class NameBasedSaverStatus(_Status):
    """That of a checkpoint of a Saver: variables are found by their names."""

    def __init__(self, root: Checkpoint, path: str):
        super().__init__(root)
        self._path = path
        self._there = CheckpointReader(path).get_variable_to_shape_map()

    def assert_consumed(self) -> Any:
        """Raises AssertionError unless all variables are in the checkpoint, and all of it is used."""
        self.assert_existing_objects_matched()
        unused = set(self._there) - {node.value.op.name for node in self._variables()}
        if unused:
            raise AssertionError(
                "Some values in the checkpoint were not matched to Python objects: "
                f"{sorted(unused)}"
            )
        return self

    def assert_existing_objects_matched(self) -> Any:
        """Raises AssertionError unless all variables are in the checkpoint."""
        missing = [n.value for n in self._variables() if n.value.op.name not in self._there]
        if missing:
            raise AssertionError(
                f"Some Python objects were not bound to checkpointed values: {missing}"
            )
        return self

    def assert_nontrivial_match(self) -> Any:
        """Raises AssertionError if no variable is in the checkpoint."""
        if not self._found():
            raise AssertionError("No checkpointed values were matched to Python objects.")
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores all variables, the counter of `save` among them, which the checkpoint must have."""
        variables = {n.value.op.name: n.value for n in walked(self._root) if _is_variable(n)}
        Saver(variables).restore(_session(session), self._path)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Restores what is in the checkpoint, and initialises the other variables."""
        session, found = _session(session), self._found()
        self._initialize(session, found)
        if found:
            variables = {node.value.op.name: node.value for node in found}
            Saver(variables).restore(session, self._path)

    def _variables(self) -> list[Node]:
        counter = self._root._save_counter
        nodes = walked(self._root)
        return [n for n in nodes if _is_variable(n) and n.value is not counter]

    def _found(self) -> list[Node]:
        return [node for node in self._variables() if node.value.op.name in self._there]


def _is_variable(node: Node) -> bool:
    return isinstance(node.value, Variable)


def _session(session: Any) -> BaseSession:
    """The session to use."""
    found = get_default_session() if session is None else session
    if found is None:
        raise ValueError(
            "There is no default session: use one in a `with` block, or give `session`."
        )
    return found
