"""Result arrays are reused once unreferenced."""

import pytest

from tests.support import fake_cupy
from tfmini._src.devices.cuda.capture.result_arrays import ResultArrays

USERS = {
    "the array": lambda array: array,
    "its pointer": lambda array: array.data,
    "a pointer into it": lambda array: array.data + 8,
    "a view": lambda array: array[1:].T,
}


@pytest.mark.parametrize("name", USERS)
def test_result_array_is_reused_once_unreferenced(name):
    with fake_cupy.install(devices=1):
        import cupy  # noqa: PLC0415  the fake

        arrays = ResultArrays(cupy, cupy.empty((4, 3), "f"), 2)
        first = arrays.take().data.ptr
        user = USERS[name](arrays.take())
        result = arrays.take().data.ptr, arrays.unused_bytes()
        assert result[0] != first and result[1] == 48
        del user
        result = arrays.take().data.ptr, arrays.unused_bytes()
        assert result == (first, 96)
