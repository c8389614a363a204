"""Readable differences between two records of a program (see recording.py)."""

import re

import numpy as np

from tests.support.programs.traced_names import normalize

NUMPY_OF_ENUM = {
    1: "f4", 2: "f8", 3: "i4", 4: "u1", 5: "i2", 6: "i1", 7: "O", 8: "c8", 9: "i8", 10: "?",
    14: "u2", 17: "u2", 18: "c16", 19: "u2", 22: "u4", 23: "u8",
}  # fmt: skip
# Python 3.12 prints OrderedDicts as `OrderedDict({...})`.
ORDERED_DICT = re.compile(r"OrderedDict\(\[(.*?)\]\)")
COUNTED = re.compile(r"(pyfunc_|IdentityN-|CustomGradient-)(\d+)")
SHORT = 100  # bytes of an attr whose text is kept
_TEXTS = {}  # by serialized bytes: types, flags, shapes, small constants, which most nodes have


def differences(want, got, graph_def_class, tolerance=1e-5):
    """Lines describing the differences: nodes, shapes, collections, facts, and values."""
    return [
        *graph_differences(want["graph"], got["graph"], graph_def_class),
        *mapping_differences("outputs of", want["outputs"], got["outputs"]),
        *mapping_differences("collection", want["collections"], got["collections"]),
        *fact_differences(want["facts"], got["facts"]),
        *step_differences(want["steps"], got["steps"], tolerance),
    ]


def graph_differences(want, got, graph_def_class):
    """Compares graphs node by node: name, op, ordered inputs, control inputs, device and attrs; then everything
    else.
    """
    is_counted = any(COUNTED.search(data.decode("latin1")) for data in (want, got))
    want, got = (graph_def_class.FromString(data) for data in (want, got))
    for graph in (want, got):
        normalize(graph)
    wanted, actual = want.node, got.node
    if not is_counted:  # what follows renumbers the counters of all nodes
        wanted, actual = _without_equal(wanted, actual)
    wanted, actual = describe_nodes(wanted), describe_nodes(actual)
    lines = [f"missing node {name}: {wanted[name]['op']}" for name in wanted if name not in actual]
    lines += [f"extra node {name}: {actual[name]['op']}" for name in actual if name not in wanted]
    for name in wanted:
        if name in actual and wanted[name] != actual[name]:
            lines += node_differences(name, wanted[name], actual[name])
    if not lines and list(wanted) != list(actual):
        first = next(pair for pair in zip(wanted, actual) if pair[0] != pair[1])
        lines.append(f"nodes in another order: {first[0]} expected, {first[1]} stands there")
    if want.versions != got.versions:
        lines.append(f"versions: expected {one_line(want.versions)}, got {one_line(got.versions)}")
    return lines + library_differences(want.library, got.library)


def _without_equal(wanted, actual):
    """Two lists of nodes without those that are equal and at the same place: their texts take most of the time."""
    common = min(len(wanted), len(actual))
    pairs = [pair for pair in zip(wanted, actual) if pair[0] != pair[1]]
    return (
        [*(one for one, _ in pairs), *wanted[common:]],
        [*(other for _, other in pairs), *actual[common:]],
    )


def library_differences(want, got):
    """Compares libraries function by function; TensorFlow leaves their order unspecified."""
    expected, actual = (
        {function.signature.name: function for function in library.function}
        for library in (want, got)
    )
    lines = [f"missing function {name}" for name in expected if name not in actual]
    lines += [f"extra function {name}" for name in actual if name not in expected]
    for name in expected:
        if name in actual:
            lines += function_differences(name, expected[name], actual[name])
    pairs = [sorted(encode(pair) for pair in library.gradient) for library in (want, got)]
    return lines + ["the gradients of functions differ" for _ in [0] if pairs[0] != pairs[1]]


def function_differences(name, want, got):
    """Compares functions node by node, and their other fields."""
    expected, actual = describe_nodes(want.node_def), describe_nodes(got.node_def)
    keys = [*expected, *(key for key in actual if key not in expected)]
    lines = [
        f"function {name}: node {key}: expected {expected.get(key)}, got {actual.get(key)}"
        for key in keys
        if expected.get(key) != actual.get(key)
    ]
    if not lines and list(expected) != list(actual):
        lines.append(f"function {name}: its nodes stand in another order")
    for message in (want, got):
        message.ClearField("node_def")
    if encode(want) != encode(got):
        lines.append(f"function {name}: expected {one_line(want)}, got {one_line(got)}")
    return lines


def describe_nodes(graph_nodes):
    """The nodes as {name: {"op": .., "device": .., "inputs": .., "attr NAME": ..}}."""
    numbers = {}
    nodes = {}
    for node in graph_nodes:
        row = {"op": node.op, "device": node.device, "inputs": list(node.input)}
        for key, attr in sorted(node.attr.items()):
            row["attr " + key] = decode_attr(attr, numbers)
        nodes[node.name] = row
    return nodes


def node_differences(name, want, got):
    keys = [*want, *(key for key in got if key not in want)]
    return [
        f"node {name}: {key}: expected {want.get(key, 'nothing')}, got {got.get(key, 'nothing')}"
        for key in keys
        if want.get(key) != got.get(key)
    ]


def decode_attr(attr, numbers):
    """An attr value as text: tensors by element, process-wide counters renumbered."""
    kind = attr.WhichOneof("value")
    if kind == "s":
        text = attr.s.decode("latin1")

        def renumber(match):
            return f"{match[1]}#{numbers.setdefault(match[0], len(numbers))}"

        return repr(COUNTED.sub(renumber, text))
    key = encode(attr)
    text = _TEXTS.get(key)
    if text is None:
        text = tensor_text(attr.tensor) if kind == "tensor" else one_line(attr)
        if len(key) <= SHORT:
            _TEXTS[key] = text
    return text


def tensor_text(proto):
    """Dtype, shape and elements of a TensorProto, independent of its packing."""
    shape = [dim.size for dim in proto.tensor_shape.dim]
    size = int(np.prod(shape))
    if proto.dtype not in NUMPY_OF_ENUM:
        return one_line(proto)
    dtype = np.dtype(NUMPY_OF_ENUM[proto.dtype])
    if proto.tensor_content:
        flat = np.frombuffer(proto.tensor_content, dtype)
    else:
        field = next((f for f, _ in proto.ListFields() if f.name.endswith("_val")), None)
        flat = np.array(list(getattr(proto, field.name)) if field else [], dtype)
        if dtype.kind == "c":
            halves = np.array(list(getattr(proto, field.name)) if field else [])
            flat = (halves[::2] + 1j * halves[1::2]).astype(dtype)
        if size and not flat.size:
            flat = np.zeros(1, dtype)
        flat = np.concatenate([flat, np.repeat(flat[-1:], max(0, size - flat.size))])
    return f"{dtype.name}{shape} {flat.tolist()}"


def encode(message):
    return message.SerializeToString(deterministic=True)


def one_line(message):
    return " ".join(str(message).split()) or "(empty)"


def mapping_differences(what, want, got):
    keys = [*want, *(key for key in got if key not in want)]
    return [
        f"{what} {key}: expected {want.get(key, 'nothing')}, got {got.get(key, 'nothing')}"
        for key in keys
        if want.get(key) != got.get(key)
    ]


def fact_differences(want, got):
    keys = [*want, *(key for key in got if key not in want)]
    return [
        f"fact {key!r}: {line}"
        for key in keys
        for line in value_differences(want.get(key), got.get(key), 1e-6, "")
    ]


def step_differences(want, got, tolerance):
    lines = [f"steps: expected {len(want)}, got {len(got)}" for _ in [0] if len(want) != len(got)]
    for i, (expected, made) in enumerate(zip(want, got)):
        details = value_differences(expected["value"], made["value"], tolerance, "")
        lines += [f"step {i} {expected['label']!r}{line}" for line in details[:5]]
    return lines


def value_differences(want, got, tolerance, where):
    """Differences between two values encoded by recording.plain."""
    if isinstance(want, dict) and isinstance(got, dict) and "dtype" in want and "dtype" in got:
        return array_differences(want, got, tolerance, where)
    if isinstance(want, dict) and isinstance(got, dict) and want.keys() == got.keys():
        pairs = [(f"{where}", want[key], got[key]) for key in want]
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        pairs = [(f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(want, got))]
    elif isinstance(want, float) and isinstance(got, float):
        same = close(np.array(want), np.array(got), tolerance)
        return [] if same else [f"{where}: expected {want!r}, got {got!r}"]
    else:
        same = want == got or newer_repr(want) == newer_repr(got)
        return [] if same else [f"{where}: expected {want!r}, got {got!r}"]
    return [line for path, a, b in pairs for line in value_differences(a, b, tolerance, path)]


def newer_repr(value):
    """Text with OrderedDicts as printed by Python 3.12; other values unchanged."""

    def as_braces(match):
        return "OrderedDict({" + re.sub(r"\((\w+), (.*?)\)(?=, \(\w|$)", r"\1: \2", match[1]) + "})"

    return ORDERED_DICT.sub(as_braces, value) if isinstance(value, str) else value


def array_differences(want, got, tolerance, where):
    heads = [(a["kind"], a["dtype"], a["shape"]) for a in (want, got)]
    if heads[0] != heads[1]:
        return [f"{where}: expected {heads[0]}, got {heads[1]}"]
    if want["data"] == got["data"]:
        return []
    inexact = want["dtype"].startswith(("float", "bfloat", "complex"))
    a, b = (np.array(x["data"], float) if inexact else x["data"] for x in (want, got))
    if inexact and close(a, b, tolerance):
        return []
    if inexact:
        wrong = ~np.isclose(a, b, rtol=tolerance, atol=0, equal_nan=True)
        first = int(np.flatnonzero(wrong.ravel())[0])
        return [
            f"{where}: {int(wrong.sum())} of {wrong.size} elements differ, element {first}:"
            f" expected {a.ravel()[first]!r}, got {b.ravel()[first]!r}"
        ]
    first = next(i for i, pair in enumerate(zip(a, b)) if pair[0] != pair[1])
    return [f"{where}: element {first}: expected {a[first]!r}, got {b[first]!r}"]


def close(want, got, tolerance):
    """Whether values agree within a tolerance relative to the element or, if larger, a tenth of the array's maximum.

    Values that are zero up to float32 rounding (the gradient of a bias before a batch norm) have an absolute
    tolerance: 1e-8 is a sixth of that rounding at 1.
    """
    finite = np.isfinite(want)
    if not np.array_equal(want[~finite], got[~finite], equal_nan=True):
        return False
    want, got = want[finite], got[finite]
    if not want.size:
        return True
    scale = np.maximum(np.abs(want), 0.1 * np.abs(want).max())
    return bool(np.all(np.abs(got - want) <= tolerance * scale + (1e-8 if tolerance else 0)))
