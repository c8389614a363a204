"""The assertions of `tf.test.TestCase` on arrays and evaluated tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np
from absl.testing import absltest

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import Tensor, TensorLike

_MAX_SHOWN = 10  # elements shown in a message
_MAX_SHOWN_RANK, _MAX_SHOWN_SIZE = 3, 500  # limits on arrays printed in a message


def _is_ragged(value: Any) -> bool:
    return getattr(value, "_is_ragged", False) is True


def _as_scalar(value: Any) -> Any:
    """Returns an array of one element as a scalar; returns other values unchanged."""
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 else value


class ArrayAssertions(absltest.TestCase):
    """Assertions on arrays; subclasses define tensor evaluation."""

    def evaluate(self, tensors: Any) -> Any:
        """Evaluates tensors; returns arrays in the same structure."""
        raise NotImplementedError

    def _GetNdArray(self, a: Any) -> np.ndarray:
        """Returns a value as an array; ragged lists, and lists of graph tensors, become object arrays."""
        value = self.evaluate(a) if isinstance(a, Tensor) and not isinstance(a, EagerTensor) else a
        try:
            return np.asarray(value)
        except (NotImplementedError, ValueError):
            array = np.empty(len(value), object)
            for n, item in enumerate(value):
                array[n] = item
            return array

    def _NDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float) -> bool:
        return bool(np.linalg.norm(ndarray1 - ndarray2) < err)

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """Fails unless two floats differ by at most `err`."""
        note = "" if msg is None else f" ({msg})"
        f1, f2, err = _as_scalar(f1), _as_scalar(f2), _as_scalar(err)
        self.assertTrue(
            f1 == f2 or math.fabs(f1 - f2) <= err, f"{f1:f} != {f2:f} +/- {err:f}{note}"
        )

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: Any = None) -> None:
        """Fails unless two sequences of floats have equal length and differ by at most `err` everywhere."""
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for first, second in zip(farray1, farray2):
            self.assertNear(float(_as_scalar(first)), float(_as_scalar(second)), err, msg=msg)

    def assertNDArrayNear(
        self, ndarray1: TensorLike, ndarray2: TensorLike, err: float, msg: str | None = None
    ) -> None:
        """Fails unless the Euclidean norm of the difference of two arrays is below `err`."""
        self.assertTrue(self._NDArrayNear(ndarray1, ndarray2, err), msg=msg)

    def assertAllClose(
        self,
        a: TensorLike,
        b: TensorLike,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        msg: str | None = None,
    ) -> None:
        """Fails unless `abs(a - b) <= atol + rtol * abs(b)` everywhere.

        Args:
          a: an array, a tensor, or nested lists, tuples, named tuples and dicts of these.
          b: a value of the same structure.
          rtol: tolerance relative to `b`.
          atol: absolute tolerance.
          msg: an additional message.

        Raises:
          ValueError: if the structures differ.
        """
        if _is_ragged(a) or _is_ragged(b):
            self._assert_same_ragged_rank(a, b, msg)
            a, b = self._as_lists(a), self._as_lists(b)
        self._assert_close(a, b, rtol, atol, "", msg or "")

    def _as_lists(self, value: Any) -> Any:
        """Returns a value as nested lists."""
        if isinstance(value, list | tuple):
            return [self._as_lists(item) for item in value]
        if hasattr(value, "row_splits"):
            if isinstance(value.row_splits, Tensor):
                value = self.evaluate(value)
            return value.to_list()
        if isinstance(value, bytes | str):  # an array would drop trailing NULs
            return value
        value = self._GetNdArray(value)
        return value.tolist()

    def _assert_same_ragged_rank(self, a: Any, b: Any, msg: Any) -> None:
        if not isinstance(a, list | tuple) and not isinstance(b, list | tuple):
            self.assertEqual(getattr(a, "ragged_rank", 0), getattr(b, "ragged_rank", 0), msg)

    def _assert_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: Any) -> None:
        a, b = (value._asdict() if hasattr(value, "_asdict") else value for value in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        if isinstance(a, Mapping):
            text = (
                f"mismatched keys: a{path} has keys {a.keys()}, but b{path} has {b.keys()}. {msg}"
            )
            self.assertCountEqual(a.keys(), b.keys(), text)
            for key in a:
                self._assert_close(a[key], b[key], rtol, atol, f"{path}[{key}]", msg)
        elif isinstance(a, list | tuple) and not (_is_regular(a) and _is_regular(b)):
            if len(a) != len(b):
                with suppress(ValueError, TypeError, NotImplementedError):  # not an array
                    self._assert_same_shape(np.array(a, object), np.array(b, object))
                raise ValueError(
                    f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items. "
                    f"{msg}"
                )
            for index, (first, second) in enumerate(zip(a, b)):
                self._assert_close(first, second, rtol, atol, f"{path}[{index}]", msg)
        else:
            text = f"Mismatched value: a{path} is different from b{path}. {msg}"
            self._assert_arrays_close(self._GetNdArray(a), self._GetNdArray(b), rtol, atol, text)

    def _assert_arrays_close(
        self, a: np.ndarray, b: np.ndarray, rtol: float, atol: float, msg: Any
    ) -> None:
        self._assert_same_shape(a, b)
        if np.allclose(a, b, rtol=rtol, atol=atol):
            return
        unlike = (np.abs(a - b) > atol + rtol * np.abs(b)) | (np.isnan(a) != np.isnan(b))
        x, y = (a[unlike], b[unlike]) if a.ndim else (a, b)
        details = [
            msg,
            *([f"not close where = {np.where(unlike)}"] if a.ndim else []),
            f"not close lhs = {x}",
            f"not close rhs = {y}",
            f"not close dif = {np.abs(x - y)}",
            f"not close tol = {atol + rtol * np.abs(y)}",
            f"dtype = {a.dtype}, shape = {a.shape}",
        ]
        text = "\n".join(details)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=text, equal_nan=True)

    def _assert_same_shape(self, a: np.ndarray, b: np.ndarray, msg: str = "") -> None:
        is_small = b.ndim <= _MAX_SHOWN_RANK or b.size < _MAX_SHOWN_SIZE
        contents = f" Contents: {b}." if is_small else ""
        text = f"Shape mismatch: expected {a.shape}, got {b.shape}.{contents} {msg}"
        self.assertEqual(a.shape, b.shape, text)

    def assertAllCloseAccordingToType(
        self,
        a: TensorLike,
        b: TensorLike,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """Same as `assertAllClose`, with wider tolerances if either value is float32, float16 or bfloat16."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        for types, relative, absolute in (
            ((np.float32, np.complex64), float_rtol, float_atol),
            ((np.float16,), half_rtol, half_atol),
            ((ml_dtypes.bfloat16,), bfloat16_rtol, bfloat16_atol),
        ):
            if a.dtype.type in types or b.dtype.type in types:
                rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: TensorLike, b: TensorLike, **kwargs: Any) -> None:
        """Fails if the values pass `assertAllClose`."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertAllEqual(self, a: TensorLike, b: TensorLike, msg: str | None = None) -> None:
        """Fails unless two arrays or tensors have the same shape and elements; NaN equals NaN."""
        if _is_ragged(a) or _is_ragged(b):
            self.assertEqual(self._as_lists(a), self._as_lists(b), msg)
            self._assert_same_ragged_rank(a, b, msg)
            return
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._assert_same_shape(a, b, msg or "")
        equal = a == b
        if a.dtype.type in (np.float16, np.float32, np.float64, ml_dtypes.bfloat16):
            equal |= np.isnan(a) & np.isnan(b)
        if not np.all(equal):
            x, y = (a[~equal], b[~equal]) if a.ndim else (a, b)
            where = [f"not equal where = {np.where(~equal)}"] if a.ndim else []
            details = [msg or "", *where, f"not equal lhs = {x}", f"not equal rhs = {y}"]
            np.testing.assert_array_equal(a, b, err_msg="\n".join(details))

    def assertNotAllEqual(self, a: TensorLike, b: TensorLike, msg: str | None = None) -> None:
        """Fails if the values pass `assertAllEqual`."""
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError("The two values are equal at all elements")

    def assertAllGreater(self, a: TensorLike, comparison_target: TensorLike) -> None:
        """Fails unless all elements are greater than a number."""
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a: TensorLike, comparison_target: TensorLike) -> None:
        """Fails unless all elements are less than a number."""
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a: TensorLike, comparison_target: TensorLike) -> None:
        """Fails unless all elements are greater than or equal to a number."""
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a: TensorLike, comparison_target: TensorLike) -> None:
        """Fails unless all elements are less than or equal to a number."""
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(
        self,
        target: TensorLike,
        lower_bound: TensorLike,
        upper_bound: TensorLike,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Fails unless all elements are numbers within the bounds, inclusive by default."""
        target = self._GetNdArray(target)
        if not np.issubdtype(target.dtype, np.floating) | np.issubdtype(target.dtype, np.integer):
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it has type: "
                f"{target.dtype}"
            )
        title = "Subscripts(s) and value(s) of the NaN element(s)"
        _assert_none_wrong(np.isnan(target), target, "NaN", title)
        low = target <= lower_bound if open_lower_bound else target < lower_bound
        high = target >= upper_bound if open_upper_bound else target > upper_bound
        bounds = f"{'(' if open_lower_bound else '['}{lower_bound}, {upper_bound}"
        closing = ")" if open_upper_bound else "]"
        _assert_none_wrong(low | high, target, f"outside the range {bounds}{closing}")

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Fails unless all elements are in a set."""
        unexpected = np.setdiff1d(self._GetNdArray(target).ravel(), list(expected_set))
        if unexpected.size:
            raise AssertionError(
                f"{unexpected.size} unique element(s) are not in the set {expected_set}: {unexpected}"
            )

    def assertDTypeEqual(self, target: TensorLike, expected_dtype: DTypeLike) -> None:
        """Fails unless an array or tensor has this dtype."""
        self.assertEqual(self._GetNdArray(target).dtype, expected_dtype)

    def assertShapeEqual(
        self, np_array: np.ndarray, tf_tensor: Tensor, msg: str | None = None
    ) -> None:
        """Fails unless an array's shape equals a tensor's static shape.

        Raises:
          TypeError: for other values.
        """
        if not isinstance(np_array, np.ndarray | np.generic):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)


def _is_regular(values: Any) -> bool:
    """Whether nested lists of numbers, strings or tensors are rectangular and homogeneous."""
    if isinstance(values, Tensor):
        return True
    if not isinstance(values, list | tuple):
        return not isinstance(values, Mapping)
    if any(isinstance(v, Mapping | Tensor) for v in values):
        return False
    if not all(_is_regular(value) for value in values):
        return False
    return len({np.shape(value) for value in values}) <= 1


def _assert_none_wrong(
    wrong: np.ndarray,
    values: np.ndarray,
    problem: str,
    title: str = "Subscript(s) and value(s) of the offending elements",
) -> None:
    if not np.any(wrong):
        return
    indices = np.argwhere(wrong)
    lines = [f"  {position} : {values[tuple(position)]}" for position in indices[:_MAX_SHOWN]]
    ellipsis_line = ["  ..."] if len(indices) > _MAX_SHOWN else []
    head = f"{len(indices)} of the {values.size} element(s) are {problem}. {title}:"
    raise AssertionError("\n".join([head, *lines, *ellipsis_line]))
