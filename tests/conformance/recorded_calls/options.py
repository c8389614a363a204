"""Recorded calls with one argument added or replaced: values that no recorded call passes, negative and invalid ones.
`ci/record calls --options` writes TensorFlow's results.
"""

import inspect
import json

from ci.commands.upstream import call_kinds
from tests.conformance.recorded_calls import decoding

INITIALIZER = {"call": {"f": "tf.constant_initializer", "a": [0.5]}}
REGULARIZER = {"call": {"f": "tf.keras.regularizers.l2", "a": [0.1]}}
# Other values of arguments whose default does not indicate any, by the end of the argument's name.
OTHERS = [
    ("initializer", [INITIALIZER]),
    ("regularizer", [REGULARIZER]),
    ("constraint", [{"call": {"f": "tf.keras.constraints.NonNeg"}}]),
    ("activation", [{"name": "tf.nn.relu"}, "tanh", "some"]),
    ("activation_fn", [{"name": "tf.nn.relu"}]),
    ("normalizer_fn", [{"name": "tf.contrib.layers.layer_norm"}]),
    ("collections", [["c"]]),
    ("collection", ["c"]),
    ("dtype", [{"dtype": "float64"}, {"dtype": "int32"}, {"dtype": "string"}]),
    ("type", [{"dtype": "int64"}, {"dtype": "int32"}, {"dtype": "float64"}]),
    ("seed", [3]),
    ("axis", [0, -1, 9]),
    ("dim", [0, -1, 9]),
    ("axes", [[0], [9]]),
    ("dims", [True, 1]),
    ("indices", [[0], 0, [-1]]),
    ("weights", [2.0, [1.0, 0.0]]),
    ("weight", [2.0]),
    ("shape", [[2], [None], []]),
    ("name", ["given", "a/b", "not valid"]),
    ("scope", ["given"]),
    ("combiner", ["sum", "sqrtn", "some"]),
    ("padding", ["VALID", "SAME", "valid", "same", "SOME"]),
    ("data_format", ["NHWC", "NCHW", "channels_first", "channels_last", "SOME"]),
    ("strategy", ["div", "mod", "some"]),
    ("reduction", ["none", "sum", "some"]),
    ("mode", ["some", "max", "REFLECT"]),
    ("rate", [2, 0.5]),
    ("norm", [1.0]),
    ("value", [0, 1.5]),
    ("step", [{"variable": "int64", "resource": False, "s": [], "v": [3]}]),
    ("lengths", [[1, 1], [1]]),
    ("length", [[1, 1], [1], 1]),
    ("mask", [[True, False], True]),
    ("size", [1, 2, 0, [2, 2]]),
    ("state", [0]),
    ("names", [["one", "two"]]),
]
MAX = 24  # calls per function


def varied(tf, groups):
    """Records: calls of `groups` with one argument changed."""
    bases, given = {}, {}
    for calls in groups.values():
        for _, record, wanted in calls:
            for call, _ in calls_of(record):
                given.setdefault(call_kinds.full_name(call), []).append(call)
            if "error" in wanted:
                continue
            for call, changed in calls_of(record):
                # Its nodes reveal more than the object.
                order = ("nodes" not in wanted, call is not record)
                many = len(call.get("a", ())) + len(call.get("k", {}))
                # The shortest, and the one with most arguments.
                for kind, size in enumerate((len(json.dumps(record)), -many)):
                    key = (call_kinds.full_name(call), kind)
                    if key not in bases or (*order, size) < bases[key][0]:
                        bases[key] = ((*order, size), call, changed)
    found = {}
    for name, kind in sorted(bases):
        _, call, changed = bases[name, kind]
        try:
            of_call = parameters(tf, call)
        except (AttributeError, TypeError, ValueError):
            continue  # without a signature: a namedtuple, or a C function
        for other in list(others(call, of_call, given[name]))[:MAX]:
            found[json.dumps(changed(other), sort_keys=True)] = None
    # In file order, the order in which a call creates them.
    return [json.loads(text) for text in found]


def calls_of(record):
    """The call of a record and the call that creates its object, each with a function that replaces it."""
    yield record, lambda other: other
    on = record.get("o", {}).get("call")
    if on:
        for call, changed in calls_of(on):
            yield (
                call,
                lambda other, changed=changed: dict(record, o={"call": changed(other)}),
            )


def parameters(tf, record):
    """The parameters of a record's callee, in order; those after `*` by keyword."""
    if "o" in record:
        with tf.Graph().as_default():
            function = decoding.called(tf, record)[0]
    else:
        function = decoding.public(tf, record["f"])
    if inspect.isclass(function):
        function = function.__init__
        parameters = list(inspect.signature(function).parameters.values())[1:]
    else:
        parameters = list(inspect.signature(function).parameters.values())
    return [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def others(record, parameters, calls):
    """Calls with an argument that no call passes, alternating with those that change a value."""
    positional = [p.name for p in parameters if p.kind != p.KEYWORD_ONLY]
    for p in parameters:
        values = [_given(each, positional, p.name) for each in calls]
        values = [json.dumps(value[0]) for value in values if value]
        now = _given(record, positional, p.name)
        if now:
            others = _wrong(now[0])
        elif p.default is p.empty:
            continue
        else:
            others = [v for v in _other(p.name, p.default) if v is not p.default]
        for value in others:
            if json.dumps(value) in values:
                continue
            place = positional.index(p.name) if p.name in positional else -1
            if 0 <= place < len(record.get("a", ())):
                arguments = list(record["a"])
                arguments[place] = value
                yield dict(record, a=arguments)
            else:
                yield dict(record, k=dict(record.get("k", {}), **{p.name: value}))


def _given(record, positional, name):
    """A list of the value that a call passes for an argument, or an empty one."""
    if name in record.get("k", {}):
        return [record["k"][name]]
    arguments = record.get("a", ())
    return [a for p, a in zip(positional, arguments) if p == name]


def _other(name, default):
    """Other values of an argument with a default."""
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int):
        return [default + 1, -1 if default > 0 else -2, 0]
    if isinstance(default, float):
        return [default * 0.5 if default else 0.5, -1.0]
    for end, values in OTHERS:
        if name == end or name.endswith("_" + end) or name.endswith(end) and len(end) > 4:
            return values
    return (
        ["some"]
        if isinstance(default, str)
        else [2, True, {"tensor": "float32", "s": [2], "v": [1, 2]}]
    )


def _wrong(value):
    """Invalid values similar to a passed one: at the limit, too few, of another kind."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, -1, value + 1]
    if isinstance(value, float):
        return [-1.0, 0.0]
    if isinstance(value, str):
        return ["some", ""]
    if isinstance(value, list) and value:
        others = [[*value[:-1], each] for each in _wrong(value[-1])]
        return [value[:-1], value + value[-1:], *others]
    if isinstance(value, dict) and value.get("tuple"):
        return [{"tuple": each} for each in _wrong(value["tuple"])]
    if isinstance(value, dict) and ("tensor" in value or "array" in value):
        return [None, 3]
    return []
