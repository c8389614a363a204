"""Request counts in Prometheus text format."""

import json
import os

from tfmini._src.programs.serving.metrics import Metrics


def samples(metrics):
    return [line for line in metrics.text().splitlines() if not line.startswith("#")]


def test_counters_accumulate_by_label():
    metrics = Metrics()
    for status in ("OK", "OK", "NOT_FOUND"):
        metrics.add("request_count", {"model_name": 'a"b', "status": status})
    metrics.add("request_count", {}, 3)
    name = ":tensorflow:serving:request_count"
    assert samples(metrics) == [
        f'{name}{{model_name="a\\"b",status="NOT_FOUND"}} 1',
        f'{name}{{model_name="a\\"b",status="OK"}} 2',
        f"{name} 3",
    ]


def test_every_metric_has_help_and_type():
    lines = Metrics().text().splitlines()
    assert lines == [
        line
        for name, text, kind in (
            ("request_count", "The total number of requests.", "counter"),
            ("request_latency", "Distribution of wall time (in microseconds).", "histogram"),
            ("batch_size", "Distribution of rows in a step.", "histogram"),
        )
        for line in (
            f"# HELP :tensorflow:serving:{name} {text}",
            f"# TYPE :tensorflow:serving:{name} {kind}",
        )
    ]
    assert Metrics().text().endswith("histogram\n")


def test_histogram_bounds_are_inclusive():
    """Bounds are inclusive; a value beyond the last is in +Inf only."""
    metrics = Metrics()
    for rows in (1, 2, 3, 4096, 4097):
        metrics.add("batch_size", {}, rows)
    result = dict(line.rsplit(" ", 1) for line in samples(metrics))
    bucket = ':tensorflow:serving:batch_size_bucket{le="%s"}'
    bounds = [str(2**n) for n in range(13)] + ["+Inf"]
    assert [result.pop(bucket % bound) for bound in bounds] == [
        *("1", "2", "3"),
        *["3"] * 9,
        *("4", "5"),
    ]
    assert result == {
        ":tensorflow:serving:batch_size_sum": "8199",
        ":tensorflow:serving:batch_size_count": "5",
    }


def test_latency_buckets_start_at_ten_microseconds():
    metrics = Metrics()
    metrics.add("request_latency", {"API": "Predict"}, 20.5)
    lines = samples(metrics)
    name = ":tensorflow:serving:request_latency"
    assert lines[0] == f'{name}_bucket{{API="Predict",le="10"}} 0'
    assert lines[1] == f'{name}_bucket{{API="Predict",le="18"}} 0'
    assert lines[2] == f'{name}_bucket{{API="Predict",le="32.4"}} 1'
    assert len(lines) == 33 + 3 and lines[-2:] == [
        f'{name}_sum{{API="Predict"}} 20.5',
        f'{name}_count{{API="Predict"}} 1',
    ]


def test_metrics_are_summed_over_processes(tmp_path):
    own = Metrics(str(tmp_path))
    own.add("request_count", {"status": "OK"}, 2)
    own.add("batch_size", {}, 2)
    own.write()
    assert [path.name for path in tmp_path.iterdir()] == [f"{os.getpid()}.json"]
    other = {
        'request_count {"status": "OK"}': [5.0],
        'request_count {"status": "CANCELLED"}': [1.0],
        "batch_size {}": [9.0, *[0.0] * 4, 1.0, *[0.0] * 9],
    }
    (tmp_path / "1.json").write_text(json.dumps(other))
    (tmp_path / "notes.txt").write_text("none of them")
    result = dict(line.rsplit(" ", 1) for line in samples(own))
    count = ':tensorflow:serving:request_count{status="%s"}'
    assert result[count % "OK"] == "7" and result[count % "CANCELLED"] == "1"
    assert result[":tensorflow:serving:batch_size_sum"] == "11"
    assert result[":tensorflow:serving:batch_size_count"] == "2"
    assert result[':tensorflow:serving:batch_size_bucket{le="8"}'] == "1"
    assert result[':tensorflow:serving:batch_size_bucket{le="16"}'] == "2"
    alone = Metrics()
    alone.add("request_count", {"status": "OK"})
    alone.write()
    assert samples(alone) == [f"{count % 'OK'} 1"]
