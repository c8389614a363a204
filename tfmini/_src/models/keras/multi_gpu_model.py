"""`tf.keras.utils.multi_gpu_model`, which splits batches across GPUs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.models import clone_model
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.keras.lambda_layer import Lambda
from tfmini._src.nn.layers.keras.merge import concatenate
from tfmini._src.ops import ops


def multi_gpu_model(
    model: Model, gpus: int | Sequence[int], cpu_merge: bool = True, cpu_relocation: bool = False
) -> Any:
    """Replicates a model on several GPUs, splits batches among the replicas and concatenates their outputs.

    The replicas share the weights of `model`. Create `model` under `tf.device("/cpu:0")`, and save it rather
    than the returned model.

    Args:
      model: a model.
      gpus: number of GPUs, at least 2, or a list of GPU indices.
      cpu_merge: whether to concatenate outputs on the CPU instead of the first GPU.
      cpu_relocation: whether to copy the model to the CPU, with new weights, and replicate the copy.

    Returns:
      An uncompiled `tf.keras.Model` with the same inputs.

    Raises:
      ValueError: for fewer than two GPUs, or nonexistent ones.

    Example:
      parallel = tf.keras.utils.multi_gpu_model(model, gpus=2)
      parallel.compile("adam", "categorical_crossentropy")
    """
    gpu_ids = _gpu_ids(gpus)
    _check_devices(gpus, gpu_ids)
    if cpu_relocation:
        with device("/cpu:0"):
            model = clone_model(model)
    replicas = [
        _replica(model, position, gpu_id, len(gpu_ids)) for position, gpu_id in enumerate(gpu_ids)
    ]
    with device("/cpu:0" if cpu_merge else f"/gpu:{gpu_ids[0]}"):
        merged = [
            concatenate(list(outputs), axis=0, name=name)
            for name, outputs in zip(_distinct(model.output_names), zip(*replicas))
        ]
        return Model(model.inputs, merged)


def _gpu_ids(gpus: Any) -> list[int]:
    is_list = isinstance(gpus, (list, tuple))
    if (len(gpus) if is_list else gpus) <= 1:
        expected = "len(gpus) >= 2" if is_list else "gpus >= 2"
        raise ValueError(
            f"For multi-gpu usage to be effective, call `multi_gpu_model` with `{expected}`. Received: `gpus={gpus}`"
        )
    return list(gpus) if is_list else list(range(gpus))


def _check_devices(gpus: Any, gpu_ids: list[int]) -> None:
    expected = ["/cpu:0"] + [f"/gpu:{gpu_id}" for gpu_id in gpu_ids]
    names = [listed_device.name.lower() for listed_device in get_session().list_devices()]
    available = ["/" + name.split("device:")[1] for name in names]
    if not set(expected) <= set(available):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be available: "
            f"{expected}. However this machine only has: {available}. Try reducing `gpus`."
        )


def _replica(model: Any, position: int, gpu_id: int, count: int) -> list:
    """Returns the outputs of a model on one GPU, for one part of the inputs."""
    with device(f"/gpu:{gpu_id}"), name_scope(f"replica_{gpu_id}"):
        parts = [
            Lambda(
                _batch_slice,
                output_shape=tuple(value.shape.as_list())[1:],
                arguments={"i": position, "parts": count},
            )(value)
            for value in model.inputs
        ]
        outputs = model(parts)
        return outputs if isinstance(outputs, list) else [outputs]


def _batch_slice(data: Any, i: int, parts: int) -> Any:
    """Returns the i-th of `parts` parts of a batch; the last part includes the remainder."""
    shape = ops.shape(data)
    batch, inner = shape[:1], shape[1:]
    step = batch // parts
    size = batch - step * i if i == parts - 1 else step
    size = ops.concat([size, inner], axis=0)
    stride = ops.concat([step, inner * 0], axis=0)
    return ops.slice(data, stride * i, size)


def _distinct(names: list[str]) -> list[str]:
    """Appends numbers to repeated output names."""
    counts, seen = Counter(names), Counter[str]()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(f"{name}_{seen[name]}" if counts[name] > 1 else name)
    return unique
