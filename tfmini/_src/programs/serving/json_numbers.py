"""Requests whose tensors are lists of numbers: read without a Python object for each number."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.devices.host.native.json_numbers import json_numbers

_SPACE = rb"[ \t\r\n]*"
_SIGNATURE = _SPACE.join((b"", b'"signature_name"', b":", rb'"([ !#-\[\]-~]*)"', b""))
_HEAD = re.compile(
    _SPACE.join(
        (b"", rb"\{", b"(?:" + _SIGNATURE + b",)?", b'"(instances|inputs)"', b":", rb"(?=\[)")
    )
)
_TAIL = re.compile(b"(?:" + _SPACE + b"," + _SIGNATURE + b")?" + _SPACE + rb"\}" + _SPACE)


class Numbers:
    """The value of `instances` or `inputs`, a list of numbers.

    Args:
      body: the request.
      begin: start position of the list.
      parsed: the result of `json_numbers`.
    """

    def __init__(
        self, body: bytes | bytearray, begin: int, parsed: tuple[np.ndarray, int, bool, int]
    ):
        self._values, self._largest, self._has_fractions, end = parsed
        self._text = slice(begin, end)
        self._body = body

    def array(self, dtype: DType) -> np.ndarray | None:
        """Returns the numbers as an array; None if this dtype cannot represent them."""
        numpy_dtype = np.dtype(dtype.as_numpy_dtype)
        if numpy_dtype.kind in "iu" and not self._has_fractions:
            limits = np.iinfo(numpy_dtype)
            if limits.min <= self._values.min() and self._values.max() <= limits.max:
                return self._values.astype(numpy_dtype)
        elif numpy_dtype.char in "efd" and self._largest <= 2 ** (np.finfo(numpy_dtype).nmant + 1):
            with np.errstate(over="ignore"):
                array = self._values.astype(numpy_dtype, copy=False)
            if np.isfinite(array).all():
                return array
        return None

    def lists(self) -> Any:
        """Returns the numbers as Python's lists."""
        return json.loads(self._body[self._text])


def numeric_request(body: bytes | bytearray) -> dict[str, Any] | None:
    """Returns a request with `Numbers` and optionally a signature name; None if it contains anything else."""
    head = _HEAD.match(body)
    parsed = head and json_numbers(body, head.end())
    tail = parsed and _TAIL.fullmatch(body, parsed[3])
    if not (head and parsed and tail) or head[1] is not None and tail[1] is not None:
        return None
    request: dict[str, Any] = {head[2].decode(): Numbers(body, head.end(), parsed)}
    for name in (head[1], tail[1]):
        if name is not None:
            request["signature_name"] = name.decode()
    return request
