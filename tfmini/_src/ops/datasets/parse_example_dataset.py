"""Parsing of serialized Examples in datasets, a batch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_value import (
    SHAPES,
    Element,
    Iterator,
    SameSizeDataset,
    WrappingIterator,
    dataset_op,
    scalar_argument,
    set_declared_types,
)
from tfmini._src.ops.operands import dense
from tfmini._src.ops.parsing.parse_example import parse_records

_KEYS = Attr("list(string)", minimum=0)
_TYPE_LIST = Attr("list(type)", minimum=0, allowed=(dtypes.float32, dtypes.int64, dtypes.string))


class _ParseExampleIterator(WrappingIterator):
    def __init__(
        self, inner: Iterator, dense_features: list, sparse_features: list, order: Sequence
    ):
        super().__init__(inner)
        self._dense_features = dense_features
        self._sparse_features = sparse_features
        self._order = order

    def next(self) -> Element | None:
        element = self._inner.next()
        if element is None:
            return None
        array = dense(element[0])
        if array.ndim != 1:
            invalid("input should be a vector of strings")
        results = parse_records(
            list(array), None, False, self._dense_features, self._sparse_features
        )
        count = len(self._sparse_features)
        outputs: dict[str, Any] = {}
        for index, (key, _) in enumerate(self._sparse_features):
            parts = np.empty(3, object)
            for part in range(3):
                parts[part] = dense(results[part * count + index])
            outputs[key] = parts
        for (key, *_), value in zip(self._dense_features, results[3 * count :]):
            outputs[key] = value
        return tuple([outputs[key] for key in self._order])


class ParseExampleDataset(SameSizeDataset):
    """Parses the features of each element, a vector of serialized Examples.

    Its settings are the dense features as (key, dtype, shape, default) tuples, the sparse features as (key, dtype)
    tuples, and the key order in an element.
    """

    keeps_types = False
    iterator, token = _ParseExampleIterator, "/ParseExample"


@dataset_op(
    "ParseExampleDataset",
    "input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense -> handle: variant",
    sparse_keys=_KEYS,
    dense_keys=_KEYS,
    sparse_types=_TYPE_LIST,
    Tdense=_TYPE_LIST,
    dense_shapes=Attr("list(shape)", minimum=0),
    output_types=Attr("list(type)", minimum=1),
    output_shapes=SHAPES,
    sloppy=False,
)
def parse_example_dataset_op(
    ctx,
    input_dataset,
    num_parallel_calls,
    dense_defaults,
    *,
    sparse_keys,
    dense_keys,
    sparse_types,
    Tdense,
    dense_shapes,
):
    calls = scalar_argument(num_parallel_calls, "num_parallel_calls")
    if calls < 1 and calls != -1:
        invalid("num_parallel_calls must be greater than zero.")
    dense_features = list(zip(dense_keys, Tdense, dense_shapes, dense_defaults))
    sparse_features = list(zip(sparse_keys, sparse_types))
    order = sorted([*dense_keys, *sparse_keys])
    return set_declared_types(
        ParseExampleDataset(input_dataset, dense_features, sparse_features, order), ctx
    )
