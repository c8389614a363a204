"""A SavedModel in memory, with signatures that run on arrays."""

from __future__ import annotations

import functools
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, as_dtype
from tfmini._src.base.errors import FailedPreconditionError, InvalidArgumentError, invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.graph.graph import Graph
from tfmini._src.programs.serving.example_signatures import check_form
from tfmini._src.programs.serving.quickness import (
    QUICK_SECONDS,
    SHORT_SECONDS,
    StepDurationEstimate,
)
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
)
from tfmini._src.saved_model.tag_constants import SERVING
from tfmini._src.session.session import Session

Arrays = Mapping[str, np.ndarray]

_INITIALIZERS = "__saved_model_"  # signatures run during loading
_MAX_STEPS = 64  # steps cached per signature, by outputs


class _LoadedModel:
    """A SavedModel's graph for serving, in a session closed with the last reference to this object."""

    def __init__(self, directory: str, threads: int):
        config = proto.ConfigProto(intra_op_parallelism_threads=threads)
        self.session = Session(graph=Graph(), config=config)
        weakref.finalize(self, self.session.close)
        self.message = load_graph(self.session, [SERVING], directory)


class ServedModel:
    """A SavedModel's signatures; it is freed when nothing references it or a signature.

    Args:
      directory: the SavedModel's directory.
      threads: number of threads per op; 0: one per core.

    Raises:
      OSError, RuntimeError, OpError: if loading fails.
    """

    def __init__(self, directory: str, threads: int = 0):
        self._loaded = _LoadedModel(directory, threads)
        signatures = self._loaded.message.signature_def
        self.signatures: dict[str, ServedSignature] = {
            name: ServedSignature(name, signatures[name], self._loaded)
            for name in sorted(signatures)
            if not name.startswith(_INITIALIZERS)
        }
        self._joined: dict[tuple[str, ...], ServedSignature] = {}

    def call_when_ended(self, function: Callable[..., object], *arguments: object) -> None:
        """Registers a callback for when nothing references this model or its signatures."""
        weakref.finalize(self._loaded, function, *arguments)

    def run_nodes(self, feeds: Arrays, fetches: Sequence[str]) -> None:
        """Runs graph nodes by name, without a signature; raises OpError."""
        try:
            self._loaded.session.run(list(fetches), dict(feeds))
        except (TypeError, ValueError, KeyError) as error:
            raise InvalidArgumentError(None, None, str(error)) from None

    def join_signatures(self, signatures: Sequence[ServedSignature]) -> ServedSignature:
        """Returns a signature with the first one's inputs and all outputs, by their joint names."""
        names = tuple(signature.name for signature in signatures)
        if names not in self._joined:
            message = proto.SignatureDef()
            message.CopyFrom(signatures[0].message)
            message.outputs.clear()
            for signature in signatures:
                for output, info in signature.message.outputs.items():
                    message.outputs[signature.joint_name(output)].CopyFrom(info)
            if len(self._joined) == _MAX_STEPS:
                self._joined.clear()
            self._joined[names] = ServedSignature(", ".join(names), message, self._loaded)
        return self._joined[names]

    def signature(self, name: str, method: str = "") -> ServedSignature:
        """Returns a signature by its key, "" for the default; raises OpError if missing or of another method."""
        key = name or DEFAULT_SERVING_SIGNATURE_DEF_KEY
        signature = self.signatures.get(key)
        if signature is None:
            if method:
                invalid(f"No signature was found with the name: {key}")
            invalid(f'Serving signature name: "{key}" not found in signature def')
        if method:
            check_form(signature.message, method)
        return signature


@dataclass(frozen=True, slots=True)
class _Step:
    """A compiled step."""

    function: Callable[..., Sequence[Any]]
    fits_event_loop: StepDurationEstimate
    gil_bound: StepDurationEstimate


class ServedSignature:
    """Named inputs and outputs of a model, and the compiled steps between them."""

    model: object = read_only("The loaded model, shared by all of its signatures.", "_loaded")

    def __init__(self, name: str, message: Any, loaded: _LoadedModel):
        self.name = name
        self.message = message
        self._loaded = loaded
        self._steps: dict[tuple[str, ...], _Step] = {}

    def joint_name(self, output: str) -> str:
        """Returns an output's name in the joint outputs of several signatures."""
        return f"{self.name}/{output}"

    @functools.cached_property
    def dtypes(self) -> dict[str, DType]:
        """Dtypes of all inputs, by name."""
        return {name: as_dtype(info.dtype) for name, info in self.message.inputs.items()}

    @functools.cached_property
    def _shapes(self) -> dict[str, TensorShape]:
        return {name: TensorShape(info.tensor_shape) for name, info in self.message.inputs.items()}

    @functools.cached_property
    def _input_names(self) -> list[str]:
        return sorted(self.dtypes)

    @functools.cached_property
    def _output_names(self) -> tuple[str, ...]:
        return tuple(sorted(self.message.outputs))

    def checked_outputs(self, requested: Sequence[str]) -> tuple[str, ...]:
        """Returns the requested outputs, all if empty; raises InvalidArgumentError for unknown or duplicate ones."""
        outputs = self._output_names
        for index, name in enumerate(requested):
            if name not in outputs:
                invalid(
                    f"output tensor alias not found in signature: {name} Outputs expected to be in the set "
                    f"{{{','.join(outputs)}}}."
                )
            if name in requested[:index]:
                invalid(f"duplicate output tensor alias: {name}")
        return tuple(requested or outputs)

    def check_inputs(self, inputs: Arrays) -> None:
        """Raises InvalidArgumentError unless there is exactly one array of the right dtype per input."""
        if inputs.keys() != self.dtypes.keys():
            sent, expected = set(inputs), set(self.dtypes)
            invalid(
                f"input size does not match signature: {len(sent)}!={len(expected)} len({_set_text(sent)}) != "
                f"len({_set_text(expected)}). Sent extra: {_set_text(sent - expected)}. "
                f"Missing but required: {_set_text(expected - sent)}."
            )
        for name, value in inputs.items():
            dtype, shape = self.dtypes[name], self._shapes[name]
            if as_dtype(value.dtype) is not dtype:
                invalid(
                    f"input {name} is expected to be {dtype.name} but {as_dtype(value.dtype).name} is provided"
                )
            if not shape.is_compatible_with(value.shape):
                invalid(
                    f"input {name} is expected to have shape {shape} but {value.shape} is provided"
                )

    @functools.cached_property
    def has_batches(self) -> bool:
        """Whether the first dimension of all inputs and outputs is unknown, i.e. a batch dimension."""
        infos = [*self.message.inputs.values(), *self.message.outputs.values()]
        shapes = [info.tensor_shape for info in infos]
        return all(not s.unknown_rank and s.dim and s.dim[0].size < 0 for s in shapes)

    def fits_event_loop(self, size: int, outputs: tuple[str, ...]) -> bool:
        """Whether a step with inputs of `size` bytes is expected to be short enough for the event loop."""
        step = self._steps.get(outputs)
        return step is not None and step.fits_event_loop.covers(size)

    def is_gil_bound(self, size: int, outputs: tuple[str, ...]) -> bool:
        """Whether a step with inputs of `size` bytes is expected to hold the GIL for most of its time."""
        step = self._steps.get(outputs)
        return step is not None and step.gil_bound.covers(size)

    def run(self, inputs: Arrays, outputs: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Runs one step, with inputs and outputs already checked; raises OpError if the step fails."""
        step = self._steps.get(outputs) or self._compile(outputs)
        begin = time.thread_time()
        try:
            values = step.function(*(inputs[name] for name in self._input_names))
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(None, None, str(error)) from None
        finally:
            size, seconds = array_bytes(inputs), time.thread_time() - begin
            step.fits_event_loop.note(size, seconds)
            step.gil_bound.note(size, seconds)
        return {
            name: np.asarray(value, object if isinstance(value, bytes) else None)
            for name, value in zip(outputs, values)
        }

    def _compile(self, outputs: tuple[str, ...]) -> _Step:
        feeds = [self._tensor(self.message.inputs, name) for name in self._input_names]
        fetches = [self._tensor(self.message.outputs, name) for name in outputs]
        options = proto.CallableOptions(feed=feeds, fetch=fetches)
        function = self._loaded.session._make_callable_from_options(options)
        if len(self._steps) >= _MAX_STEPS:
            self._steps.clear()
        estimates = [
            StepDurationEstimate(function.is_straight, limit)
            for limit in (QUICK_SECONDS, SHORT_SECONDS)
        ]
        step = self._steps[outputs] = _Step(function, *estimates)
        return step

    def _tensor(self, infos: Mapping[str, Any], name: str) -> str:
        if infos[name].WhichOneof("encoding") != "name":
            raise FailedPreconditionError(
                None,
                None,
                f"Signature {self.name}: {name} is a sparse tensor, which requests cannot contain",
            )
        return infos[name].name

    def example_inputs(self, examples: Sequence[bytes]) -> dict[str, np.ndarray]:
        """Returns a classification's or regression's serialized Examples; raises InvalidArgumentError without any."""
        if not examples:
            invalid("Input is empty.")
        return {CLASSIFY_INPUTS: np.array(examples, object)}  # REGRESS_INPUTS is the same


def array_bytes(inputs: Arrays) -> int:
    """Returns the bytes of arrays and of the strings in them."""
    size = 0
    for value in inputs.values():
        size += value.nbytes
        if value.dtype == object:
            size += sum(map(len, value.reshape(-1)))
    return size


def _set_text(names: Any) -> str:
    return "{" + ",".join(sorted(names)) + "}"
