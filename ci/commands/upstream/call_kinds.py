"""Kinds of recorded calls: calls of one kind differ only in irrelevant numbers."""

import math

OF_A_NAME = ("name", "scope", "shared_name")
OWNERS = {
    "tensor": "tf.Tensor",
    "placeholder": "tf.Tensor",
    "variable": "tf.Variable",
    "sparse": "tf.SparseTensor",
    "slices": "tf.IndexedSlices",
    "ragged": "tf.RaggedTensor",
    "dtype": "tf.DType",
    "shape": "tf.TensorShape",
    "dimension": "tf.Dimension",
}


def owner(encoded):
    """The public class of a method call's object."""
    if "call" in encoded:
        record = encoded["call"]
        return record["f"] if "o" not in record else owner(record["o"]) + record["f"]
    return OWNERS[next(of for of in encoded if of in OWNERS)]


def full_name(record):
    """The dotted name of a record's callee."""
    return (owner(record["o"]) if "o" in record else "") + record["f"]


def namespace(record):
    """The namespace of a record's callee; for a method, of its object's class or function."""
    on = record.get("o", {})
    if "call" in on:
        return namespace(on["call"])
    parts = full_name(record).split(".")[1:-1]
    return ".".join(part for part in parts if part[0].islower()) or "tf"


def kind(record):
    """A key shared by records of which one suffices."""
    named = list(zip(record["n"] + ["*"] * len(record.get("a", ())), record.get("a", ())))
    named += sorted(record.get("k", {}).items())
    parts = [name + "=" + _class(value) for name, value in named if name not in OF_A_NAME]
    on = _class(record["o"]) if "o" in record else ""
    return "{} {}({})".format(full_name(record), on, ",".join(parts))


def _class(value):
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return repr(value) if len(value) < 13 else "text"
    if isinstance(value, list):
        classes = " ".join(sorted(set(map(_class, value))))
        return f"[{min(len(value), 4)} {classes}]"
    for of in ("array", "scalar", "tensor", "variable"):
        if of in value:
            return _array(of, value)
    if "call" in value:
        return "(" + kind(value["call"]) + ")"
    if "placeholder" in value:
        return "placeholder {} {}".format(value["placeholder"], _shape(value["s"]))
    if "shape" in value:
        return "shape " + _shape(value["shape"])
    of = next(iter(value))
    if isinstance(value[of], list):
        return of + "".join(_class(each) for each in value[of])
    return f"{of} {value[of]}"


def _number(value):
    if isinstance(value, float):
        if value != value or math.isinf(value):
            return repr(value)
        size = "0" if value == 0 else "<1" if abs(value) < 1 else "1" if abs(value) == 1 else ">1"
        return "{}{}f".format("-" if value < 0 else "", size)
    return str(value) if -4 < value < 4 else "-int" if value < 0 else "int"


def _shape(dims):
    if dims is None:
        return "?"
    sizes = ["?" if d is None else str(d) if d < 2 else "n" for d in dims]
    return "".join(sorted(set(sizes))) + str(len(dims))


def _array(of, value):
    items = value.get("v", value.get("drawn"))
    flat = [part for each in items for part in (each if isinstance(each, list) else [each])]
    values = [
        float(each)
        for each in flat
        if not isinstance(each, str) or value[of] not in ("object", "S", "U")
    ]
    classes = ""
    if values:
        finite = [each for each in values if math.isfinite(each)]
        classes = "".join(
            mark
            for mark, holds in (
                ("-", any(each < 0 for each in finite)),
                ("0", any(each == 0 for each in finite)),
                ("big", any(abs(each) > 50 for each in finite)),
                ("inf", len(finite) < len(values)),
            )
            if holds
        )
    static = "" if "static" not in value else "static" + _shape(value["static"])
    resource = str(value.get("resource", ""))
    return " ".join((of, value[of], _shape(value["s"]), classes, static, resource))
