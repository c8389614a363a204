"""The steps of each call of `ci/gpu`, with their limits."""

from __future__ import annotations

from dataclasses import replace

from ci.commands.gpu_runs.steps import Call, Step

MARKS = "(gpu or cudnn)"
CHECKS = (
    "tests/on_gpus",
    "tests/kernels/test_devices.py",
    "tests/support/fake_cupy/test_cudnn_convolutions.py",
)
EVERY_OP = "tests/on_gpus/test_every_op.py"
BENCHMARKS = {"BENCH_LIMIT": "25"}


def tests(
    name: str, limit: int, marks: str, *arguments: str, each: int = 30, rest: bool = False
) -> Step:
    """Tests in several processes, so that a hanging test terminates only its own.

    Args:
      each: time limit per test in seconds.
    """
    options = (
        *("-m", "pytest", "-q", "-m", marks, "-p", "no:cacheprovider", "-W", "default::DeprecationWarning"),
        *("-p", "no:benchmark"),  # pytest-benchmark warns about xdist, and warnings are errors
        *("-p", "tests.on_gpus.progress", "--maxfail", "60", "--tb", "line", "--durations", "5"),
        *("--timeout", str(each), "--session-timeout", "{soon}", "--junitxml={log}.xml"),
    )  # fmt: skip
    return Step(name, limit, (*options, *arguments), shown=1, takes_rest=rest)


SEVERAL = ("-n", "{workers}", "--timeout-method", "thread")
DEVICES = Step("devices", 28, ("-m", "tfmini", "devices", "--test"), shown=3)
MEMORY = tests("memory", 58, f"{MARKS} and alone", "tests/on_gpus", each=60)
SANITIZER = Step(
    "sanitizer",
    15,
    ("-m", "tests.on_gpus.unpooled", "6"),
    {"TFMINI_CUDA_GRAPHS": "0"},
    under=("compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9"),
)

CORRECTNESS = Call(
    "Correctness on a GPU",
    320,
    (
        DEVICES,
        Step("losses", 25, ("-m", "tests.on_gpus.captured_losses")),
        Step("captures", 12, ("-m", "tests.on_gpus.captures"), shown=8),
        Step("convolutions", 22, ("-m", "tests.on_gpus.convolutions"), shown=1),
        MEMORY,
        tests(
            *("checks", 104, f"{MARKS} and not alone", *SEVERAL, *CHECKS),
            *("--deselect", f"{EVERY_OP}::test_programs", "--deselect", f"{EVERY_OP}::test_built"),
        ),
        tests(
            *("programs", 32, "gpu", *SEVERAL, f"{EVERY_OP}::test_programs"),
            f"{EVERY_OP}::test_built",
            rest=True,
        ),
    ),
)


def benchmark(name: str, limit: int, shown: int, *arguments: str) -> Step:
    """Benchmarks whose rows are written as they complete."""
    return Step(
        name,
        limit,
        ("-m", *arguments, "--output", "{log}.md"),
        BENCHMARKS,
        shown=shown,
    )


SPEED = Call(
    "Speed on a GPU",
    300,
    (
        benchmark("mlp", 50, 3, "ci.commands.benchmarks.gpu", "mlp"),
        benchmark("rates", 30, 6, "ci.commands.benchmarks.gpu", "rates"),
        benchmark("networks", 92, 10, "ci.commands.benchmarks.gpu", "networks"),
        benchmark("lstms", 30, 5, "ci.commands.benchmarks.gpu", "lstms"),
        Step("step_logs", 8, ("-m", "ci.commands.benchmarks.gpu_step_logs")),
        benchmark("cores", 36, 7, "ci.commands.benchmarks.cores"),
        SANITIZER,
    ),
)

EVERYTHING = Call(
    "Tests on a GPU",
    3000,
    (
        replace(DEVICES, limit=120),
        replace(MEMORY, limit=300),
        tests("tests", 2400, f"{MARKS} and not alone", *CHECKS, each=120, rest=True),
        replace(SANITIZER, limit=120),
    ),
)

CALLS = {"1": CORRECTNESS, "2": SPEED, "all": EVERYTHING}
