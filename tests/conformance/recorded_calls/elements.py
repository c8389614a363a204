"""Recorded calls with other elements of tensors, arrays and number lists: negative, all 0, all equal, reversed.
`ci/record calls --elements` writes TensorFlow's results.
"""

import json

from tests.conformance.recorded_calls import inputs

# Keys of call arguments and of composite tensors' components.
_WITHIN = ("a", "k", "o", "call", "tuple", "dict", "sparse", "sparse_value", "slices", "ragged")
_ARRAYS = ("tensor", "array", "variable")
MAX_BASES = 3  # per function


def varied(tf, groups):
    """Records: calls of `groups` with other elements."""
    found = {}
    for record in inputs.bases(groups, MAX_BASES):
        for change in (_below_zero, _zeros, _equal, _reversed):
            other = _changed(record, change)
            if other != record:
                found[json.dumps(other, sort_keys=True)] = None
    return [json.loads(text) for text in found]


def _changed(value, change):
    if isinstance(value, list):
        if _is_flat(value):
            return change(value)
        return [_changed(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    if any(kind in value for kind in _ARRAYS):
        is_known = _is_flat(value.get("v")) and not (change is _below_zero and _is_unsigned(value))
        return {**value, "v": change(value["v"])} if is_known else value
    return {key: _within(key, each, change) for key, each in value.items()}


def _within(key, value, change):
    if key in ("a", "dict"):  # separately: adjacent numbers are not a list
        return [_changed(each, change) for each in value]
    if key == "k":
        return {name: _changed(each, change) for name, each in value.items()}
    return _changed(value, change) if key in _WITHIN else value


def _is_flat(value):
    """Whether it is a flat list of at least two numbers, bools or strings."""
    return (
        isinstance(value, list)
        and len(value) > 1
        and len({type(each) for each in value}) == 1
        and isinstance(value[0], (bool, int, float, str))
    )


def _is_unsigned(value):
    return any(str(value.get(kind)).startswith("uint") for kind in _ARRAYS)


def _below_zero(values):
    if isinstance(values[0], str):
        return values
    if isinstance(values[0], bool):
        return [not each for each in values]
    return [-abs(each) for each in values]


def _zeros(values):
    return values if isinstance(values[0], str) else [type(each)(0) for each in values]


def _equal(values):
    return values[:1] * len(values)


def _reversed(values):
    return values[::-1]
