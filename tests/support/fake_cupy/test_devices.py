"""The current device; arrays are usable only on their own device."""

import os
import sys
import threading

import numpy as np
import pytest

from tests.support import fake_cupy


def test_emulator_is_present_only_while_installed():
    before = sys.modules.get("cupy")
    with fake_cupy.install():
        assert sys.modules["cupy"].__version__ == "14.2.0"
        assert sys.modules["cupyx.scipy.special"].digamma.nin == 1
    assert sys.modules.get("cupy") is before


def test_swallowed_violation_is_raised_on_exit():
    with pytest.raises(
        fake_cupy.CrossDeviceError, match="add: the array is on device 0, while device 1 is current"
    ):
        with fake_cupy.install() as machine:
            cp = fake_cupy.MODULES["cupy"]
            a = cp.ones(3)
            with cp.cuda.Device(1):
                try:
                    a + a
                except ValueError:
                    pass
            assert len(machine.violations) == 1


def test_arrays_require_their_device_to_be_current(machine, cp):
    a = cp.ones((2, 3), "f")
    with cp.cuda.Device(1):
        b = cp.ones((2, 3), "f")
        assert (b + b).device.id == 1
        with machine.expected(fake_cupy.CrossDeviceError, "device 0"):
            a + 1
        with machine.expected(fake_cupy.CrossDeviceError):
            cp.sum(a)
        with machine.expected(fake_cupy.CrossDeviceError):
            a[...] = 0
    with machine.expected(fake_cupy.CrossDeviceError):
        a + b
    assert (a + 1).device.id == 0


def test_views_need_no_current_device(cp):
    a = cp.ones((2, 3), "f")
    with cp.cuda.Device(1):
        assert a.T.device.id == a.reshape(-1)[1:].device.id == a[0].device.id == 0


def test_copy_goes_to_current_device(machine, cp):
    a = cp.arange(6, dtype="f")
    cp.cuda.Device(0).synchronize()
    with cp.cuda.Device(1):
        b = a.copy()
        c = cp.asarray(a)
        assert b.device.id == c.device.id == 1
        np.testing.assert_array_equal((b + c).get(), np.arange(6) * 2)
    assert machine.counters.copies["p2p"] == 2


def test_copy_between_devices_does_not_synchronize(machine, cp):
    a = cp.arange(6, dtype="f")
    with cp.cuda.Device(1):
        with machine.expected(fake_cupy.RaceError):
            a.copy()


def test_each_thread_starts_on_device_0(cp):
    seen = []
    with cp.cuda.Device(1):
        thread = threading.Thread(target=lambda: seen.append(cp.cuda.Device().id))
        thread.start()
        thread.join()
        assert cp.cuda.Device().id == 1
    assert seen == [0]


def test_missing_device(cp):
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInvalidDevice") as error:
        cp.cuda.Device(2).use()
    assert error.value.status == 101


def test_no_devices():
    with fake_cupy.install(devices=0):
        cp = fake_cupy.MODULES["cupy"]
        assert not cp.cuda.is_available()
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorNoDevice"):
            cp.cuda.runtime.getDeviceCount()


def test_no_driver():
    with fake_cupy.install(driver=False):
        cp = fake_cupy.MODULES["cupy"]
        assert not cp.cuda.is_available()
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="InsufficientDriver"):
            cp.cuda.runtime.getDeviceCount()


def test_lost_device(machine, cp):
    a = cp.ones(3)
    machine.lose(0, 719)
    for use in (lambda: a + 1, lambda: cp.zeros(5), a.get, cp.cuda.Device(0).synchronize):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="LaunchFailure"):
            use()
    with cp.cuda.Device(1):
        assert cp.ones(3).sum().get() == 3


def test_threads_on_different_devices(machine, cp):
    failures = []

    def work(device):
        try:
            with cp.cuda.Device(device), cp.cuda.Stream(non_blocking=True):
                total = cp.zeros(4)
                for i in range(200):
                    total = total + i
                assert total.get().tolist() == [19900] * 4
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i % 2,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    pool = cp.get_default_memory_pool()
    assert pool.used_bytes() == 0


def test_device_properties(cp):
    device = cp.cuda.Device(1)
    assert device == cp.cuda.Device(1) and int(device) == 1
    assert device.compute_capability == "90"
    assert cp.cuda.Device.from_pci_bus_id(device.pci_bus_id) == device
    assert cp.cuda.runtime.getDeviceProperties(1)["totalGlobalMem"] == 1 << 30
    assert cp.cuda.runtime.deviceCanAccessPeer(0, 1) == 1


def test_cuda_fails_in_forked_child(cp, machine, monkeypatch):
    machine.started_in = None
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    assert cp.cuda.runtime.getDeviceCount() == 2  # started in the fork
    monkeypatch.setattr(os, "getpid", lambda: parent)
    for call in (cp.cuda.runtime.getDeviceCount, cp.cuda.Device(1).use, lambda: cp.arange(3)):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInitializationError"):
            call()
