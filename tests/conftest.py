"""Fixtures of all tests: graphs, sessions, eager mode, fake GPUs, where the reference is."""

import ctypes
import functools
import gc
import os
import pathlib
import signal
import tempfile

import pytest
from _pytest.python import pytest_pyfunc_call

# Validates the program after each pass of the plan compiler, here and in processes started by tests; set before tfmini,
# which reads it, is imported.
os.environ["TFMINI_DEBUG"] = ",".join(
    dict.fromkeys([*filter(None, os.environ.get("TFMINI_DEBUG", "").split(",")), "check"])
)

from tests.support import cases, expected_skips, isolation, tiers
from tests.support.gpu.gpus import fake_gpus
from tests.support.recollection import RecollectedItems
from tfmini._src.base import logs
from tfmini._src.devices.host.memory import keep_freed_memory
from tfmini._src.graph import stack_traces
from tfmini._src.graph.graph import Graph
from tfmini._src.nn.layers.backend.clear_session import clear_session
from tfmini._src.ops import op_modules
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.session.session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent
_NO_KEYWORDS = frozenset()
_MODULE = pytest.StashKey()  # of the previous test
_ENVIRONMENT = pytest.StashKey()

# Tests that iterate over the registry find all ops.
op_modules.import_all()

# Before tests start threads, each of which would get its own heap.
keep_freed_memory()
isolation.map_large_arrays()

# Nodes record only the frames of the test, not the fifty pytest frames below it.
stack_traces.hide_launcher_frames(pytest_pyfunc_call.__code__)


def reference_python():
    """The Python with TensorFlow 1.15.5: TFMINI_REFERENCE, or the one installed by ci/reference."""
    named = os.environ.get("TFMINI_REFERENCE")
    candidate = pathlib.Path(named) if named else ROOT / ".reference" / "bin" / "python"
    return candidate if candidate.exists() else None


def second_reference_python():
    """The Python with TensorFlow 2: TFMINI_SECOND_REFERENCE, or the one installed by `ci/reference --second`."""
    named = os.environ.get("TFMINI_SECOND_REFERENCE")
    candidate = pathlib.Path(named) if named else ROOT / ".reference2" / "bin" / "python"
    return candidate if candidate.exists() else None


def python_with_onnx():
    """The Python with tfmini's extra onnx: TFMINI_ONNX, or the one installed by `ci/reference --onnx`."""
    named = os.environ.get("TFMINI_ONNX")
    candidate = pathlib.Path(named) if named else ROOT / ".onnx" / "bin" / "python"
    return candidate if candidate.exists() else None


def python_with_serving_client():
    """The Python with TensorFlow Serving's client: TFMINI_SERVING, or the one installed by `ci/reference --serving`."""
    named = os.environ.get("TFMINI_SERVING")
    candidate = pathlib.Path(named) if named else ROOT / ".serving" / "bin" / "python"
    return candidate if candidate.exists() else None


@functools.cache
def gpu_present():
    """Whether a driver exists and CuPy finds a GPU; loads CuPy only if a driver exists."""
    try:
        ctypes.CDLL("libcuda.so.1")
        import cupy  # noqa: PLC0415

        return cupy.cuda.is_available()
    except (ImportError, OSError):
        return False


@pytest.fixture(scope="session", autouse=True)
def _temporary_files_of_its_own(tmp_path_factory):
    """Separate temporary folders, since programs in parallel tests use the same names."""
    folder = str(tmp_path_factory.mktemp("tmp", numbered=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _deleters_are_known():
    with pytest.MonkeyPatch.context() as patch:
        isolation.note_deleters(patch)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Resets the process state, so that a test does not depend on earlier ones, and hides GPUs from unmarked tests.

    Tests without the mark `gpu` expect a machine without a GPU, or use emulated ones. A hook, because an autouse
    fixture takes 60 microseconds more per test.
    """
    if item.module is not item.config.stash.get(_MODULE, None):
        item.config.stash[_MODULE] = item.module
        if {"gc", "garbage"} & vars(item.module).keys():
            isolation.set_objects_aside()
    if gpu_present() and not item.get_closest_marker("gpu"):
        item.stash[_ENVIRONMENT] = pytest.MonkeyPatch()
        item.stash[_ENVIRONMENT].setenv("CUDA_VISIBLE_DEVICES", "")
    isolation.begin(item.nodeid, item.module)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Collects large arrays in reference cycles: automatic collection is rare, because so many small objects exist."""
    isolation.close_files()  # before `monkeypatch` returns to the suite's folder
    try:
        return (yield)
    finally:
        isolation.end()
        if _ENVIRONMENT in item.stash:
            item.stash[_ENVIRONMENT].undo()
        if nextitem is None or nextitem.module is not item.module:
            isolation.drop_reports(item.config)
            isolation.give_back_memory()


def pytest_addoption(parser):
    parser.addoption(
        "--tier",
        choices=("default", "full"),
        default=os.environ.get("TFMINI_TIER", "default"),
        help="full: also the tests marked `full` (the environment variable TFMINI_TIER sets it too)",
    )

    parser.addoption(
        "--case",
        metavar="NAME",
        help="in tests of many cases (tests/support/cases.py): this one, or those of this pattern, whatever the tier",
    )

    parser.addoption(
        "--shard",
        type=tiers.shard,
        metavar="K/N",
        help="the K-th of N parts of the tests, always the same ones",
    )


def pytest_configure(config):
    """Passes the tier to processes started by tests, and to modules with a varying number of cases, through the
    environment."""
    os.environ["TFMINI_TIER"] = config.getoption("tier")


def pytest_sessionstart():
    """Restores Python's Ctrl-C handler, even if a shell started the tests in the background and ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Independent of the Python version: CUDA and its emulation, C++, other processes and their deaths, memory, and
# long-running programs.
_OF_ANY_PYTHON = (
    *("base/names/test_editors", "ci/", "cluster/", "compiler/passes/"),
    *("conformance/seeds/test_t3.py", "conformance/seeds/test_t22", "conformance/seeds/test_t23"),
    *("conformance/test_every_op_on_gpus", "devices/", "distribute/horovod/"),
    *("examples/test_examples", "executor/inline/", "executor/test_gpu_steps"),
    *("executor/test_waiting_plan", "formats/test_bundle_recovery"),
    *("formats/test_checkpoint_damage", "kernels/", "on_gpus/", "ops/math/test_top_k"),
    *("ops/nn/convolution/", "repository/test_layers", "session/test_forks", "session/test_memory"),
    *("session/test_run_hooks", "support/cuda_on_cpu/", "support/fake_cupy/"),
    "train/checkpoints/test_saveables",
)


def _mark_quick(items):
    """Marks the first case of each test `quick`, unless the whole file is marked; and those of them that depend on the
    Python version, `versions`."""
    seen = set()
    elsewhere = tuple(f"tests/{place}" for place in _OF_ANY_PYTHON)
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test not in seen:
            seen.add(test)
            item.add_marker(pytest.mark.quick)
        damage = item.get_closest_marker("damage")
        if item.get_closest_marker("quick") and not damage and not test.startswith(elsewhere):
            item.add_marker(pytest.mark.versions)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    done = yield
    if isinstance(item.session.items, RecollectedItems):
        item.session.items.forget(item, nextitem)
    else:
        isolation.forget_test(item)
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = expected_skips.judge((yield))
    cases.add_command(item, report)
    return report


def pytest_ignore_collect(collection_path, config):
    """Imports only the files that have some if the tests that the default tier lacks are selected: a third of all."""
    if not (config.getoption("markexpr") or "").startswith(tiers.REST):
        return None
    is_file = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    file = collection_path.relative_to(ROOT).as_posix() if is_file else None
    return True if file and not tiers.has_rest(file) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = expected_skips.judge((yield))
    config, shard = collector.config, collector.config.getoption("shard", None)
    if shard and report.passed:  # here, as the tests of all shards take 60 MB
        report.result = tiers.nodes_of_shard(report.result, *shard)
    if report.passed and not config.getoption("markexpr") and _without_full(config):
        report.result = _left_out(config, report.result)[1]  # likewise: 8 MB
    return report


def pytest_itemcollected(item):
    """Drops data that a test recreates when it runs: 8 MB in total."""
    item.extra_keyword_matches = _NO_KEYWORDS
    if isinstance(item, pytest.Function):
        item._request, item.funcargs = False, None  # as pytest leaves a finished test


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """`-n auto`: three processes for two cores, since many tests wait for other processes, unless set in the
    environment."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores + cores // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A process without remaining tests takes some of another's, so that the last ones are not all in one process."""
    from xdist.scheduler import WorkStealingScheduling  # noqa: PLC0415 - where there is xdist

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None


def _mark_tools(items):
    for item in items:
        reasons = [mark.kwargs.get("reason", "") for mark in item.iter_markers("skipif")]
        if any(map(expected_skips.OF_TOOLS.search, reasons)):
            item.add_marker(pytest.mark.tools)
            _require_rest(item)


def _require_rest(item):
    file = item.nodeid.partition("::")[0]
    if not tiers.has_rest(file):  # a run of the rest would not collect it
        raise pytest.UsageError(f"{file}: tiers.has_rest does not see that it has {item.name}")


def _mark_slow(items):
    slow = tiers.slow_tests()
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.full)


def _without_full(config):
    """Whether this is a run of the default tier."""
    return config.getoption("case", None) is None and config.getoption("tier", None) != "full"


def _is_full(node):
    of_the_list = node.nodeid in tiers.slow_tests()
    return of_the_list or node.get_closest_marker("full") is not None


def _left_out(config, nodes):
    """The nodes of the full tier only, except tests named on the command line, and the others."""
    named = set()
    for argument in config.invocation_params.args:
        path, separator, test = str(argument).partition("::")
        if separator:
            named.add((config.invocation_params.dir.joinpath(path).resolve(), test))

    def is_named(item):
        test = item.nodeid.partition("::")[2]
        return {(item.path, test), (item.path, test.partition("[")[0])} & named

    left_out, others = [], []
    for node in nodes:
        is_left_out = isinstance(node, pytest.Item) and _is_full(node) and not is_named(node)
        if is_left_out:
            _require_rest(node)
        (left_out if is_left_out else others).append(node)
    return left_out, others


@pytest.hookimpl(tryfirst=True)  # before `-m quick` selects
def pytest_collection_modifyitems(config, items):
    isolation.note_generators({item.module for item in items if hasattr(item, "module")})
    if config.getoption("markexpr"):  # marks not requested otherwise
        _mark_quick(items)
    _mark_tools(items)
    _mark_slow(items)
    first, second = reference_python(), second_reference_python()
    for item in items:
        if not item.get_closest_marker("reference"):
            continue
        if "second_reference" in item.fixturenames:
            if second is None:
                how = "no TensorFlow 2 here: ci/reference --second installs it"
                item.add_marker(pytest.mark.skip(reason=how))
        elif "onnx_python" in item.fixturenames:
            if python_with_onnx() is None:
                how = "no tf2onnx here: ci/reference --onnx installs it"
                item.add_marker(pytest.mark.skip(reason=how))
        elif "serving_client" in item.fixturenames:
            if python_with_serving_client() is None:
                how = "no client of TensorFlow Serving here: ci/reference --serving installs it"
                item.add_marker(pytest.mark.skip(reason=how))
        elif first is None:
            how = "no TensorFlow 1.15.5 here: ci/reference installs it"
            item.add_marker(pytest.mark.skip(reason=how))
    case = config.getoption("case", None)
    if case is not None:
        items[:] = cases.with_case(items, case)
    elif _without_full(config):
        left_out, items[:] = _left_out(config, items)
        if left_out:
            config.hook.pytest_deselected(items=left_out)
    on_gpus = [item for item in items if item.get_closest_marker("gpu")]
    if on_gpus and not gpu_present():
        for item in on_gpus:
            item.add_marker(pytest.mark.skip(reason="no GPU here: ci/gpu runs these where one is"))
    items[:] = tiers.longest_first(items)
    if "TFMINI_ORDER" in os.environ:
        items[:] = tiers.shuffle(items, os.environ["TFMINI_ORDER"])


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Freezes objects that all tests need, so that garbage collection does not traverse them, and makes it rarer."""
    if hasattr(session.config, "workerinput"):
        newest = session.config.pluginmanager.get_plugin("nfplugin")
        if newest:
            newest.cached_nodeids.clear()  # written by another process: 6 MB
        session.items = RecollectedItems(session)
    isolation.collect_garbage()
    gc.freeze()
    gc.set_threshold(2000, 10, 25)


def pytest_sessionfinish(session):
    """With TFMINI_ALL_TOOLS set, as by `ci/check`, a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("TFMINI_ALL_TOOLS") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(
            "\nFAILED for what was skipped: TFMINI_ALL_TOOLS wants all of it to run"
        )


@pytest.fixture
def check_each(request):
    """`check_each(group, check)` calls `check` for each case of a group: tests/support/cases.py."""
    return functools.partial(cases.check_each, request.node)


@pytest.fixture
def graph():
    """A graph that is the default one."""
    with Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    """A session of a graph, both the defaults."""
    with Session() as session:
        yield session


@pytest.fixture
def eager():
    """Eager mode."""
    with eager_mode():
        yield


@pytest.fixture
def quiet_logs():
    """No warnings or errors in the log."""
    level = logs.get_verbosity()
    logs.set_verbosity(logs.FATAL)
    yield
    logs.set_verbosity(level)


@pytest.fixture
def keras_session():
    """Keras's session, graph and names as in a new process, also reset afterwards."""
    clear_session()
    yield
    clear_session()


@pytest.fixture
def gpu_environment(monkeypatch):
    """Makes a test's GPUs visible, lets them allocate memory as needed, and logs the runtime's messages about them."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")


@pytest.fixture
def gpu(gpu_environment):
    """The machine of one fake GPU."""
    with fake_gpus(devices=1) as machine:
        yield machine


@pytest.fixture
def gpus(gpu_environment):
    """The machine of two fake GPUs."""
    with fake_gpus(devices=2) as machine:
        yield machine


@pytest.fixture
def reference():
    """The reference's Python, for tests marked `reference`."""
    return reference_python()


@pytest.fixture
def onnx_python():
    """The Python with tf2onnx and ONNX Runtime, for tests marked `reference`."""
    return python_with_onnx()


@pytest.fixture
def serving_client():
    """The Python with TensorFlow Serving's client, for tests marked `reference`."""
    return python_with_serving_client()


@pytest.fixture
def second_reference():
    """The Python with TensorFlow 2, for tests marked `reference`."""
    return second_reference_python()
