"""Every sample of an op that has a GPU kernel, and the golden programs, on the strict fake of CuPy.

Nodes go to GPU:0 wherever TensorFlow 1.15.5 has a GPU kernel for them. The fake raises on what a card may
leave unsaid: arrays of another device, host arrays in device code, unordered streams, freed memory.
`tests/on_cards/` has the same on a card.
"""

import contextlib
import re

import pytest

from tests.support import tiers
from tests.support.gpu import gpu_checks
from tfmini._src.executor.capture.uncapturable_ops import WAITING

pytestmark = pytest.mark.usefixtures("gpus")


# Ops whose functions of CuPy wait, and those for which cuDNN times its algorithms at first.
WAITS = "|".join((*WAITING, "(Conv2D|Conv3D|DepthwiseConv2dNative).*"))


@pytest.mark.parametrize("sample", gpu_checks.SAMPLES, ids=str)
def test_value(sample, gpus):
    waits = re.fullmatch(WAITS, sample.op)
    with contextlib.nullcontext() if waits else gpus.forbid_sync():
        gpu_checks.check_value(sample)


@pytest.mark.parametrize("sample", gpu_checks.DIFFERENTIABLE, ids=str)
def test_gradient(sample):
    gpu_checks.check_gradient(sample)


@pytest.mark.parametrize("sample", gpu_checks.BUILT, ids=str)
def test_built(sample):
    gpu_checks.check_built(sample)


@pytest.mark.full
@pytest.mark.parametrize("name", tiers.programs_on_gpus())
def test_programs(name):
    gpu_checks.check_program(name)
