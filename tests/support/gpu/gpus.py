"""Sessions with emulated GPUs, shared by the device tests."""

import contextlib
from unittest import mock

from tests.support import fake_cupy
from tfmini._src.devices.cuda import device, discovery, process_gpus as gpus, products, tf32
from tfmini._src.devices.cuda.cudnn import algorithm_cache, library
from tfmini._src.session.eager import context, execute
from tfmini._src.session.plan_cache import LRUCache


@contextlib.contextmanager
def fake_gpus(
    devices=2,
    cublas=fake_cupy.cublas.Library,
    cudnn=fake_cupy.cudnn.Library,
    cublas_lt=fake_cupy.cublas_lt.Library,
    kept_choices=None,
    **options,
):
    """Context in which sessions and eager mode have `count` emulated GPUs with cuBLAS and cuDNN; yields the machine.

    cublas, cudnn, cublas_lt: library factories; `lambda: None` emulates a missing library. kept_choices: the folder
    for measured cuDNN algorithm choices, if any.
    """
    result = {"cublas": cublas, "cublasLt": cublas_lt}
    # Hides any toolkit installed on this machine.
    multiplied = mock.patch.object(
        products, "open_cublas", lambda major, library="cublas": result[library]()
    )
    opened = mock.patch.object(device, "open_cudnn", lambda major: cudnn())
    asked = mock.patch.object(library, "open_cudnn", lambda major: cudnn())
    # And choices measured on this machine.
    forgotten = mock.patch.object(algorithm_cache, "cache_directory", lambda: kept_choices)
    # Eager mode uses the devices of the machine found by its first op.
    eager = mock.patch.object(context, "_context", [])
    executed = mock.patch.multiple(execute, _compiled_ops=LRUCache(), _op_by_call=LRUCache())
    installed = fake_cupy.install(devices=devices, **options)
    with multiplied, opened, asked, forgotten, eager, executed, installed as machine:
        forget()
        try:
            yield machine
        finally:
            forget()


def forget():
    """Resets the state to that of a process without sessions, after pending work has completed."""
    for _, gpu in gpus._gpus_by_index.values():
        with contextlib.suppress(gpu.xp.cuda.runtime.CUDARuntimeError):  # a lost device
            for stream in (gpu.compute, gpu.h2d, gpu.d2h):
                stream.synchronize()
    gpus._gpus_by_index.clear()
    gpus._logged_messages.clear()
    tf32._is_logged = False
    discovery._discovery, discovery._no_gpu_reason = None, ""
