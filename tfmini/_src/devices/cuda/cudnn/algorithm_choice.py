"""Selects a cuDNN algorithm for each convolution.

On first use, cuDNN times its algorithms on the actual arrays, channels first and channels last. Its times include the
host's launch overhead, which exceeds the run time of many kernels, so complete runs of the near-fastest, layout
conversions included, are timed again, captured in a CUDA graph as they will run. Nothing is timed during the capture of
a segment, because captured work does not run.

Timing the convolutions of a large network would dominate its first step: after TFMINI_CUDNN_SEARCH_SECONDS in a
process, cuDNN's heuristics choose for the remaining convolutions, which the next process times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.devices.cuda import cuda_graph, tf32
from tfmini._src.devices.cuda.cudnn import convolution as layouts
from tfmini._src.devices.cuda.cudnn.algorithm_cache import AlgorithmFile
from tfmini._src.devices.cuda.cudnn.algorithms import (
    Algorithm,
    Candidates,
    describe_algorithm,
    environment_settings,
)
from tfmini._src.devices.cuda.cudnn.convolution import Convolution
from tfmini._src.devices.cuda.cudnn.library import Cudnn, CudnnError
from tfmini._src.devices.cuda.errors import is_lost

_TIMED_RUNS = 3  # timed runs
# Limits of the second timing: the number of algorithms per layout; the factor and the milliseconds by which cuDNN's own
# time may exceed the shortest.
_MAX_REMEASURED, _MAX_SLOWDOWN, _LAUNCH_MILLISECONDS = 4, 1.5, 0.1


class _Choice(NamedTuple):
    """An algorithm and its descriptors."""

    candidates: Candidates
    algorithm: Algorithm


class Choices:
    """Runs the convolutions of a GPU with cuDNN, choosing their algorithms."""

    def __init__(self, gpu: Any, cudnn: Cudnn):
        self._gpu = gpu
        self._cudnn = cudnn
        self._settings = environment_settings()
        self._file = AlgorithmFile(gpu.physical, cudnn.version, self._settings)
        self._choices: dict[Convolution, _Choice | None] = {}
        self._measured_seconds = 0.0  # total measuring time
        self._is_logged = False  # whether a message about the time limit has been logged
        self._channels_first_by_filter: dict[tuple[str, tuple[int, ...]], bool] = {}

    def last_order(self, direction: str, filter: Any, unknown: bool) -> bool:
        """Whether the last run in this direction with this filter shape used channels first, else `unknown`."""
        return self._channels_first_by_filter.get((direction, filter.shape), unknown)

    def run(
        self, convolution: Convolution, operands: tuple[Any, Any], as_view: bool = False
    ) -> Any:
        """Computes a convolution, or one of its gradients.

        Args:
          convolution: the convolution to compute.
          operands: its two operands in TensorFlow's layout: images according to `convolution.channels_first`,
            filters as [sizes ..., channels, filters].
          as_view: whether a filter's gradient stays in cuDNN's layout and is returned as a view.

        Returns:
          The result in the same layout; None if cuDNN has no algorithm.

        Raises:
          CudnnError: if a cached algorithm fails.
        """
        choice = self._choose(convolution, operands)
        report = self._gpu.report
        if report is not None:
            report.record_algorithm(
                "im2col matrix products: cuDNN has no algorithm"
                if choice is None
                else describe_algorithm(convolution, choice.algorithm)
            )
        if choice is None:
            return None
        if convolution.filter_position < 2:
            filter = operands[convolution.filter_position]
            self._channels_first_by_filter[convolution.direction, filter.shape] = (
                choice.algorithm.channels_first
            )
        return self._compute(convolution, choice, operands, as_view)

    def _choose(self, convolution: Convolution, values: tuple[Any, Any]) -> _Choice | None:
        if convolution in self._choices:
            return self._choices[convolution]
        if self._gpu.compute.is_capturing():
            return self._heuristic_choice(convolution)
        if convolution.dtype == "float32":
            tf32.log_unused_tf32(self._gpu.physical)
        choice = self._find_measured(convolution)
        if choice is None and self._has_time():
            begin = monotonic()
            choice = self._measured_choice(convolution, values)
            self._measured_seconds += monotonic() - begin
            if choice is not None:
                self._file.add(convolution, choice.algorithm)
        elif choice is None:
            choice = self._heuristic_choice(convolution)
        self._choices[convolution] = choice
        return choice

    def _has_time(self) -> bool:
        """Whether to time algorithms. Logs a message once when the time limit is exceeded."""
        max_bytes = self._settings.max_seconds
        if self._settings.measures and self._measured_seconds >= max_bytes and not self._is_logged:
            self._is_logged = True
            logs.info(
                "%s: cuDNN algorithm search reached its limit of %.0f s "
                "(TFMINI_CUDNN_SEARCH_SECONDS); heuristics select the remaining algorithms.",
                *(self._gpu.name, max_bytes),
            )
        return self._settings.measures and self._measured_seconds < max_bytes

    def _find_measured(self, convolution: Convolution) -> _Choice | None:
        """Returns the choice measured by another process, if any."""
        algorithm = self._file.get(convolution) if self._settings.measures else None
        if algorithm is None:
            return None
        try:
            return _Choice(self._candidates(convolution, algorithm.channels_first), algorithm)
        except CudnnError:
            return None

    def _heuristic_choice(self, convolution: Convolution) -> _Choice | None:
        """Returns the choice of cuDNN's heuristics, in the node's channel order if possible, else in the other."""
        for channels_first in (convolution.channels_first, not convolution.channels_first):
            try:
                candidates = self._candidates(convolution, channels_first)
                algorithms = candidates.heuristic_algorithms()
            except CudnnError:
                continue
            if algorithms:
                return _Choice(candidates, algorithms[0])
        return None

    def _measured_choice(self, convolution: Convolution, values: tuple[Any, Any]) -> _Choice | None:
        """Returns the fastest choice by measurement."""
        choices: list[_Choice] = []
        for channels_first in (convolution.channels_first, not convolution.channels_first):
            try:
                candidates = self._candidates(convolution, channels_first)
                arrays = self._arrays_in_layout(convolution, channels_first, values)
                algorithms = candidates.measured_algorithms(self._gpu, arrays)
            except CudnnError:
                continue
            except MemoryError:
                if not choices:
                    raise
                break  # transposed copies do not fit in memory: retain the candidates found so far
            choices += [
                _Choice(candidates, algorithm) for algorithm in _fastest_candidates(algorithms)
            ]
        if len(choices) < 2:
            return choices[0] if choices else None
        return self._find_fastest(convolution, choices, values)

    def _find_fastest(
        self, convolution: Convolution, choices: list[_Choice], values: tuple[Any, Any]
    ) -> _Choice:
        """Returns the choice with the fastest runs, including layout conversions."""
        times = []
        for choice in choices:
            try:
                times.append(
                    _milliseconds(self._gpu, lambda: self._compute(convolution, choice, values))  # noqa: B023
                )
            except MemoryError:
                break
            except (CudnnError, self._gpu.xp.cuda.runtime.CUDARuntimeError) as error:
                if is_lost(error):
                    raise
                times.append(math.inf)  # the algorithm cannot be captured
        if not times or math.isinf(min(times)):
            return choices[0]
        fastest_choice = choices[times.index(min(times))]
        algorithm = replace(
            fastest_choice.algorithm, milliseconds=round(min(times) / _TIMED_RUNS, 6)
        )
        return fastest_choice._replace(algorithm=algorithm)

    def _candidates(self, convolution: Convolution, channels_first: bool) -> Candidates:
        return Candidates(self._cudnn, self._settings, convolution, channels_first)

    def _arrays_in_layout(
        self, convolution: Convolution, channels_first: bool, values: tuple[Any, Any]
    ) -> tuple[Any, Any, Any]:
        """Returns the arrays in the layout of an algorithm, and memory for the result."""
        xp, filter_position = self._gpu.xp, convolution.filter_position
        first, second = (
            layouts.to_cudnn_filter(array, channels_first)
            if index == filter_position
            else layouts.to_cudnn_layout(xp, array, convolution.channels_first, channels_first)
            for index, array in enumerate(values)
        )
        shape = layouts.in_memory(convolution.shapes[2], channels_first)
        return first, second, xp.empty(shape, convolution.dtype)

    def _compute(
        self,
        convolution: Convolution,
        choice: _Choice,
        values: tuple[Any, Any],
        as_view: bool = False,
    ) -> Any:
        channels_first = choice.algorithm.channels_first
        arrays = self._arrays_in_layout(convolution, channels_first, values)
        choice.candidates.run(self._gpu, choice.algorithm, arrays)
        xp, result = self._gpu.xp, arrays[2]
        if convolution.filter_position == 2:
            view = layouts.filter_view(result, channels_first)
            return view if as_view else xp.ascontiguousarray(view)
        return layouts.to_cudnn_layout(xp, result, channels_first, convolution.channels_first)


def _fastest_candidates(algorithms: list[Algorithm]) -> list[Algorithm]:
    """Returns the algorithms that may be the fastest, in cuDNN's order."""
    limit = algorithms[0].milliseconds * _MAX_SLOWDOWN + _LAUNCH_MILLISECONDS if algorithms else 0.0
    return [
        algorithm for algorithm in algorithms[:_MAX_REMEASURED] if algorithm.milliseconds <= limit
    ]


def _milliseconds(gpu: Any, work: Callable[[], Any]) -> float:
    """Returns the time of several runs on the GPU after a warm-up run; with recorded steps, of a CUDA graph."""
    cuda = gpu.xp.cuda
    memory = cuda_graph.Memory(gpu)
    with cuda.using_allocator(memory.allocate):
        work()

    def repeat() -> None:
        for _ in range(_TIMED_RUNS):
            work()

    run = repeat
    if cuda_graph.is_enabled():
        memory = cuda_graph.Memory(gpu, memory.extent)  # retained until its last launch has ended
        graph, _ = cuda_graph.record(gpu, memory, repeat)
        run = graph.launch
        run()
    begin, end = cuda.Event(), cuda.Event()
    gpu.compute.record(begin)
    run()
    gpu.compute.record(end)
    end.synchronize()
    return float(cuda.get_elapsed_time(begin, end))
