"""Request counts and latencies, in Prometheus' text format and with TensorFlow Serving's names.

With several processes, each writes its own metrics to a file every second, and any process adds them up: the counts of
a killed process are retained.
"""

from __future__ import annotations

import json
import math
import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tfmini._src.formats.atomic_write import atomic_write

METRICS_PATHS = (
    "/monitoring/prometheus/metrics",
    "/metrics",
)  # TensorFlow Serving's path, and the conventional one
_PREFIX = ":tensorflow:serving:"


@dataclass(frozen=True)
class Metric:
    """A metric: its help text, and for a histogram the upper bounds of its buckets."""

    text: str
    bounds: tuple[float, ...] = ()


METRICS = {
    "request_count": Metric("The total number of requests."),
    "request_latency": Metric(
        "Distribution of wall time (in microseconds).", tuple(10 * 1.8**i for i in range(33))
    ),
    "batch_size": Metric("Distribution of rows in a step.", tuple(2.0**i for i in range(13))),
}


class Metrics:
    """Metrics of this process, in a `directory` shared by several processes; "" for a single process."""

    def __init__(self, directory: str = ""):
        self._directory = directory
        # By metric, label names and values: the count, or a histogram's sum and bucket counts.
        self._values: dict[tuple[str, ...], list[float]] = {}

    def add(self, name: str, labels: Mapping[str, str], value: float = 1.0) -> None:
        """Counts an event, or records a value in a histogram."""
        bounds = METRICS[name].bounds
        key = name, *labels, *labels.values()
        row = self._values.get(key)
        if row is None:
            row = self._values[key] = [0.0] * (len(bounds) + 2 if bounds else 1)
        row[0] += value
        if bounds:
            row[1 + bisect_left(bounds, value)] += 1

    def write(self) -> None:
        """Writes the metrics for the other processes."""
        if self._directory:
            path = os.path.join(self._directory, f"{os.getpid()}.json")
            with atomic_write(path) as file:
                file.write(json.dumps(self._metrics_by_text()).encode())

    def _metrics_by_text(self) -> dict[str, list[float]]:
        """Returns this process's metrics, by metric and labels as text."""
        rows = {}
        for (name, *labels), row in self._values.items():
            count = len(labels) // 2
            rows[f"{name} {json.dumps(dict(zip(labels[:count], labels[count:])))}"] = row
        return rows

    def text(self) -> str:
        """Returns the metrics summed over all processes, as text."""
        values = self._metrics_by_text()
        for other in self._other_processes():
            for key, row in other.items():
                values[key] = [a + b for a, b in zip(values.get(key, [0.0] * len(row)), row)]
        lines = []
        for name, metric in METRICS.items():
            full = _PREFIX + name
            metric_type = "histogram" if metric.bounds else "counter"
            lines += [f"# HELP {full} {metric.text}", f"# TYPE {full} {metric_type}"]
            for key, row in sorted(values.items()):
                metric_name, _, labels = key.partition(" ")
                if metric_name == name:
                    lines += _samples(full, json.loads(labels), row, metric.bounds)
        return "\n".join(lines) + "\n"

    def _other_processes(self) -> Iterator[Mapping[str, list[float]]]:
        for name in sorted(os.listdir(self._directory)) if self._directory else ():
            if name.endswith(".json") and name != f"{os.getpid()}.json":
                with open(os.path.join(self._directory, name), encoding="utf-8") as file:
                    yield json.load(file)


def _samples(
    name: str, labels: dict[str, str], row: list[float], bounds: tuple[float, ...]
) -> Iterator[str]:
    if not bounds:
        yield f"{name}{_labels(labels)} {row[0]:.0f}"
        return
    total = 0.0
    for bound, count in zip((*bounds, math.inf), row[1:]):
        total += count
        bound_text = "+Inf" if bound == math.inf else f"{bound:.8g}"
        yield f"{name}_bucket{_labels({**labels, 'le': bound_text})} {total:.0f}"
    yield f"{name}_sum{_labels(labels)} {row[0]:.8g}"
    yield f"{name}_count{_labels(labels)} {total:.0f}"


def _labels(labels: Mapping[str, str]) -> str:
    pairs = [f"{name}={json.dumps(value)}" for name, value in labels.items()]
    return "{" + ",".join(pairs) + "}" if pairs else ""
