"""What saves and restores an object with all that hangs on it, in a graph whose nodes are made once."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tfmini import dtypes, proto
from tfmini.formats.schemes import local_path
from tfmini.graph.opdef import ops
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import control_dependencies, device
from tfmini.graph.tensor import Tensor
from tfmini.train.objects.device_saver import DeviceSaver
from tfmini.train.objects.object_graph import (
    GraphSaveable,
    Node,
    bound,
    message_of,
    saveables,
    walked,
)
from tfmini.variables.saveable import SaveableObject


class ObjectSaver:
    """Saves and restores what hangs on `root`, as it hangs there at the time.

    Nodes are made again only for objects that are new: the prefix and the names of objects are fed.
    """

    def __init__(self, root: Any):
        self.root = root
        # (names of the objects, prefix), both fed
        self._fed: tuple[Tensor, Tensor] | None = None
        self._saved: tuple[Any, Tensor] | None = None  # (the message then, what writes the file)
        self._restored_prefix: Tensor | None = None
        self._restoring: dict[str, Operation] = {}  # by keys of checkpoints

    def save(self, prefix: str, session: Any, extend: Callable[[Any], None] | None = None) -> None:
        """Writes a checkpoint; its folder is made if need be.

        extend: adds objects without values to the TrackableObjectGraph that is written.
        """
        with session.graph.as_default():
            if self._fed is None:
                with device("/cpu:0"):
                    self._fed = _text(""), _text("")
            names, prefix_tensor = self._fed
            message, found = message_of(walked(self.root))
            if self._saved is None or self._saved[0] != message:
                merged = DeviceSaver([*found, GraphSaveable(names)]).save(prefix_tensor)
                with device("/cpu:0"), control_dependencies([merged]):
                    self._saved = message, ops.identity(prefix_tensor)
        folder = os.path.dirname(prefix)
        if folder:
            os.makedirs(local_path(folder), exist_ok=True)
        if extend is not None:
            message = proto.TrackableObjectGraph.FromString(message.SerializeToString())
            extend(message)
        fed = {names: message.SerializeToString(), prefix_tensor: prefix}
        session.run(self._saved[1], fed)

    def restoring(
        self, message: Any, variables: list | None = None
    ) -> tuple[Tensor, list[Operation]]:
        """The prefix to feed, and the operations that restore the objects that are there of a checkpoint.

        variables: restores these alone.
        """
        if self._restored_prefix is None:
            with device("/cpu:0"):
                self._restored_prefix = _text("model")
        operations: list[Operation] = []
        wanted_ones = None if variables is None else {id(variable) for variable in variables}
        for group in bound(message, walked(self.root)):
            if wanted_ones is not None:
                group = [(number, node) for number, node in group if id(node.value) in wanted_ones]
            there, new = self._of_group(message, group)
            operations += there
            if new:
                wanted = [saveable for key in sorted(new) for saveable in new[key]]
                made = DeviceSaver(wanted).restore(self._restored_prefix)
                self._restoring.update(made)
                operations += [made[key] for key in sorted(made)]
        return self._restored_prefix, operations

    def _of_group(
        self, message: Any, group: list[tuple[int, Node]]
    ) -> tuple[list[Operation], dict[str, list[SaveableObject]]]:
        """The operations that are there already, and what saves all else, by its key."""
        there: list[Operation] = []
        new: dict[str, list[SaveableObject]] = {}
        for number, node in group:
            keys = {each.name: each.checkpoint_key for each in message.nodes[number].attributes}
            wanted = {name: key for name, key in keys.items() if key not in self._restoring}
            there += [self._restoring[key] for key in keys.values() if key in self._restoring]
            if not wanted:
                continue
            for name, _, _, made in saveables(node):
                if name in wanted:
                    new[wanted[name]] = _renamed(made, wanted[name])
        return there, new


def _renamed(made: list[SaveableObject], key: str) -> list[SaveableObject]:
    """The saveables of an attribute, under the key that it has in a checkpoint."""
    for saveable in made:
        saveable.name = key
        for spec in saveable.specs:
            spec.name = key
    return made


def _text(value: str) -> Tensor:
    return ops.constant(value, dtype=dtypes.string)
