"""`export --onnx MODEL SOURCE`: a checkpoint, SavedModel or frozen graph for ONNX Runtime."""

from __future__ import annotations

import argparse
import logging
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.errors import OpError, invalid
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.programs.cli.file_type import detect_contents
from tfmini._src.programs.cli.keras_files import inference_graph
from tfmini._src.programs.cli.onnx_refusals import UnconvertedNodes, refusal
from tfmini._src.programs.cli.onnx_rewrites import replace_erfc
from tfmini._src.programs.cli.printable import complain
from tfmini._src.programs.hook.import_finder import install
from tfmini._src.saved_model.frozen_graph import (
    Frozen,
    freeze_session,
    from_checkpoint,
    from_graph_def,
    from_saved_model,
)
from tfmini._src.saved_model.raw_features import replace_parse_example
from tfmini._src.session.session import Session

_MAX_DIFFERENCE = 1e-3  # relative difference above which the export fails
_UNKNOWN = 2  # size of unknown dimensions when comparing results


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `--onnx`."""
    parser.add_argument(
        "--inputs",
        metavar="NAMES",
        help="with --onnx and --saved-model: comma-separated tensors to feed; with --onnx each with a shape if the "
        "graph has none, and with a value for the comparison: 'x[?,2],keep_prob[]=0.5'. Other placeholders that the "
        "outputs need become inputs too. A scalar defaults to 1, or False",
    )
    parser.add_argument(
        "--outputs",
        metavar="NAMES",
        help="with --onnx and --saved-model: comma-separated result tensors; by default the one that `inspect` lists",
    )
    parser.add_argument(
        "--signature", metavar="KEY", help="signature of a SavedModel (serving_default)"
    )
    parser.add_argument("--opset", type=int, metavar="N", help="ONNX operator set version")


def run(arguments: argparse.Namespace) -> int:
    """Converts the model and prints the results; returns the exit status."""
    try:
        frozen = _freeze(arguments)
        for role, names in (("input", frozen.inputs), ("output", frozen.outputs)):
            print(f"{role}s: {', '.join(names)}")
        install(strict=True)
        model = convert(frozen, arguments.opset)
        values = {name: value for name, (_, value) in parse_tensor_names(arguments.inputs).items()}
        gap, feeds = difference(frozen, model, values)
    except KeyError as error:  # raised for a tensor name, which str() would quote
        complain("export", error.args[0])
        return 1
    except (OpError, ImportError, OSError, ValueError) as error:
        complain("export", getattr(error, "message", None) or error)
        return 1
    scalars = ", ".join(f"{name}={value}" for name, value in feeds.items() if not value.shape)
    where = f"random inputs and {scalars}" if scalars else "random inputs"
    text = f"maximum difference from tfmini on {where} is {gap:.1e}"
    if not gap <= _MAX_DIFFERENCE:  # also rejects NaN
        complain(
            "export",
            f"{text}, more than float32 rounding explains; {arguments.onnx} is not written",
        )
        return 1
    with open(arguments.onnx, "wb") as file:
        file.write(model)
    print(f"{arguments.onnx}: {text}")
    return 0


def parse_tensor_names(text: str | None) -> dict[str, tuple[list[int] | None, float | None]]:
    """Parses tensor names with an optional shape (-1 for `?`) and value: `x[?,2]`, `keep_prob[]=0.5`."""
    names: dict[str, tuple[list[int] | None, float | None]] = {}
    pattern = r"([^\s,\[=]+)\s*(\[[^\]]*\])?\s*(?:=\s*([^\s,]+))?"
    for name, shape, value in re.findall(pattern, text or ""):
        sizes = [-1 if size == "?" else int(size) for size in re.findall(r"[^][\s,]+", shape)]
        names[name if ":" in name else f"{name}:0"] = (
            sizes if shape else None,
            _parse_number(value) if value else None,
        )
    return names


def _parse_number(text: str) -> float:
    return float({"true": "1", "false": "0"}.get(text.lower(), text))


def _freeze(arguments: argparse.Namespace) -> Frozen:
    input_names = parse_tensor_names(arguments.inputs)
    frozen = replace_parse_example(
        _frozen_graph(arguments, list(input_names), list(parse_tensor_names(arguments.outputs)))
    )
    nodes = {node.name: node for node in frozen.graph_def.node}
    without = []
    for name in frozen.inputs:
        shape = nodes[name.partition(":")[0]].attr["shape"].shape
        sizes, _ = input_names.get(name, (None, None))
        if sizes is not None:
            shape.Clear()
            shape.dim.extend(type(shape).Dim(size=size) for size in sizes)
            for node in frozen.graph_def.node:
                node.attr.pop("_output_shapes", None)  # determined by the inputs' shapes
        elif shape.unknown_rank:
            without.append(name)
    if without:
        example = ",".join(f"{name.removesuffix(':0')}[...]" for name in without)
        invalid(
            f"unknown shape of {', '.join(without)}: pass --inputs '{example}' with sizes "
            "such as [?,10], or [] for a scalar"
        )
    return frozen


def _frozen_graph(arguments: argparse.Namespace, inputs: list[str], outputs: list[str]) -> Frozen:
    contents = detect_contents(arguments.source)
    if contents.kind == "saved_model":
        return from_saved_model(
            contents.path, arguments.signature or "serving_default", inputs, outputs
        )
    if contents.kind == "checkpoint":
        return from_checkpoint(contents.path, inputs, outputs)
    if contents.kind == "graph":
        return from_graph_def(contents.value, inputs, outputs)
    if contents.kind in ("hdf5", "keras_archive"):
        with inference_graph.keras_model(contents.path) as live:
            return freeze_session(live.session, inputs or live.inputs, outputs or live.outputs)
    description = contents.kind.replace("_", " ")
    invalid(
        f"{arguments.source} is not a checkpoint, SavedModel, frozen graph or Keras model but {description}"
    )


def convert(frozen: Frozen, opset: int | None) -> bytes:
    """Returns the serialized ONNX model.

    Raises:
      ImportError: if tf2onnx is not installed.
      ValueError: for ops without an ONNX equivalent.
    """
    try:
        import onnx  # type: ignore  # noqa: PLC0415
        import tf2onnx  # type: ignore  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(f"{error}: pip install 'tfmini-runtime[onnx]'") from None
    converter, unconverted = logging.getLogger("tf2onnx"), UnconvertedNodes()
    converter.setLevel(logging.ERROR)
    converter.propagate = False
    converter.addHandler(unconverted)
    level = logs.get_verbosity()
    logs.set_verbosity(logs.ERROR)
    try:
        model, _ = tf2onnx.convert.from_graph_def(
            replace_erfc(frozen.graph_def),
            input_names=frozen.inputs,
            output_names=frozen.outputs,
            opset=opset,
        )
    except Exception as error:  # of any class, because later passes fail on unconverted nodes
        if unconverted.ops:
            raise ValueError(refusal(unconverted.ops)) from error
        raise
    finally:
        logs.set_verbosity(level)
        converter.removeHandler(unconverted)
    unknown = {
        node.name: node.op_type
        for node in model.graph.node
        if not onnx.defs.has(node.op_type, node.domain)
    }
    if unknown:
        raise ValueError(refusal(unknown))
    return model.SerializeToString()


def difference(
    frozen: Frozen, model: bytes, values: Mapping[str, float | None]
) -> tuple[float, Mapping[str, np.ndarray]]:
    """Returns ONNX Runtime's largest difference from tfmini, relative to each output's maximum, and the feeds."""
    try:
        import onnxruntime  # type: ignore  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(f"{error}: pip install 'tfmini-runtime[onnx]'") from None
    graph = Graph()
    with graph.as_default():
        import_graph_def(frozen.graph_def, name="")
    feeds = random_feeds(graph, frozen.inputs, values)
    with Session(graph=graph) as session:
        expected = session.run(frozen.outputs, feeds)
    runtime = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    names = {source.name for source in runtime.get_inputs()}
    actual = runtime.run(
        frozen.outputs, {key: value for key, value in feeds.items() if key in names}
    )
    return float(np.max([_gap(*pair) for pair in zip(actual, expected)], initial=0)), feeds


def random_feeds(
    graph: Graph, names: list[str], values: Mapping[str, float | None]
) -> Mapping[str, np.ndarray]:
    """Returns random feeds: normally distributed floats, zeros and ones for integers, letters for strings.

    Scalars, e.g. a dropout probability or a training flag, are 1 or False unless in `values`.
    """
    rng = np.random.default_rng(0)
    feeds: dict[str, np.ndarray] = {}
    for name in names:
        tensor = graph.get_tensor_by_name(name)
        dims = [_UNKNOWN if size is None else size for size in tensor._dims or ()]
        value = values.get(name)
        if value is None and not dims and tensor.dtype is not dtypes.string:
            value = float(tensor.dtype is not dtypes.bool)
        if value is not None:
            feeds[name] = np.full(dims, value).astype(tensor.dtype.as_numpy_dtype)
        elif tensor.dtype is dtypes.string:
            feeds[name] = np.full(dims, "a", object)
        elif tensor.dtype.is_floating:
            feeds[name] = rng.standard_normal(dims).astype(tensor.dtype.as_numpy_dtype)
        else:
            feeds[name] = rng.integers(0, 2, dims).astype(tensor.dtype.as_numpy_dtype)
    return feeds


def _gap(actual: Any, want: Any) -> float:
    actual, want = np.asarray(actual), np.asarray(want)
    if actual.shape != want.shape:
        raise ValueError(
            f"ONNX Runtime returns shape {actual.shape}, but tfmini returns {want.shape}"
        )
    if want.dtype.kind not in "fiub":
        return float(actual.tolist() != want.tolist())
    gap = np.abs(actual.astype("d") - want.astype("d")).max(initial=0)
    return float(gap / max(np.abs(want.astype("d")).max(initial=0), 1e-30))
