"""`tf.test.Benchmark`: methods whose names start with "benchmark", run by `--benchmarks=PATTERN`."""

from __future__ import annotations

import inspect
import numbers
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from absl import app

from tfmini._src.base import logs, proto
from tfmini._src.base.flags.parse_known_flags import known_flags
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.formats.open_file import open_file
from tfmini._src.graph import default_stack
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.session.base_session import BaseSession

REGISTRY: set[type[AbstractBenchmark]] = set()
REPORTS = "TEST_REPORT_FILE_PREFIX"  # environment variable that locates the reports


class AbstractBenchmark:
    """Base class of benchmarks, which report their measurements."""

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not abstract:
            REGISTRY.add(cls)

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is a base class without benchmarks."""
        return cls not in REGISTRY

    def _get_name(self, overwrite_name: str | None = None) -> str:
        """Returns "Class.method" for the outermost method of the running benchmark."""
        method = None
        frame = inspect.currentframe()
        while frame is not None:
            if isinstance(frame.f_locals.get("self"), AbstractBenchmark):
                running, method = frame.f_locals["self"], frame.f_code.co_name
            frame = frame.f_back
        assert method is not None  # this method's own frame matches
        return f"{type(running).__name__}.{overwrite_name or method}"

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: dict[str, Any] | None = None,
        name: str | None = None,
        metrics: list[dict[str, Any]] | None = None,
    ) -> None:
        """Prints a report, or writes it as a `BenchmarkEntries` message.

        If the environment variable TEST_REPORT_FILE_PREFIX is set, writes to a file named by that prefix
        followed by the benchmark's name.

        Args:
          iters: number of iterations.
          cpu_time: processor time in seconds.
          wall_time: elapsed time in seconds.
          throughput: megabytes per second.
          extras: additional values: numbers, or objects written as strings.
          name: benchmark name to append to the class name, by default the name of the method.
          metrics: dicts with `name`, `value`, and optionally `min_value` and `max_value`.

        Raises:
          TypeError: for invalid `extras` or `metrics`.
          OSError: if the file exists.
        """
        report(
            self._get_name(overwrite_name=name),
            *(iters, cpu_time, wall_time, throughput, extras, metrics),
        )


def report(
    name: str,
    iters: int | None = None,
    cpu_time: float | None = None,
    wall_time: float | None = None,
    throughput: float | None = None,
    extras: dict[str, Any] | None = None,
    metrics: list[dict[str, Any]] | None = None,
) -> None:
    """Prints or writes a report under a full name; see `AbstractBenchmark.report_benchmark`."""
    numbers_given = {
        "iters": iters,
        "wall_time": wall_time,
        "cpu_time": cpu_time,
        "throughput": throughput,
    }
    fields = [f"{key}: {-1 if value is None else value:g}" for key, value in numbers_given.items()]
    logs.info(
        f"Benchmark [{name}] {', '.join(fields[:3])},{fields[3]}, extras: {extras or None}, metrics: {metrics or None}"
    )
    values: dict[str, Any] = {
        key: value for key, value in numbers_given.items() if value is not None
    }
    entry = proto.BenchmarkEntry(name=name, **values)
    if extras is not None and not isinstance(extras, dict):
        raise TypeError("extras must be a dict")
    for key, value in (extras or {}).items():
        if isinstance(value, numbers.Number):
            entry.extras[key].double_value = value  # type: ignore[assignment]  # anything float() accepts
        else:
            entry.extras[key].string_value = str(value)
    if metrics is not None and not isinstance(metrics, list):
        raise TypeError("metrics must be a list")
    for metric in metrics or ():
        for field in ("name", "value"):
            if field not in metric:
                raise TypeError(f"metric must has a '{field}' field")
        metric_entry = entry.metrics.add(name=metric["name"], value=metric["value"])
        for field in ("min_value", "max_value"):
            if field in metric:
                getattr(metric_entry, field).value = metric[field]
    _write_entries(name, proto.BenchmarkEntries(entry=[entry]))


def _write_entries(name: str, entries: Any) -> None:
    prefix = os.environ.get(REPORTS)
    if prefix is None:
        print(entries)
        return
    path = prefix + name.replace("/", "__")
    if exists(path):
        raise OSError(f"File already exists: {path}")
    with open_file(path, "wb") as file:
        file.write(entries.SerializeToString())


class Benchmark(AbstractBenchmark, abstract=True):
    """Base class of operation benchmarks.

    Subclasses are registered on definition. With `--benchmarks=PATTERN`, `tf.test.main()` runs their methods
    `benchmark*` whose "module.Class.method" matches the pattern; `--benchmarks=all` runs all.

    Example:
      class MatMul(tf.test.Benchmark):
          def benchmark_square(self):
              with tf.Session() as session:
                  x = tf.ones([1000, 1000])
                  self.run_op_benchmark(session, tf.matmul(x, x).op)
    """

    def run_op_benchmark(
        self,
        sess: BaseSession,
        op_or_tensor: Operation | Tensor,
        feed_dict: dict[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: dict[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Times an operation and reports the median.

        Args:
          sess: a session.
          op_or_tensor: the operation or tensor to run.
          feed_dict: the feeds.
          burn_iters: number of warm-up runs.
          min_iters: number of measured runs.
          store_trace: must be False, since traces are unsupported.
          store_memory_usage: ignored, since sessions do not record allocator peaks.
          name: benchmark name to append to the class name, by default the name of the method.
          extras: additional values to report.
          mbs: megabytes moved per run.

        Returns:
          A dict of the reported values: iters, wall_time in seconds, throughput, extras, name.

        Raises:
          NotImplementedError: if `store_trace` is True.
        """
        if store_trace:
            raise NotImplementedError(
                "run_op_benchmark(store_trace=True): sessions do not trace steps; omit store_trace"
            )
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        seconds = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            seconds.append(time.perf_counter() - start)
        median = statistics.median(seconds) if seconds else -1
        values: dict[str, Any] = {
            "iters": min_iters,
            "wall_time": median,
            "extras": {} if extras is None else extras,
            "name": name,
            "throughput": mbs / median,
        }
        self.report_benchmark(**values)
        return values

    def evaluate(self, tensors: Iterable[TensorLike]) -> Any:
        """Evaluates tensors, or nested lists and tuples of tensors, in the default session.

        Raises:
          ValueError: if there is no default session.
        """
        session = default_stack.get_default_session()
        if session is None:
            raise ValueError("Benchmark.evaluate requires a default session: `with tf.Session():`")
        return session.run(tensors)


def benchmark_config() -> Any:
    """Returns a ConfigProto that disables TensorFlow's dependency rewrites."""
    config = proto.ConfigProto()
    off_value = proto.RewriterConfig.OFF
    config.graph_options.rewrite_options.dependency_optimization = off_value
    return config


def run_benchmarks(pattern: str) -> None:
    """Runs the benchmarks whose full names match a pattern, or all benchmarks for "all"."""
    for benchmark in sorted(REGISTRY, key=lambda c: (c.__module__, c.__qualname__)):
        running = None
        for name in dir(benchmark):
            full = f"{benchmark.__module__}.{benchmark.__name__}.{name}"
            if not name.startswith("benchmark") or not callable(getattr(benchmark, name)):
                continue
            if pattern == "all" or re.search(pattern, full):
                running = running or benchmark()
                getattr(running, name)()


def benchmarks_main(true_main: Callable[[], Any], argv: list[str] | None = None) -> None:
    """Runs the benchmarks selected by `--benchmarks=PATTERN` and exits; without the flag, calls `true_main`."""
    argv = sys.argv if argv is None else argv
    selected = [a for a in argv if a.startswith(("--benchmarks=", "-benchmarks="))]
    if not selected:
        true_main()
        return
    argv.remove(selected[0])
    pattern = selected[0].split("=")[1]
    app.run(lambda _: run_benchmarks(pattern), argv=argv, flags_parser=known_flags)
