"""Recorded calls with inputs of narrower dtypes: half precision, int32 for int64 (row partitions of ragged tensors
too), int16. `ci/record calls --narrower` writes TensorFlow's results.
"""

import json

from tests.conformance.recorded_calls import inputs

_NARROWER = ({"float32": "float16", "float64": "float32"}, {"int64": "int32"}, {"int32": "int16"})
_KINDS = ("tensor", "array", "variable", "scalar", "placeholder", "dtype")
MAX_BASES = 3  # per function


def varied(tf, groups):
    """Records: calls of `groups` with narrower inputs."""
    found = {}
    for record in inputs.bases(groups, MAX_BASES):
        for narrower in _NARROWER:
            other = _changed(record, narrower)
            if other != record:
                found[json.dumps(other, sort_keys=True)] = None
    return [json.loads(text) for text in found]


def _changed(value, narrower):
    if isinstance(value, list):
        return [_changed(each, narrower) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: narrower[each]
        if key in _KINDS and isinstance(each, str) and each in narrower
        else _changed(each, narrower)
        for key, each in value.items()
    }
