"""The GPUs of the process, shared by its sessions and created with the memory options of the first session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs, runtime_log
from tfmini._src.base.errors import AlreadyExistsError
from tfmini._src.base.locks import make_lock
from tfmini._src.devices.cuda import device
from tfmini._src.devices.cuda.discovery import Discovery, PhysicalGpu, discover
from tfmini._src.devices.cuda.gpu_options import Share, logical_gpus, requested_count

_lock = make_lock()
_gpus_by_index: dict[int, tuple[Share, device.LogicalGpu]] = {}  # by number in the device name
_logged_messages: set[str] = set()


def session_gpus(config: Any, task: str) -> dict[str, device.LogicalGpu]:
    """Returns the GPUs of a session under a ConfigProto (or None), by name below `task`; {} if there are none.

    The first session determines the memory limits.

    Raises:
      InvalidArgumentError, UnimplementedError, UnknownError: for invalid or unsupported options.
      AlreadyExistsError: if a GPU number would refer to another GPU than in an earlier session.
      FailedPreconditionError: in a fork of a process that has used a GPU.
    """
    options = None if config is None else config.gpu_options
    if not requested_count(config):
        return {}
    with _lock:
        discovery = discover()
        if discovery.why:
            _log_once(discovery.why, discovery.unexpected)
            return {}
        result = {}
        for index, share in enumerate(
            logical_gpus(config, discovery.physical_gpus, _free_bytes(discovery))
        ):
            name = f"{task}/device:GPU:{index}"
            result[name] = _process_gpu(name, index, share, discovery, options)
        return result


def _process_gpu(
    name: str, index: int, share: Share, discovery: Discovery, options: Any
) -> device.LogicalGpu:
    if index not in _gpus_by_index:
        gpu = device.LogicalGpu(
            discovery.cupy, share.physical, f"GPU:{index}", share.limit_bytes, share.grows
        )
        _gpus_by_index[index] = (share, gpu)
        line = (
            f"Created TensorFlow device ({name} with {share.limit_bytes >> 20} MB memory) -> physical GPU "
            f"({share.physical.description})"
        )
        runtime_log.log(runtime_log.INFO, line.encode())
    first, gpu = _gpus_by_index[index]
    if first.physical != share.physical:
        raise AlreadyExistsError(
            None,
            None,
            f"TensorFlow device (GPU:{index}) is being mapped to multiple CUDA devices ({share.physical.ordinal} now, "
            f"and {first.physical.ordinal} previously), which is not supported. This may be the result of providing "
            "different GPU configurations (ConfigProto.gpu_options, for example different visible_device_list) when "
            "creating multiple Sessions in the same process.",
        )
    if options is not None and _requests_other_memory(options, share, first):
        _log_once(
            f"Ignoring the memory options of this session for GPU:{index}: the first session "
            f"of the process fixed its limit at {first.limit_bytes >> 20} "
            f"MiB{(', taken as needed' if first.grows else '')}.",
            True,
        )
    return gpu


def _requests_other_memory(options: Any, share: Share, first: Share) -> bool:
    """Whether the options explicitly request another memory limit than the first session."""
    names_limit = options.per_process_gpu_memory_fraction or options.experimental.virtual_devices
    if names_limit and share.limit_bytes != first.limit_bytes:
        return True
    return bool(names_limit or options.allow_growth) and share.grows != first.grows


def _free_bytes(discovery: Discovery) -> Callable[[PhysicalGpu], int]:
    def free(physical: PhysicalGpu) -> int:
        with discovery.cupy.cuda.Device(physical.ordinal):
            return discovery.cupy.cuda.runtime.memGetInfo()[0]

    return free


def _log_once(text: str, unexpected: bool) -> None:
    """Logs a message about the GPUs, once."""
    if text not in _logged_messages:
        _logged_messages.add(text)
        (logs.warning if unexpected else logs.info)(text)
