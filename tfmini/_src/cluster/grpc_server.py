"""A gRPC server whose methods map bytes to bytes: threads on demand, errors as statuses."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent import futures
from contextlib import suppress
from time import sleep
from typing import Any

from tfmini._src.base import errors, logs, proto
from tfmini._src.base.errors import OpError
from tfmini._src.base.locks import make_lock, make_rlock
from tfmini._src.cluster.addresses import bind_address
from tfmini._src.cluster.direct_server import DirectServer, Later
from tfmini._src.cluster.direct_sockets import OPEN_CONNECTION
from tfmini._src.cluster.grpc_channel import OPTIONS, grpc
from tfmini._src.cluster.limits import current as current_limits
from tfmini._src.cluster.security import authentication_error, current, server_credentials
from tfmini._src.cluster.wire import Buffers, join_buffers
from tfmini._src.formats.system_errors import system_error

# `method(request, call)`: `call` is gRPC's context.
Method = Callable[[bytes, Any], bytes]

_IDLE_SECONDS = 10.0
_MAX_PROMPT_THREADS = 32  # number of threads that start without delay when none is idle
_PATIENCE_SECONDS = 0.01
_MAX_STATUS_BYTES = (
    2400  # bytes of a status; gRPC may triple them, and headers are limited to 8 KiB
)
_NODE = re.compile(r"\[\[node (\S+)(?: \(defined at [^\]]*\))? ?\]\]")
_FILE_SUFFIX = re.compile(r" \([^()]*\)$")  # import failures
# A node whose requested device does not exist.
_NODE_REFERENCE = re.compile(r"(?<=: )node (\S+) (?= was explicitly assigned to )")


class Threads(futures.Executor):
    """Executor for calls that may wait for each other: beyond an initial number, threads start after a short delay."""

    def __init__(self) -> None:
        self._work: deque[Any] = deque()
        self._lock = make_rlock()  # because garbage collection may end a step's wait at any point
        self._count = 0
        self._idle: list[Any] = []  # one lock per idle thread, released when there is work
        self._taken_count = 0
        self._has_watcher = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> futures.Future:
        future: futures.Future = futures.Future()
        with self._lock:
            self._work.append((future, function, args, kwargs))
            if self._idle:
                self._idle.pop().release()
            elif self._count < _MAX_PROMPT_THREADS:
                self._start()
            elif not self._has_watcher:
                threading.Thread(target=self._watch, name="tfmini server", daemon=True).start()
                self._has_watcher = True
        return future

    def _start(self) -> None:
        """Starts a thread; the caller holds the lock."""
        threading.Thread(target=self._serve, name="tfmini server", daemon=True).start()
        self._count += 1

    def _watch(self) -> None:
        """Starts a thread whenever calls are queued and no thread picks one up."""
        last_taken = -1
        while True:
            sleep(_PATIENCE_SECONDS)
            with self._lock:
                if not self._work:
                    self._has_watcher = False
                    return
                if self._taken_count == last_taken:
                    with suppress(RuntimeError):  # out of threads: retried
                        self._start()
                last_taken = self._taken_count

    def _serve(self) -> None:
        work_signal = make_lock()
        work_signal.acquire()
        while (work := self._next(work_signal)) is not None:
            future, function, args, kwargs = work
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*args, **kwargs))
                except BaseException as error:  # reported to the future's waiter
                    future.set_exception(error)
            del work, future, function, args, kwargs

    def _next(self, work_signal: Any) -> Any:
        """Returns the next call for a thread; None if the thread was idle for so long that it should end."""
        while True:
            with self._lock:
                if self._work:
                    self._taken_count += 1
                    return self._work.popleft()
                self._idle.append(work_signal)
            # `SimpleQueue.get` with a timeout may block forever if another thread was faster.
            if not work_signal.acquire(timeout=_IDLE_SECONDS):
                with self._lock:
                    if work_signal in self._idle:
                        self._idle.remove(work_signal)
                        self._count -= 1
                        return None
                work_signal.acquire()  # released in the meantime


class Service:
    """Server of RPC methods at an address.

    Args:
      address: the task's "host:port"; port 0 picks a free one.
      methods: by full name; each call runs in its own thread.
      later_handlers: asynchronous methods, by full name; a waiting call occupies no thread.
      direct_handlers: replacements of `later_handlers` for calls over direct connections, by default the same.
      threads: the executor of all methods.

    Raises:
      UnknownError: if it cannot bind the address.
    """

    def __init__(
        self,
        address: str,
        methods: Mapping[str, Method],
        later_handlers: Mapping[str, Later] | None = None,
        direct_handlers: Mapping[str, Later] | None = None,
        threads: Threads | None = None,
    ):
        library = grpc()
        security = current()
        self._codes = {code.value[0]: code for code in library.StatusCode}
        self.port = 0
        threads = threads or Threads()
        bound = bind_address(address)
        credentials = server_credentials(library, security)
        # Lines over TCP are not encrypted.
        host = bound.rpartition(":")[0] if credentials is None else ""
        self._direct_server = DirectServer(
            methods,
            direct_handlers or later_handlers or {},
            threads.submit,
            error_status,
            host,
            security.token,
        )
        with_direct_server = {
            **methods,
            OPEN_CONNECTION: lambda request, call: self._direct_server.open(request, self.port),
        }
        handlers = {
            name: library.unary_unary_rpc_method_handler(self._report_errors(method))
            for name, method in with_direct_server.items()
        }
        for name, begin in (later_handlers or {}).items():
            deferred = self._asynchronous_handler(begin, threads)
            handlers[name] = library.unary_stream_rpc_method_handler(deferred)

        def reject(error: OpError) -> Any:
            """Returns a stream handler that rejects a call before any of the request is read."""

            def fail(requests: Any, call: Any) -> bytes:
                raise error

            return library.stream_unary_rpc_method_handler(self._report_errors(fail))

        class Handler(library.GenericRpcHandler):  # type: ignore[name-defined]
            def service(self, details: Any) -> Any:
                error = authentication_error(details.invocation_metadata, security.token)
                if error is not None:
                    return reject(error)
                return handlers.get(details.method)

        options = (
            *OPTIONS,
            ("grpc.max_receive_message_length", current_limits().message),
            ("grpc.so_reuseport", 0),
            # Absorbs bursts of queued calls; by default gRPC cancels some beyond 1,000.
            ("grpc.server.max_pending_requests", 1 << 20),
            ("grpc.server.max_pending_requests_hard_limit", 1 << 20),
        )
        self._server = library.server(threads, handlers=(Handler(),), options=options)
        try:
            if credentials is None:
                self.port = self._server.add_insecure_port(bound)
            else:
                self.port = self._server.add_secure_port(bound, credentials)
        except RuntimeError:
            self.port = 0
        if not self.port:
            logs.error(
                "Could not listen on %s: the port is in use, or the address does not belong to "
                "this host, for example a Kubernetes Service's. TFMINI_BIND=0.0.0.0 binds to "
                "all addresses; combine it with TFMINI_TOKEN.",
                bound,
            )
            raise errors.UnknownError(None, None, "Could not start gRPC server")

    def start(self) -> None:
        self._server.start()

    def stop(self, grace: float | None = None) -> None:
        """Stops the server; running calls may continue for `grace` seconds."""
        self._server.stop(grace).wait()
        self._direct_server.close()

    def wait(self) -> None:
        self._server.wait_for_termination()

    def _report_errors(self, method: Method) -> Callable[[bytes, Any], bytes]:
        """Wraps a method so that its errors become the status of the call."""

        def run(request: bytes, call: Any) -> bytes:
            try:
                return method(request, call)
            except BaseException as error:  # any error is reported to the caller
                self._fail(call, error)
            return b""

        return run

    def _asynchronous_handler(self, begin: Later, threads: Threads) -> Callable[..., None]:
        """Returns the handler of an asynchronous method: unary to the caller, a response stream to gRPC."""

        def run(request: bytes, call: Any, send: Callable[[bytes | None], None]) -> None:
            begun: list[bool] = []

            def reply(buffers: Buffers | None, error: BaseException | None) -> None:
                if error is None:
                    send(join_buffers(buffers or []))
                else:
                    self._fail(call, error)
                send(None)

            def on_done(buffers: Buffers | None, error: BaseException | None) -> None:
                if call.is_active():  # otherwise the caller no longer waits
                    if begun:  # `send` blocks on the network, which the caller of this must not
                        threads.submit(reply, buffers, error)
                    else:
                        reply(buffers, error)

            try:
                begin(request, call, on_done)
            except BaseException as error:  # any error is reported to the caller
                on_done(None, error)
            begun.append(True)

        run.experimental_non_blocking = True  # type: ignore[attr-defined]
        return run

    def _fail(self, call: Any, error: BaseException) -> None:
        """Sets an error as the call's status."""
        code, text = error_status(error)
        call.set_code(self._codes[code])
        call.set_details(shorten_message(text))


def shorten_message(text: str) -> str:
    """Shortens a text to fit the header of a gRPC status; clients report "Stream removed" for longer ones."""
    data = text.encode()
    if len(data) <= _MAX_STATUS_BYTES:
        return text
    return data[:_MAX_STATUS_BYTES].decode(errors="ignore") + " ..."


def error_status(error: BaseException) -> tuple[int, str]:
    """Returns the code and text of an error for a remote client.

    Nodes are identified by name, without this machine's source lines or files unknown to the client; bytes that are not
    UTF-8 become question marks.
    """
    code, text = _error_status(error)
    return code, text.encode(errors="replace").decode()


def _error_status(error: BaseException) -> tuple[int, str]:
    if isinstance(error, OpError):
        code = error.error_code
        is_known = (
            code if isinstance(code, int) and 0 < code <= errors.UNAUTHENTICATED else errors.UNKNOWN
        )
        text = _NODE.sub(r"[[{{node \1}}]]", error.message)
        return is_known, _NODE_REFERENCE.sub(r"{{node \1}}", text)
    if isinstance(error, proto.DecodeError):
        return errors.INVALID_ARGUMENT, "Malformed message"
    if isinstance(error, MemoryError):
        return errors.RESOURCE_EXHAUSTED, "Out of memory"
    if isinstance(error, OSError) and error.errno is not None:
        is_exhausted = isinstance(system_error(error, ""), errors.ResourceExhaustedError)
        code = errors.RESOURCE_EXHAUSTED if is_exhausted else errors.INTERNAL
        return code, f"{type(error).__name__}: {error.strerror}"
    if isinstance(error, ImportError):
        return errors.INTERNAL, f"{type(error).__name__}: {_FILE_SUFFIX.sub('', error.msg)}"
    return errors.INTERNAL, f"{type(error).__name__}: {error}"
