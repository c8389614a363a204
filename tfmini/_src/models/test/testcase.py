"""`tf.test.TestCase`, with a seeded default graph per test, sessions and assertions."""

from __future__ import annotations

import os
import random
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np

from tfmini._src.base import errors, logs, proto, version
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.proto.text import format_rounded
from tfmini._src.graph import default_stack
from tfmini._src.graph.default_graph import get_default_graph, reset_default_graph
from tfmini._src.graph.device_spec import canonical
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.seeds import set_random_seed
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.test.array_assertions import ArrayAssertions
from tfmini._src.models.test.eager_values import FakeEagerSession, numpy_values
from tfmini._src.models.test.error_logging_session import open_session
from tfmini._src.models.test.main import get_temp_dir
from tfmini._src.session.session import Session

_SEED = 87654321  # seeds of the graph, numpy and Python before each test


class TestCase(ArrayAssertions):
    """A `unittest.TestCase` for programs that build graphs.

    Before each test, clears the default graph, and seeds the graph, `random` and `numpy.random`.

    Example:
      class SquareTest(tf.test.TestCase):
          def testSquare(self):
              with self.session():
                  self.assertAllEqual(tf.square([2, 3]).eval(), [4, 9])

      if __name__ == "__main__":
          tf.test.main()
    """

    __test__ = False  # only subclasses are tests

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__test__ = True

    def __init__(self, methodName: str = "runTest"):
        super().__init__(methodName)
        self._threads: list[CheckedThread] = []
        self._tempdir: str | None = None
        self._cached: tuple[Session, tuple] | None = None

    def setUp(self) -> None:
        """Clears the default graph and sets the seeds."""
        self._ClearCachedSession()
        random.seed(_SEED)
        np.random.seed(_SEED)
        was_eager = executing_eagerly()
        default_stack.graphs.clear()
        reset_default_graph()
        if was_eager != executing_eagerly():
            mode = default_stack.EAGER if was_eager else get_default_graph()
            default_stack.graphs.replace_all(mode)
        set_random_seed(_SEED)
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self) -> None:
        """Checks that all threads were joined and closes the cached session."""
        for thread in self._threads:
            thread.check_termination()
        self._ClearCachedSession()

    def _ClearCachedSession(self) -> None:
        if self._cached is not None:
            self._cached[0].close()
            self._cached = None

    # Sessions ------------------------------------------------------------------------------------

    @contextmanager
    def session(
        self,
        graph: Graph | None = None,
        config: proto.ConfigProto | None = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Session]:
        """Context manager that opens a new session, which becomes the default session together with its graph.

        Args:
          graph: the session's graph, by default the default graph.
          config: a ConfigProto.
          use_gpu: whether new nodes may be placed on a GPU.
          force_gpu: whether new nodes must be placed on a GPU.
        """
        if executing_eagerly():
            yield None  # type: ignore[misc]
            return
        with open_session(graph, config, force_gpu) as session:
            with _place(session, use_gpu, force_gpu):
                yield session

    @contextmanager
    def cached_session(
        self,
        graph: Graph | None = None,
        config: proto.ConfigProto | None = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Session]:
        """Context manager like `session`, with one session shared by the whole test.

        Raises:
          ValueError: if the arguments differ from the arguments of the test's first call.
        """
        if executing_eagerly():
            yield FakeEagerSession()  # type: ignore[misc]
            return
        session, cached_arguments = self._cached_session(graph, config, force_gpu)
        values = {"graph": graph, "config": config, "force_gpu value": force_gpu}
        for (name, value), initial in zip(values.items(), cached_arguments):
            if value is not initial:
                raise ValueError(
                    f"The {name} used to get the cached session is different than the one that was "
                    "used to create the session. Maybe create a new session with self.session()"
                )
        with _place(session, use_gpu, force_gpu):
            yield session

    @contextmanager
    @deprecated(None, "Use `self.session()` or `self.cached_session()` instead.")
    def test_session(
        self,
        graph: Graph | None = None,
        config: proto.ConfigProto | None = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Session]:
        """Same as `session` if `graph` is given, else same as `cached_session`."""
        if executing_eagerly():
            yield None  # type: ignore[misc]
        elif graph is not None:
            with self.session(graph, config, use_gpu, force_gpu) as session:
                yield session
        else:
            session = self._cached_session(graph, config, force_gpu)[0]
            with _place(session, use_gpu, force_gpu):
                yield session

    test_session.__test__ = False  # type: ignore[attr-defined]  # for pytest; see setUp for unittest

    def _cached_session(self, graph: Any, config: Any, force_gpu: bool) -> tuple[Session, tuple]:
        if self._cached is None:
            self._cached = open_session(graph, config, force_gpu), (graph, config, force_gpu)
        return self._cached

    def evaluate(self, tensors: Iterable[TensorLike]) -> Any:
        """Evaluates tensors (or nested lists, tuples and dicts of them); in graph mode, in the default session.

        In eager mode, also calls functions.
        """
        if executing_eagerly():
            return numpy_values(tensors)
        session = default_stack.get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    # Files and threads ---------------------------------------------------------------------------

    def get_temp_dir(self) -> str:
        """Returns a temporary directory for this test, removed at exit."""
        if not self._tempdir:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    @contextmanager
    def captureWritesToStream(self, stream: IO[str]) -> Iterator[CapturedWrites]:
        """Context manager that captures output to a stream with a file descriptor, such as `sys.stderr`."""
        stream.flush()
        descriptor = stream.fileno()
        saved = os.dup(descriptor)
        handle, path = tempfile.mkstemp(dir=self.get_temp_dir())
        os.dup2(handle, descriptor)
        try:
            yield CapturedWrites(path)
        finally:
            stream.flush()
            os.dup2(saved, descriptor)
            os.close(saved)
            os.close(handle)

    def checkedThread(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[Any, Any] | None = None,
    ) -> CheckedThread:
        """Returns a thread whose exceptions fail the test; it must be joined before the test ends."""
        thread = CheckedThread(self, target, args or (), kwargs or {})
        self._threads.append(thread)
        return thread

    # Assertions ----------------------------------------------------------------------------------

    assertItemsEqual = ArrayAssertions.assertCountEqual
    assertRaisesRegexp = ArrayAssertions.assertRaisesRegex

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """Fails unless a string starts with a prefix."""
        if not actual.startswith(expected_start):
            note = f" : {msg!r}" if msg else ""
            self.fail(f"{actual!r} does not start with {expected_start!r}{note}")

    def assertProtoEquals(
        self, expected_message_maybe_ascii: object, message: object, msg: str | None = None
    ) -> None:
        """Fails unless two messages are equal, comparing 6 decimals of floats and 7 of doubles.

        The expected message may be in text format.
        """
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            expected = proto.parse_text(expected, type(message)())
        if type(expected) is not type(message):
            raise AssertionError(
                f"Can't compare protos of type {type(expected)} and {type(message)}. {msg or ''}"
            )
        if expected != message:
            self.assertMultiLineEqual(format_rounded(expected), format_rounded(message), msg)

    def assertProtoEqualsVersion(
        self,
        expected: str,
        actual: object,
        producer: int = version.GRAPH_DEF_VERSION,
        min_consumer: int = version.GRAPH_DEF_VERSION_MIN_CONSUMER,
        msg: str | None = None,
    ) -> None:
        """Same as `assertProtoEquals`, for a GraphDef in text format to which versions are added."""
        versions = f"versions {{ producer: {producer} min_consumer: {min_consumer} }};\n"
        self.assertProtoEquals(versions + expected, actual, msg=msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Fails unless two device strings or DeviceSpecs denote the same device."""
        first, second = canonical(device1), canonical(device2)
        self.assertEqual(first, second, f"Devices {first} and {second} are not equal. {msg}")

    @contextmanager
    def assertRaisesWithPredicateMatch(  # type: ignore[override]
        self, exception_type: type, expected_err_re_or_predicate: str | Callable[[Any], object]
    ) -> Iterator[None]:
        """Fails unless the block raises an exception of this type that satisfies the predicate.

        Args:
          exception_type: the class.
          expected_err_re_or_predicate: a pattern to search in the message (for an OpError also in the
            operation's name), or a predicate of the exception.
        """
        expected = expected_err_re_or_predicate

        def matches(error: Exception) -> Any:
            if callable(expected):
                return expected(error)
            text = _error_text(error)
            logs.info("Searching within error strings: '%s' within '%s'", expected, text)
            return re.search(expected, text)

        try:
            yield
            self.fail(f"{exception_type.__name__} not raised")
        except Exception as error:
            if not isinstance(error, exception_type) or not matches(error):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error

    def assertRaisesOpError(
        self, expected_err_re_or_predicate: str | Callable[[Any], object]
    ) -> Any:
        """Same as `assertRaisesWithPredicateMatch` for `tf.OpError`."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)


class CapturedWrites:
    """The output captured from a stream."""

    def __init__(self, path: str):
        self._path = path

    def contents(self) -> str:
        """Returns all captured text."""
        with open(self._path, encoding="utf8") as file:
            return file.read()


class CheckedThread:
    """A test thread whose exceptions fail the test on `join`."""

    def __init__(
        self,
        case: TestCase,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[Any, Any],
    ):
        self._case = case
        self._work = (target, args, kwargs)
        self._thread = threading.Thread(target=self._run)
        self._error: Exception | None = None
        self._joined = False

    def _run(self) -> None:
        target, args, kwargs = self._work
        try:
            target(*args, **kwargs)
        except Exception as error:
            self._error = error

    def start(self) -> None:
        """Starts the thread, once."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the thread to end; fails the test if it raised an exception."""
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def check_termination(self) -> None:
        """Fails the test unless the thread was joined."""
        if not self._joined:
            self._case.fail("A checked thread was not joined.")


def _error_text(error: Exception) -> str:
    if not isinstance(error, errors.OpError):
        return str(error)
    lines, node = [error.message], error.op
    while node is not None:
        lines.append(f"Caused by: {node.name}")
        node = node._original_op
    return "\n".join(lines)


@contextmanager
def _place(session: Session, use_gpu: bool, force_gpu: bool) -> Iterator[None]:
    """Context manager that sets the default session and graph, and applies the placement arguments of `session`."""
    device = "/device:GPU:0" if force_gpu else None if use_gpu else "/device:CPU:0"
    with session.graph.as_default(), session.as_default(), session.graph.device(device):
        yield
