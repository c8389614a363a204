"""Fixture for the emulator's own tests, with two devices."""

import pytest

from tests.support import fake_cupy


@pytest.fixture
def machine():
    with fake_cupy.install(devices=2) as machine:
        yield machine


@pytest.fixture
def cp(machine):
    return fake_cupy.MODULES["cupy"]


@pytest.fixture
def cupyx(machine):
    return fake_cupy.MODULES["cupyx"]
