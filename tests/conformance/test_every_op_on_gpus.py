"""Every sample of an op with a GPU kernel, and the golden programs, on the strict CuPy emulator.

Nodes run on GPU:0 wherever TensorFlow 1.15.5 has a GPU kernel. The emulator raises on errors that a GPU may
not report: arrays of another device, host arrays in device code, unordered streams, freed memory.
`tests/on_gpus/` has the same on a GPU.
"""

import contextlib
import re

import pytest

from tests.conformance.samples import Rows
from tests.support import cases, tiers
from tests.support.gpu import gpu_checks
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.capture.uncapturable_ops import BLOCKING_OPS

pytestmark = pytest.mark.usefixtures("gpu_environment")


# Ops whose CuPy functions synchronize, and ops for which cuDNN first times its algorithms.
WAITS = "|".join((*BLOCKING_OPS, "(Conv2D|Conv3D|DepthwiseConv2dNative).*"))
# Without updates long enough for block-wise computation on a CPU: thread by thread they take 200 MB and seconds.
BUILT = Rows(lambda s: gpu_checks.BUILT.has(s) and s.note != "in blocks")


@cases.parametrize(gpu_checks.SAMPLES.groups())
def test_value(group, check_each):
    def check(sample):
        waits = re.fullmatch(WAITS, sample.op)
        with fake_gpus(devices=2) as machine:
            with contextlib.nullcontext() if waits else machine.forbid_sync():
                gpu_checks.check_value(sample)

    check_each(group, check)


@cases.parametrize(gpu_checks.DIFFERENTIABLE.groups())
def test_gradient(group, check_each):
    check_each(group, on_two_gpus(gpu_checks.check_gradient))


@cases.parametrize(BUILT.groups())
def test_built(group, check_each):
    check_each(group, on_two_gpus(gpu_checks.check_built))


def on_two_gpus(check):
    def checked(sample):
        with fake_gpus(devices=2):
            check(sample)

    return checked


@pytest.mark.full
@pytest.mark.parametrize("name", tiers.programs_on_gpus())
def test_programs(name, gpus):
    gpu_checks.check_program(name)
