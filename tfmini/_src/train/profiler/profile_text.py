"""The text of a profile report, in the format of TensorFlow's profiler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.train.profiler.nodes import ViewEntry

# By selectable column: heading and explanation.
_DOCS = {
    "bytes": "requested bytes: The memory requested by the operation, accumulatively.",
    "peak_bytes": "peak bytes: The peak amount of memory that the operation is holding at some point.",
    "residual_bytes": "residual bytes: The memory not de-allocated after the operation finishes.",
    "output_bytes": (
        "output bytes: The memory that is output from the operation (not necessarilty allocated by the operation)"
    ),
    "micros": "total execution time: Sum of accelerator execution time and cpu execution time.",
    "accelerator_micros": (
        "accelerator execution time: Time spent executing on the accelerator. This is normally measured by the "
        "actual hardware library."
    ),
    "cpu_micros": (
        "cpu execution time: The time from the start to the end of the operation. It's the sum of actual cpu run "
        "time plus the time that it spends waiting if part of computation is launched asynchronously."
    ),
    "params": "param: Number of parameters (in the Variable).",
    "float_ops": (
        "flops: Number of float operations. Note: Please read the implementation for the math behind it."
    ),
    "device": "device: which device is placed on.",
    "op_types": (
        "op_types: The attributes of the operation, includes the Kernel name device placed on and user-defined "
        "strings."
    ),
    "occurrence": "occurrence: The number of times it occurs",
    "input_shapes": "input shape: The shape of input tensors",
}
_VIEWS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
    "code": (
        "code: When python trace is available, the nodes are python lines and their are organized by the python call "
        "stack."
    ),
    "op": (
        "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging to the same type are "
        "aggregated together."
    ),
}
_VIEWS["graph"] = _VIEWS["scope"]  # as in TensorFlow
_AMOUNTS = (
    ("bytes", "requested bytes", "requested_bytes"),
    ("peak_bytes", "peak bytes", "peak_bytes"),
    ("residual_bytes", "residual bytes", "residual_bytes"),
    ("output_bytes", "output bytes", "output_bytes"),
    ("micros", "total execution time", "exec_micros"),
    ("accelerator_micros", "accelerator execution time", "accelerator_exec_micros"),
    ("cpu_micros", "cpu execution time", "cpu_exec_micros"),
)
_NO_STREAM = """

Found accelerator operation but misses accelerator stream stats!

It's likely a gpu tracing issue rather than tf-profiler issue.
If you found your operation missing accelerator time, consider filing a bug to xprof-dev@!

"""


def number(value: int) -> str:
    """Formats a number: `999`, `1.50k`, `2.00m`."""
    for size, unit in ((1, ""), (1000, "k"), (10**6, "m")):
        if value < 1000 * size:
            return f"{value / size:.2f}{unit}" if unit else str(value)
    return f"{value / 10**9:.2f}b"


def memory(value: int) -> str:
    """Formats a number of bytes: `999B`, `1.50KB`, `2.00MB`."""
    if value < 1000:
        return f"{value}B"
    return f"{value / 1000:.2f}KB" if value < 10**6 else f"{value / 10**6:.2f}MB"


def duration(value: int) -> str:
    """Formats a duration in microseconds: `999us`, `1.50ms`, `2.00sec`."""
    if value < 1000:
        return f"{value}us"
    return f"{value / 1000:.2f}ms" if value < 10**6 else f"{value / 10**6:.2f}sec"


def _selected_columns(options: Any) -> set[str]:
    selected = set(options.select)
    return selected | {"accelerator_micros", "cpu_micros"} if "micros" in selected else selected


def _amounts(options: Any) -> list[tuple[str, str, Any]]:
    selected = _selected_columns(options)
    return [
        (heading, name, duration if name.endswith("micros") else memory)
        for option, heading, name in _AMOUNTS
        if option in selected
    ]


def heading(options: Any) -> str:
    """Returns the heading: options, legend and column names."""
    lines = [
        "",
        "=========================Options=============================",
    ]
    for field in options.DESCRIPTOR.fields:
        name = field.name
        if name == "dump_to_file":
            continue
        value = getattr(options, name)
        if name == "select":
            value = ",".join(sorted(value))
        elif name == "output":
            value = _output_text(value)
        elif isinstance(value, bool):
            value = str(value).lower()
        elif not isinstance(value, int | str):
            value = ",".join(value)
        lines.append(f"-{name:<27}{value}")
    return "\n".join(lines)


def _output_text(output: str) -> str:
    output_type, _, rest = output.partition(":")
    return f"{output_type}:{rest}"


def docs(options: Any, view: str) -> str:
    """Returns the explanation of the view and its statistics."""
    lines = ["Doc:", _VIEWS[view]]
    for name in sorted(_DOCS.keys() & options.select):
        lines.append(_DOCS[name])
        if name == "micros":
            lines += [_DOCS["cpu_micros"], _DOCS["accelerator_micros"]]
    return "\n".join(lines)


def warning(nodes: Any) -> str:
    """Returns the warning that GPUs ran nodes without recorded times, or ""."""
    ran = [node for node in nodes if "gpu:" in node.device]
    missing = any(not node.counters["accelerator_exec_micros"] for node in ran)
    return _NO_STREAM if missing else ""


def scope_lines(scope: ViewEntry, options: Any, parent: str = "_kTFScopeParent") -> Iterator[str]:
    """Yields the lines of a scope and its descendants; `parent` is the displayed type of entries that are not nodes."""
    names = ["# parameters"] if "params" in options.select else []
    names += ["# float_ops"] if "float_ops" in options.select else []
    names += [heading for heading, _, _ in _amounts(options)]
    headings = {"device": "assigned devices", "op_types": "op types"}
    headings |= {"occurrence": "op count (run|defined)", "input_shapes": "input shapes"}
    names += [text for option, text in headings.items() if option in options.select]
    yield " | ".join(["node name", *names])
    for entry, indent in _preorder(scope):
        yield f"{' ' * indent}{entry.name} ({', '.join(_scope_parts(entry, options, parent))})"


def _preorder(root: ViewEntry) -> Iterator[tuple[ViewEntry, int]]:
    """Yields the entries of a view with their indentation, in preorder."""
    stack = [(root, 0)]
    while stack:
        entry, indent = stack.pop()
        yield entry, indent
        stack += [(child, indent + 2) for child in reversed(entry.children)]


def call_lines(root: ViewEntry, options: Any) -> Iterator[str]:
    """Yields one line per call."""
    yield _kinds_heading(options)
    for call, indent in _preorder(root):
        yield f"{' ' * indent}{call.name} ({', '.join(_call_parts(call, options))})"


def _call_parts(call: ViewEntry, options: Any) -> Iterator[str]:
    def both(name: str, text: Any) -> str:
        own_total = text(call.own_total(name)) if call.is_counted else "--"
        return f"{own_total}/{text(call.totals[name])}"

    for _, name, text in _amounts(options):
        yield both(name, text)
    if "params" in options.select:
        yield f"{both('parameters', number)} params"
    if "float_ops" in options.select:
        yield f"{both('float_ops', number)} flops"
    devices = sorted({node.device for node in call.nodes})
    if "device" in options.select and devices:
        yield "|".join(devices)
    if "op_types" in options.select:
        yield "|".join(sorted({t for node in call.nodes for t in node.types}))
    for option in ("occurrence", "input_shapes"):
        if option in options.select:
            yield f"{option} N/A in code view"


def _scope_parts(scope: ViewEntry, options: Any, parent: str) -> Iterator[str]:
    def both(name: str, text: Any) -> str:
        own_total = text(scope.own_total(name)) if scope.is_counted else "--"
        return f"{own_total}/{text(scope.totals[name])}"

    node = scope.nodes[0] if scope.nodes else None
    if "params" in options.select:
        if node is not None and node.shape:
            yield "x".join(map(str, node.shape))
        yield f"{both('parameters', number)} params"
    if "float_ops" in options.select:
        yield f"{both('float_ops', number)} flops"
    for _, name, text in _amounts(options):
        yield both(name, text)
    if "device" in options.select:
        if node is not None and node.device:
            yield node.device
    if "op_types" in options.select:
        yield "|".join(sorted(node.types)) if node is not None else parent
    if "occurrence" in options.select:
        own_total = "1" if scope.is_counted else "--"
        yield f"{both('run_count', str)}|{own_total}/{scope.definitions}"
    if "input_shapes" in options.select:
        shapes = node.input_shapes if node is not None else []
        yield "|".join(
            f"{index}:{'x'.join(map(str, dims)) if dims else 'unknown'}"
            for index, dims in enumerate(shapes)
        )


def _kinds_heading(options: Any) -> str:
    names = [heading for heading, _, _ in _amounts(options)]
    names += ["# parameters"] if "params" in options.select else []
    names += ["# float_ops"] if "float_ops" in options.select else []
    headings = {"device": "assigned devices", "op_types": "op types"}
    headings |= {"occurrence": "op occurrence (run|defined)", "input_shapes": "input shapes"}
    names += [text for option, text in headings.items() if option in options.select]
    return " | ".join(["node name", *names])


def kind_lines(root: ViewEntry, op_types: list[ViewEntry], options: Any) -> Iterator[str]:
    """Yields one line per op type."""
    yield _kinds_heading(options)
    for op_type in op_types:
        yield f"{op_type.name:<25}{', '.join(_kind_parts(root, op_type, options))}"


def _kind_parts(root: ViewEntry, op_type: ViewEntry, options: Any) -> Iterator[str]:
    def part(name: str, text: str) -> str:
        total = root.totals[name]
        own_total = op_type.own_total(name)
        amount_texts = (
            (0, 0)
            if name.endswith("bytes") and not own_total
            else (op_type.totals[name], own_total)
        )
        shares = [100 * n / total if total else 0 for n in amount_texts]
        return f"{f'{text} ({shares[0]:.2f}%, {shares[1]:.2f}%)':>30}"

    for _, name, text in _amounts(options):
        yield part(name, text(op_type.own_total(name)))
    if "params" in options.select:
        yield part("parameters", f"{number(op_type.own_total('parameters'))} params")
    if "float_ops" in options.select:
        yield part("float_ops", f"{number(op_type.own_total('float_ops'))} float_ops")
    if "device" in options.select:
        yield "|".join(sorted({node.device for node in op_type.nodes}))
    if "op_types" in options.select:
        yield "|".join(sorted({t for node in op_type.nodes for t in node.types}))
    if "occurrence" in options.select:
        yield f"{op_type.own_total('run_count')}|{len(op_type.nodes)}".rjust(10)
