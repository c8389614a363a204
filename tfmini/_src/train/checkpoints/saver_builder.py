"""The nodes of a Saver: `save/SaveV2`, `save/RestoreV2`, one assignment per variable, and their groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.names.lazy_imports import uuid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.device_spec import canonical
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.control_flow.no_op_groups import with_dependencies
from tfmini._src.train.checkpoints.saveables import (
    ReferenceVariableSaveable,
    ResourceVariableSaveable,
    checked_saveables,
    host_cpu,
)
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.saveable import SaveableObject, SaveSpec

V1, V2 = 1, 2  # SaverDef.CheckpointFormatVersion
_Saveable = SaveableObject  # also available as an attribute of the builders
Saveables = Sequence[SaveableObject]
PerDevice = Sequence[tuple[str, list[SaveableObject]]]


class BaseSaverBuilder:
    """Adds the nodes that save and restore; subclasses may add other nodes.

    Args:
      write_version: a SaverDef.CheckpointFormatVersion.
    """

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ReferenceVariableSaveable
    ResourceVariableSaveable = ResourceVariableSaveable

    def __init__(self, write_version: int = V2):
        self._write_version = write_version

    def save_op(self, filename_tensor: Tensor, saveables: Saveables) -> Operation:
        """Returns the operation that writes all tensors of `saveables`."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = [spec.name for spec in specs]
        slices = [spec.slice_spec for spec in specs]
        tensors = [spec.tensor for spec in specs]
        if self._write_version == V1:
            return raw.SaveSlices(filename_tensor, names, slices, tensors, name="save")
        if self._write_version == V2:
            return raw.SaveV2(filename_tensor, names, slices, tensors)
        raise RuntimeError(f"Unexpected write_version: {self._write_version}")

    def bulk_restore(
        self,
        filename_tensor: Tensor,
        saveables: Saveables,
        preferred_shard: int,
        restore_sequentially: bool,
    ) -> list[Tensor]:
        """Returns the tensors read for `saveables`, with one node each."""
        tensors: list[Tensor] = []
        for saveable in saveables:
            with device(host_cpu(saveable.device) if saveable.device else None):
                tensors += self.restore_op(filename_tensor, saveable, preferred_shard)
        return tensors

    def restore_op(
        self, filename_tensor: Tensor, saveable: _Saveable, preferred_shard: int
    ) -> list[Tensor]:
        """Returns the tensors read for one saveable."""
        return [
            raw.RestoreV2(filename_tensor, [spec.name], [spec.slice_spec], dtypes=[spec.dtype])[0]
            for spec in saveable.specs
        ]

    def sharded_filename(self, filename_tensor: Tensor, shard: int, num_shards: Tensor) -> Tensor:
        """Returns the file name of a shard."""
        return raw.ShardedFilename(filename_tensor, shard, num_shards)

    def save(self, filename: Tensor, saveables: Saveables, per_device: PerDevice | None) -> Tensor:
        """Writes a checkpoint, with one shard per device if `per_device`; returns the file name when written."""
        if per_device is not None:
            return self._save_shards(filename, per_device)
        return self._save(filename, saveables)

    def restore(
        self,
        filename: Tensor,
        saveables: Saveables,
        per_device: PerDevice | None,
        restore_sequentially: bool,
        reshape: bool,
    ) -> Operation:
        """Restores all variables, grouped by device if `per_device`."""
        if per_device is not None:
            return self._restore_shards(filename, per_device, restore_sequentially, reshape)
        return self._restore(filename, saveables, restore_sequentially, reshape)

    def _save(self, filename: Tensor, saveables: Saveables) -> Tensor:
        """Returns the file name, available once everything is written."""
        return with_dependencies([self.save_op(filename, saveables)], filename)

    def _save_shards(self, filename: Tensor, per_device: PerDevice) -> Tensor:
        """Writes one shard per device, then merges the shards into a checkpoint."""
        if self._write_version != V2:
            return self._save_old_shards(filename, per_device)
        parts = ops.string_join([filename, f"_temp_{uuid.uuid4().hex}/part"])
        count = ops.constant(len(per_device), name="num_shards")
        prefixes, saves = [], []
        for shard, (name, saveables) in enumerate(per_device):
            with device(host_cpu(name)):
                prefixes.append(self.sharded_filename(parts, shard, count))
                saves.append(self._save(prefixes[-1], saveables))
        with control_dependencies(saves):
            with device(host_cpu(per_device[-1][0])):
                merged = raw.MergeV2Checkpoints(prefixes, filename, delete_old_dirs=True)
                with control_dependencies([merged]):
                    return ops.identity(filename)

    def _save_old_shards(self, filename: Tensor, per_device: PerDevice) -> Tensor:
        count = ops.constant(len(per_device), name="num_shards")
        saves = []
        for shard, (name, saveables) in enumerate(per_device):
            with device(name):
                path = self.sharded_filename(filename, shard, count)
                saves.append(self._save(path, saveables))
        with control_dependencies(saves):
            return raw.ShardedFilespec(filename, count)

    def _restore(
        self,
        filename: Tensor,
        saveables: Saveables,
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int = -1,
        name: str = "restore_all",
    ) -> Operation:
        """Returns the operation that restores all variables."""
        tensors = iter(
            self.bulk_restore(filename, saveables, preferred_shard, restore_sequentially)
        )
        assign_ops = []
        for saveable in saveables:
            shapes = [_shape_for(spec) for spec in saveable.specs] if reshape else None
            assign_ops.append(saveable.restore([next(tensors) for _ in saveable.specs], shapes))
        return ops.group(*assign_ops, name=name)

    def _restore_shards(
        self, filename: Tensor, per_device: PerDevice, restore_sequentially: bool, reshape: bool
    ) -> Operation:
        restores = []
        for shard, (name, saveables) in enumerate(per_device):
            with device(name):
                restores.append(
                    self._restore(
                        *(filename, saveables, restore_sequentially, reshape),
                        preferred_shard=shard,
                        name="restore_shard",
                    )
                )
        return ops.group(*restores, name="restore_all")

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """Adds the save and restore nodes.

        Args:
          names_to_saveables: a dict or list of the objects to save.
          reshape: whether to reshape saved values to the variable's shape.
          sharded: whether to write one shard per device.
          max_to_keep: stored in the SaverDef, with None as 0.
          keep_checkpoint_every_n_hours: stored in the SaverDef.
          name: the name scope, by default "save".
          restore_sequentially: passed on to `bulk_restore`.
          filename: default prefix if none is fed.

        Returns:
          A SaverDef.

        Raises:
          TypeError, ValueError: if `names_to_saveables` is not saveable.
        """
        saveables = checked_saveables(names_to_saveables)
        with name_scope(name, "save", [saveable.op for saveable in saveables]):
            path = ops.placeholder_with_default(filename or "model", shape=(), name="filename")
            path = ops.placeholder_with_default(path, shape=(), name="Const")
            per_device = by_device(saveables) if sharded else None
            saved = self.save(path, saveables, per_device)
            restored = self.restore(path, saveables, per_device, restore_sequentially, reshape)
        _join_partitioned()
        return proto.SaverDef(
            filename_tensor_name=path.name,
            save_tensor_name=saved.name,
            restore_op_name=restored.name,
            max_to_keep=max_to_keep or 0,
            sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._write_version,
        )


class BulkSaverBuilder(BaseSaverBuilder):
    """Builder used by Savers, which reads all tensors with a single node."""

    @arguments_of(BaseSaverBuilder.bulk_restore)
    def bulk_restore(self, filename_tensor: Tensor, saveables: Saveables, *options: Any) -> list:
        """Returns the tensors read for `saveables` by a single node on the CPU."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = tuple(spec.name for spec in specs)
        slices = tuple(spec.slice_spec for spec in specs)
        dtypes = tuple(spec.dtype for spec in specs)
        with device("cpu:0"):
            return raw.RestoreV2(filename_tensor, names, slices, dtypes=dtypes)


def _shape_for(spec: SaveSpec) -> Any:
    tensor = spec.tensor
    shape = tensor.get_shape()
    return shape if shape.is_fully_defined() else ops.shape(tensor)


def by_device(saveables: Iterable[SaveableObject]) -> PerDevice:
    """Returns the saveables by device, sorted by device name."""
    by_name: dict[str, list[SaveableObject]] = defaultdict(list)
    for saveable in saveables:
        names = {canonical(spec.tensor.device) for spec in saveable.specs}
        if len(names) != 1:
            raise ValueError(
                f"All tensors of a saveable object must be on the same device: {saveable.name}"
            )
        by_name[names.pop()].append(saveable)
    return sorted(by_name.items())


def _join_partitioned() -> None:
    """Concatenates each PartitionedVariable in a collection, since a meta graph refers to it by tensor name."""
    graph = get_default_graph()
    for key in graph.get_all_collection_keys():
        for item in graph.get_collection(key):
            if isinstance(item, PartitionedVariable) and item.name not in graph._nodes_by_name:
                item.as_tensor()
