"""All members of the objects returned by recorded calls: each public method, called with arguments chosen by name, and
each property. `ci/record calls --members` writes TensorFlow's results.
"""

import inspect
import json

from ci.commands.upstream import call_kinds
from tests.conformance.recorded_calls import decoding, options

MAX_MEMBERS = 40  # per object
MATRIX = {"tensor": "float32", "s": [2, 3], "v": [0.1, 0.2, 0.3, 0.4, 0.5, 0.9]}
OTHER_MATRIX = {"tensor": "float32", "s": [2, 3], "v": [0.6, 0.1, 0.3, 0.2, 0.7, 0.4]}
IMAGES = {"tensor": "float32", "s": [2, 4, 5, 3], "drawn": [0, 1]}
SERIES = {"tensor": "float32", "s": [2, 4, 3], "drawn": [0, 1]}
VECTOR = {"tensor": "float32", "s": [2], "v": [0.25, 0.5]}
FLOAT = {"dtype": "float32"}
_INPUTS = [MATRIX, SERIES, IMAGES, VECTOR]
# Values for required arguments, by name.
GIVEN = {
    **dict.fromkeys(("x", "value", "inputs", "input", "input_", "tensor", "features"), _INPUTS),
    **dict.fromkeys(("y", "logits", "values", "event", "rhs", "labels"), [VECTOR, MATRIX]),
    **dict.fromkeys(
        ("shape", "input_shape", "inputs_shape"),
        [
            {"tuple": [2, 3]},
            {"tuple": [None, 4, 3]},
            {"tuple": [None, 4, 5, 3]},
            {"shape": [None, 3]},
        ],
    ),
    "n": [2],
    "sample_shape": [[2]],
    "name": ["given"],
    "y_true": [MATRIX],
    "y_pred": [OTHER_MATRIX],
    "batch_size": [2],
    "dtype": [FLOAT],
    "key": ["a"],
    "event_ndims": [0, 1],
    "index": [0],
    "count": [2],
    "predicate": [],
}
_SKIPPED = {"mro", "graph", "op", "session", "variables_initializer"}


def varied(tf, groups):
    """Records: the members of objects returned by calls of `groups`."""
    found = {}
    for record in _objects(groups):
        for other in _members(tf, record):
            found[json.dumps(other, sort_keys=True)] = None
    return [json.loads(text) for text in found]


def _objects(groups):
    """For each function or class that returns an object, the call with most arguments."""
    found = {}
    for calls in groups.values():
        for _, record, wanted in calls:
            for call, _ in options.calls_of(record):
                if call is record and not (wanted.get("gave") == "an object"):
                    continue
                if "error" in wanted and call is record:
                    continue
                name = call_kinds.full_name(call)
                many = len(call.get("a", ())) + len(call.get("k", {}))
                order = (-many, len(json.dumps(call)))
                if name not in found or order < found[name][0]:
                    found[name] = (order, call)
    return [found[name][1] for name in sorted(found)]


def _members(tf, record):
    """Calls each public method of an object and reads its properties."""
    try:
        with tf.Graph().as_default():
            function, arguments, named = decoding.called(tf, record)
            made = function(*arguments, **named)
    except Exception:  # an object that cannot be created has no members
        return
    if isinstance(made, (tf.Tensor, tf.Operation, tf.Variable, tf.data.Dataset, list, tuple, dict)):
        return
    number = 0
    for name in sorted(set(dir(type(made)))):
        if name.startswith("_") and name != "__call__" or name in _SKIPPED:
            continue
        member = getattr(type(made), name)
        if not callable(member):
            calls = [{"f": "." + name, "o": {"call": record}, "p": True}]
        else:
            calls = list(_calls_of(member, name, record))
        number += len(calls)
        if number > MAX_MEMBERS:
            return
        yield from calls


def _calls_of(member, name, record):
    try:
        parameters = list(inspect.signature(member).parameters.values())
    except ValueError:
        return
    if parameters and parameters[0].name in ("self", "_self"):
        parameters = parameters[1:]
    needed = [p for p in parameters if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD]
    if any(p.name not in GIVEN for p in needed):
        return
    for number in range(max((len(GIVEN[p.name]) for p in needed), default=1)):
        given = [GIVEN[p.name][min(number, len(GIVEN[p.name]) - 1)] for p in needed]
        yield {"f": "." + name, "o": {"call": record}, **({"a": given} if given else {})}
