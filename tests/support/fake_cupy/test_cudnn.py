"""Calls that the cuDNN emulation rejects."""

import ctypes

import numpy as np
import pytest

from tests.support.fake_cupy.cudnn import Library
from tfmini._src.devices.cuda.cudnn import descriptors
from tfmini._src.devices.cuda.cudnn.library import Cudnn, CudnnError, version_text

FLOAT = np.dtype("f")


@pytest.fixture
def cudnn(cp):
    stream = cp.cuda.Stream(non_blocking=True)
    return Cudnn(Library(), stream.ptr)


@pytest.mark.parametrize("shape, lengths", [((0, 2, 3), [0, 0]), ((4, 2, 3), [5, 1])])
def test_invalid_sequence_descriptors(cudnn, shape, lengths):
    with pytest.raises(CudnnError, match=r"cudnnSetRNNDataDescriptor: bad parameter \(2000\)"):
        descriptors.sequences(cudnn, FLOAT, shape, np.array(lengths), True)


def test_unset_descriptor_is_rejected(cudnn):
    result = descriptors.Descriptor(cudnn, "RNN")
    with pytest.raises(CudnnError, match="cudnnGetRNNWeightSpaceSize: bad parameter"):
        cudnn.call("cudnnGetRNNWeightSpaceSize", result.value, ctypes.byref(ctypes.c_size_t()))


def test_descriptors_are_destroyed(cudnn):
    count = len(cudnn.library.records)
    result = descriptors.tensor(cudnn, FLOAT, (2, 3, 4))
    assert descriptors.descriptor_shape(cudnn, result) == (2, 3, 4)
    assert len(cudnn.library.records) == count + 1
    del result
    assert len(cudnn.library.records) == count


def test_handle_creation_during_capture_fails(cp):
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        with pytest.raises(CudnnError, match="cudnnCreate: internal error"):
            Cudnn(Library(), stream.ptr)
        stream.end_capture()


@pytest.mark.parametrize("version, text", [(90501, "9.5.1"), (8907, "8.9.7"), (7605, "7.6.5")])
def test_version_text(version, text):
    assert version_text(version) == text
