"""Sessions with GPUs on a machine without one: what tests of devices share."""

import contextlib
from unittest import mock

from tests.support import fake_cupy
from tfmini._src.devices.cuda import device, discovery, process_gpus as gpus, products, tf32
from tfmini._src.devices.cuda.cudnn import algorithm_cache, library
from tfmini._src.session.eager import context, execute
from tfmini._src.session.plan_cache import Recent


@contextlib.contextmanager
def fake_gpus(
    devices=2,
    cublas=fake_cupy.cublas.Library,
    cudnn=fake_cupy.cudnn.Library,
    cublas_lt=fake_cupy.cublas_lt.Library,
    kept_choices=None,
    **options,
):
    """Within it sessions and eager mode have so many GPUs of the strict fake, its cuBLAS and cuDNN; yields its machine.

    cublas, cudnn, cublas_lt: give the libraries; `lambda: None` is a machine without one. kept_choices: the folder
    with what was measured of cuDNN's algorithms, if there is to be one.
    """
    made = {"cublas": cublas, "cublasLt": cublas_lt}
    # Not what a toolkit here may have.
    multiplied = mock.patch.object(
        products, "open_cublas", lambda major, library="cublas": made[library]()
    )
    opened = mock.patch.object(device, "open_cudnn", lambda major: cudnn())
    asked = mock.patch.object(library, "open_cudnn", lambda major: cudnn())
    # Nor what was measured here before.
    forgotten = mock.patch.object(algorithm_cache, "folder", lambda: kept_choices)
    # The devices of eager mode are those of the machine that its first op finds.
    eager = mock.patch.object(context, "_context", [])
    executed = mock.patch.multiple(execute, _compiled=Recent(), _calls=Recent())
    installed = fake_cupy.installed(devices=devices, **options)
    with multiplied, opened, asked, forgotten, eager, executed, installed as machine:
        forget()
        try:
            yield machine
        finally:
            forget()


def forget():
    """As in a process that has had no session yet; what is under way is let come to its end."""
    for _, gpu in gpus._made.values():
        with contextlib.suppress(gpu.xp.cuda.runtime.CUDARuntimeError):  # a card that was lost
            for stream in (gpu.compute, gpu.h2d, gpu.d2h):
                stream.synchronize()
    gpus._made.clear()
    gpus._warned.clear()
    tf32._is_told = False
    discovery._started, discovery._why = None, ""
