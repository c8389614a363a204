"""A server of models: its sockets, its processes and its end."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import multiprocessing
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from tfmini._src.formats.data_file import map_tensors
from tfmini._src.programs.serving.end import End
from tfmini._src.programs.serving.grpc_services import GrpcServices
from tfmini._src.programs.serving.http_protocol import LONGEST_HEAD, HttpProtocol
from tfmini._src.programs.serving.rest import Rest
from tfmini._src.programs.serving.service import Options, Service

# Seconds after which a worker counts as hung. Signals wait as long for its sign of life.
_LONGEST_SILENCE = 60
_LONGEST_LOADING = 3600  # seconds in which a worker that replaces another has loaded its models
_KEEP_ALIVE = 60  # seconds that a connection may be idle
# Seconds after which a step gives up the interpreter to the event loop: with Python's 5 ms, a few steps that loop in
# Python delay each request by tens of milliseconds.
_SWITCH_INTERVAL = 0.0001
_OWN_FILES = 64  # file descriptors for models, logs, gRPC


def serve(options: Options, host: str, rest_port: int, grpc_port: int | None, workers: int) -> None:
    """Serves until SIGTERM or SIGINT; requests that are in progress are answered first.

    Args:
      options: of each process.
      host: the address to listen at.
      rest_port: for HTTP; 0: one that is free.
      grpc_port: for gRPC, likewise; None: there is none.
      workers: how many processes serve.

    Raises:
      OSError: if it cannot listen there.
    """
    with contextlib.ExitStack() as stack:
        rest = stack.enter_context(_bound(host, rest_port))
        scheme = "http" if options.tls is None else "https"
        addresses, grpc = f"REST at {scheme}://{_shown(rest)}", ""
        if grpc_port is not None:
            grpc = _shown(stack.enter_context(_shared(host, grpc_port)))
            addresses += f", gRPC at {grpc}"
        print(addresses, flush=True)
        for source in options.sources:
            print(f"serving {source.name} from {source.folder}", flush=True)
        folder = stack.enter_context(tempfile.TemporaryDirectory()) if workers > 1 else ""
        # Steps side by side, each on one thread, are a third more than one after the other on all cores.
        cores = len(os.sched_getaffinity(0)) // (workers * options.threads)
        options = dataclasses.replace(options, op_threads=max(1, cores))
        protocol: Any = functools.partial(HttpProtocol, most_connections=_most_connections(options))
        config = uvicorn.Config(
            functools.partial(application, options, grpc, folder),
            factory=True,
            workers=workers,
            loop=f"{__name__}:{EventLoop.__name__}",
            http=protocol,
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_worker_healthcheck=_LONGEST_SILENCE,
            timeout_graceful_shutdown=int(options.timeout) + 1,
            **({} if options.tls is None else options.tls.for_uvicorn()),
        )
        if workers > 1:
            _Workers(config, [rest]).run()
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _ended)
        uvicorn.Server(config).run([rest])


class EventLoop(asyncio.SelectorEventLoop):
    """asyncio's event loop with the limit of a request's head for TLS handshakes."""

    async def create_server(self, *arguments: Any, **options: Any) -> Any:
        """A server as `asyncio` makes it."""
        if options.get("ssl") is not None:
            options["ssl_handshake_timeout"] = LONGEST_HEAD
        create: Any = super().create_server
        return await create(*arguments, **options)


def _most_connections(options: Options) -> int:
    """The limit on connections; the server keeps some file descriptors for itself."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    free = options.most_connections if most == resource.RLIM_INFINITY else most - _OWN_FILES
    return max(1, min(options.most_connections, free))


def _ended(number: int, frame: Any) -> None:
    """Signal handler for the signal that uvicorn raises again once it has ended by it."""


class _Workers(Multiprocess):
    """Workers; each is replaced once another has loaded its models, however long that takes."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]):
        super().__init__(config, sockets)
        self.should_exit = _Ending(self.signal_queue)

    def init_processes(self) -> None:
        """Starts the workers."""
        super().init_processes()
        self._close_other_ends()

    def keep_subprocess_alive(self) -> None:
        """Replaces workers that are gone or hang."""
        super().keep_subprocess_alive()
        self._close_other_ends()

    def _close_other_ends(self) -> None:
        """Closes this process's copies of the workers' pipe ends: a worker's death then ends a wait for its answer."""
        for process in self.processes:
            process.child_conn.close()

    def restart_all(self) -> None:
        """Replaces all workers."""
        self.config.timeout_worker_healthcheck = _LONGEST_LOADING
        super().restart_all()
        self.config.timeout_worker_healthcheck = _LONGEST_SILENCE


class _Ending(threading.Event):
    """Set also once a signal to end has come, though workers are being replaced."""

    def __init__(self, signals: list[int]):
        super().__init__()
        self._signals = signals

    def is_set(self) -> bool:
        return super().is_set() or bool({signal.SIGTERM, signal.SIGINT} & set(self._signals))


def _end_with_parent() -> None:
    """Ends this worker when the process that has started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def application(options: Options, grpc_address: str, metrics_folder: str) -> Any:
    """The application of one process.

    Args:
      options: of the server.
      grpc_address: where it answers gRPC, or "".
      metrics_folder: where it and the other workers write their counts; "": it is the only one.
    """
    if metrics_folder:
        map_tensors()
        threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    service = Service(options, metrics_folder)

    @contextlib.asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(service.running())
            end = End(service, options.drain)
            if grpc_address:
                server = await GrpcServices(service).start(grpc_address)
                stack.push_async_callback(lambda: server.stop(end.left(options.timeout)))
                end.act = lambda: server.stop(options.timeout)
            if _is_first(metrics_folder):
                print(f"ready: {service.shown()}", flush=True)
            yield

    return service.access_log.of_application(Rest(service, lifespan))


def _is_first(folder: str) -> bool:
    """Whether this process is the first of those with a folder that asks."""
    with contextlib.suppress(FileExistsError):
        if folder:
            os.mkdir(os.path.join(folder, "ready"))
        return True
    return False


def _bound(host: str, port: int) -> socket.socket:
    """A socket for workers to listen at."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By its protocol asyncio knows that TCP is not to wait for more to send.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OSError(error.errno, f"{error.strerror}: {host}:{port}") from None
    bound.set_inheritable(True)
    return bound


def _shared(host: str, port: int) -> socket.socket:
    """A socket that holds a port, at which each worker listens with a socket of its own."""
    with _bound(host, port) as free:  # refused where another server listens
        port = free.getsockname()[1]
    shared = socket.socket(free.family)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind((host, port))
    return shared


def _shown(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
