"""tf.test.Benchmark: registration, runs and reports."""

import subprocess
import sys
import textwrap

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.models.test import benchmark

PROGRAM = """
    import tfmini as tf

    class Adding(tf.test.Benchmark):
        def benchmark_fast(self):
            print("fast")

        def benchmark_slow(self):
            print("slow")

    class AddTest(tf.test.TestCase):
        def test_it(self):
            print("tested")

    if __name__ == "__main__":
        tf.test.main()
"""


@pytest.fixture(autouse=True)
def registry(monkeypatch):
    monkeypatch.setattr(benchmark, "REGISTRY", set())


@pytest.mark.parametrize(
    "arguments, printed",
    [
        (["--benchmarks=all"], "fast\nslow\n"),
        (["--benchmarks=Adding.*fa"], "fast\n"),
        ([], "tested\n"),
    ],
)
def test_main_runs_benchmarks_or_tests(tmp_path, arguments, printed):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    process = subprocess.run(
        [sys.executable, str(program), *arguments], capture_output=True, text=True, check=True
    )
    assert (
        process.stdout.replace(
            f"Running tests under Python {sys.version.split()[0]}: {sys.executable}\n", ""
        )
        == printed
    )


def test_run_op_benchmark_reports_to_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv(benchmark.REPORTS, f"{tmp_path}/report.")

    class Adding(tf.test.Benchmark):
        def benchmark_it(self):
            with tf.Session() as session:
                v = tf.Variable(0)
                session.run(v.initializer)
                values = self.run_op_benchmark(
                    session,
                    v.assign_add(1),
                    burn_iters=1,
                    min_iters=3,
                    extras={"a": 1, "b": "c"},
                    mbs=2,
                )
                return values, session.run(v)

    values, runs = Adding().benchmark_it()
    assert runs == 4
    entry = proto.BenchmarkEntries.FromString(
        (tmp_path / "report.Adding.benchmark_it").read_bytes()
    ).entry[0]
    assert (entry.name, entry.iters) == ("Adding.benchmark_it", 3)
    assert entry.wall_time == values["wall_time"] > 0
    assert entry.throughput == pytest.approx(2 / values["wall_time"])
    assert entry.extras["a"].double_value == 1 and entry.extras["b"].string_value == "c"
    with pytest.raises(OSError, match="File already exists"):
        Adding().report_benchmark(name="benchmark_it")


def test_metrics_and_invalid_arguments(capsys):
    class Adding(tf.test.Benchmark):
        pass

    Adding().report_benchmark(name="x/y", metrics=[{"name": "loss", "value": 1.5, "max_value": 2}])
    text = capsys.readouterr().out
    assert 'name: "Adding.x/y"' in text and "value: 1.5" in text and "max_value" in text
    for arguments, error in (
        ({"extras": [1]}, "extras must be a dict"),
        ({"metrics": {}}, "metrics must be a list"),
        ({"metrics": [{"value": 1}]}, "'name' field"),
    ):
        with pytest.raises(TypeError, match=error):
            Adding().report_benchmark(name="x", **arguments)
    with pytest.raises(NotImplementedError, match="store_trace"), tf.Session() as session:
        Adding().run_op_benchmark(session, tf.constant(1), store_trace=True)


def test_evaluate_and_benchmark_registration():
    class Adding(tf.test.Benchmark):
        pass

    assert benchmark.REGISTRY == {Adding}
    assert tf.test.Benchmark.is_abstract() and not Adding.is_abstract()
    with tf.Session():
        assert Adding().evaluate([tf.constant(2)]) == [2]
    with pytest.raises(ValueError, match="default session"):
        Adding().evaluate(tf.constant(2))


def test_benchmark_config():
    options = tf.test.benchmark_config().graph_options.rewrite_options
    assert options.dependency_optimization == proto.RewriterConfig.OFF
