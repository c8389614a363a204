"""Recorded calls with other inputs: another dtype, unknown shapes, empty, NaN, tensors instead of lists. `ci/record
calls --inputs` writes TensorFlow's results.
"""

import json

WIDER = {"float32": "float64", "int32": "int64"}
MAX_BASES = 3  # per function


def varied(tf, groups):
    """Records: calls of `groups` with other inputs."""
    found = {}
    for record in bases(groups, MAX_BASES):
        for other in _with_other_inputs(record):
            found[json.dumps(other, sort_keys=True)] = None
    return [json.loads(text) for text in found]


def bases(groups, number):
    """Error-free calls of each function or method: the one with most arguments, then dissimilar ones by length."""
    of_function = {}
    for calls in groups.values():
        for name, record, wanted in calls:
            if "error" not in wanted and "nodes" in wanted:
                of_function.setdefault(name, []).append(record)
    found = []
    for name in sorted(of_function):
        records = sorted(of_function[name], key=_size)
        step = max(1, len(records) // number)
        found += records[::-step][:number]
    return found


def _size(record):
    text = json.dumps(record)
    return len(record.get("a", ())) + len(record.get("k", {})), -len(text), text


def _with_other_inputs(record):
    for change in (_wider, _unknown_rank, _unknown_sizes, _empty, _with_nan, as_tensors):
        other = _changed(record, change)
        if other != record:
            yield other


def _changed(value, change):
    if change is as_tensors and is_numbers(value):
        return as_tensors(value)
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    if ("tensor" in value or "array" in value or "variable" in value) and "s" in value:
        return change(value)
    if isinstance(value.get("dtype"), str):
        return {"dtype": WIDER.get(value["dtype"], value["dtype"])} if change is _wider else value
    return {
        key: [_changed(one, change) for one in each] if key == "a" else _changed(each, change)
        for key, each in value.items()
    }


def _kind(value):
    return next(kind for kind in ("tensor", "array", "variable") if kind in value)


def _wider(value):
    kind = _kind(value)
    return {**value, kind: WIDER.get(value[kind], value[kind])}


def _unknown_rank(value):
    return {**value, "static": None} if "tensor" in value else value


def _unknown_sizes(value):
    return {**value, "static": [None] * len(value["s"])} if "tensor" in value else value


def _empty(value):
    if not value["s"]:
        return value
    kept = {key: each for key, each in value.items() if key not in ("drawn", "static")}
    return {**kept, "s": [0, *value["s"][1:]], "v": []}


def _with_nan(value):
    if not value[_kind(value)].startswith("float") or not value.get("v"):
        return value
    return {**value, "v": [*value["v"][:-1], "nan"]}


def is_numbers(value):
    """Whether a list contains floats, or lists of equal length of floats."""
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(each, float) for each in value):
        return True
    return all(map(is_numbers, value)) and len(set(map(len, value))) == 1


def as_tensors(value):
    """A list of floats as a tensor with a shape known only at run time; for a tensor, its value as an array."""
    if isinstance(value, list):
        shape, flat = [], value
        while isinstance(flat[0], list):
            shape.append(len(flat))
            flat = [each for part in flat for each in part]
        shape.append(len(flat) // _product(shape))
        return {"tensor": "float32", "s": shape, "v": flat, "static": [None] * len(shape)}
    if "tensor" not in value or value["tensor"] in ("string", "bfloat16"):
        return value
    return {
        "array": value["tensor"],
        **{key: value[key] for key in ("s", "v", "drawn") if key in value},
    }


def _product(sizes):
    found = 1
    for size in sizes:
        found *= size
    return found
