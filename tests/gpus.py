"""Sessions with GPUs on a machine without one: what tests of devices share."""

import contextlib
from unittest import mock

from tests import fake_cupy
from tfmini.backend.gpu import device
from tfmini.backend.gpu import machine as gpus


@contextlib.contextmanager
def fake_gpus(devices=2, cublas=fake_cupy.cublas.Library, **options):
    """Within it sessions have so many GPUs of the strict fake, and its cuBLAS; yields its machine.

    cublas: gives the library; `lambda: None` is a machine without one.
    """
    opened = mock.patch.object(device, "open_cublas", cublas)  # not what a toolkit here may have
    with opened, fake_cupy.installed(devices=devices, **options) as machine:
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
    gpus._said.clear()
    gpus._started_in = 0
