"""Nodes that save and restore object checkpoints, with one shard per device and one read per tensor."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.train.checkpoints.saveables import host_cpu
from tfmini._src.variables.saveable import SaveableObject


class DeviceSaver:
    """Writes and reads object checkpoints, with one shard per device.
    Unlike a Saver, it opens no name scope, and the prefix may be any string tensor.
    """

    def __init__(self, saveables: Iterable[SaveableObject]):
        saveables_by_device: dict[str, list[SaveableObject]] = {}
        for saveable in saveables:
            saveables_by_device.setdefault(saveable.device or "", []).append(saveable)
        self._saveables_by_device = sorted(saveables_by_device.items())

    def save(self, prefix: Tensor) -> Operation:
        """Returns the operation that writes all tensors under a prefix."""
        with device("cpu:0"):
            shards_prefix = ops.string_join([prefix, f"_temp_{uuid.uuid4().hex}/part"])
        count = ops.constant(len(self._saveables_by_device), name="num_shards")
        names, written = [], []
        for index, (device_name, saveables) in enumerate(self._saveables_by_device):
            with device(host_cpu(device_name)):
                names.append(raw.ShardedFilename(shards_prefix, index, count))
            with device(device_name):
                specs = [spec for saveable in saveables for spec in saveable.specs]
                tensors = [spec.tensor for spec in specs]
                with device("cpu:0"):
                    keys, slices = (
                        [spec.name for spec in specs],
                        [spec.slice_spec for spec in specs],
                    )
                    written.append(raw.SaveV2(names[-1], keys, slices, tensors))
        with control_dependencies(written), device(host_cpu(self._saveables_by_device[-1][0])):
            return raw.MergeV2Checkpoints(names, prefix, delete_old_dirs=True)

    def restore(self, prefix: Tensor) -> dict[str, Operation]:
        """Returns the restore operations, by saveable name."""
        restored = {}
        for device_name, saveables in self._saveables_by_device:
            with device(device_name):
                specs = [spec for saveable in saveables for spec in saveable.specs]
                with device("cpu:0"):
                    tensors = iter(
                        raw.RestoreV2(
                            prefix,
                            [spec.name for spec in specs],
                            [spec.slice_spec for spec in specs],
                            dtypes=[spec.dtype for spec in specs],
                        )
                    )
                for saveable in saveables:
                    values = [next(tensors) for _ in saveable.specs]
                    restored[saveable.name] = saveable.restore(values, None)
        return restored
