"""A unit test file in the style of TensorFlow's, run under the hook."""

import subprocess
import sys
import textwrap

PROGRAM = """
    from tensorflow.python.framework import constant_op, test_util
    from tensorflow.python.ops import gradient_checker, gradient_checker_v2, math_ops
    from tensorflow.python.platform import benchmark, googletest, test
    import tensorflow as tf

    class SquareTest(test_util.TensorFlowTestCase):
        @test_util.run_deprecated_v1
        def testGradient(self):
            with self.session(use_gpu=True):
                x = constant_op.constant([1.0, 2.0])
                error = gradient_checker.compute_gradient_error(x, [2], math_ops.square(x), [2])
                self.assertLess(error, 1e-3)
                found = gradient_checker_v2.compute_gradient(math_ops.square, [x])
                self.assertLess(gradient_checker_v2.max_error(*found), 1e-3)

        @test_util.run_in_graph_and_eager_modes(use_gpu=False)
        def testValue(self):
            self.assertAllEqual(self.evaluate(math_ops.square([2, 3])), [4, 9])
            self.assertEquals(1, 1)
            self.assertItemsEqual([1, 2], [2, 1])
            self.assertLen([1], 1)

        @test_util.run_v1_only("b/120545219")
        @test.mock.patch.object(math_ops, "square", new=abs)
        def testMock(self):
            self.assertEqual(math_ops.square(-3), 3)
            self.assertEqual(test_util.is_xla_enabled() or test.is_built_with_rocm(), False)

    class OtherTest(googletest.TestCase):
        def test_case(self):
            self.assertStartsWith(googletest.GetTempDir(), test.get_temp_dir())

    class Speed(benchmark.Benchmark):
        def benchmark_it(self):
            self.report_benchmark(iters=1)

    if __name__ == "__main__":
        googletest.main()
"""


def test_unit_test_file_runs(tmp_path):
    program = tmp_path / "square_test.py"
    program.write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, "-m", "tfmini", "run", str(program)]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "Ran 5 tests" in process.stderr and "OK (skipped=1)" in process.stderr


def test_googletest_main_runs_benchmarks(tmp_path):
    program = tmp_path / "square_test.py"
    program.write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, "-m", "tfmini", "run", str(program), "--benchmarks=Speed"]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 'name: "Speed.benchmark_it"' in process.stdout
