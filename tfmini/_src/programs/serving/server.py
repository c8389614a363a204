"""A model server: sockets, processes and shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import gc
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from typing import Any

import uvicorn

from tfmini._src.base.system import has_port_sharing, resource
from tfmini._src.devices.host.threads import thread_count
from tfmini._src.formats.data_file import map_tensors
from tfmini._src.programs.serving.grpc_services import GrpcServices
from tfmini._src.programs.serving.http_protocol import KEEP_ALIVE, MAX_HEAD_SECONDS, HttpProtocol
from tfmini._src.programs.serving.rest import RestApplication
from tfmini._src.programs.serving.service import Options, Service
from tfmini._src.programs.serving.shutdown import Shutdown
from tfmini._src.programs.serving.workers import Workers

# Seconds after which a step yields the GIL to the event loop: with Python's 5 ms, a few steps with Python loops delay
# each request by tens of milliseconds.
_SWITCH_INTERVAL = 0.0001
# Maximum requests per connection to one of several workers: persistent clients spread to a replaced worker too.
_REQUESTS_TO_A_WORKER = 100
_OWN_FILES = 64  # file descriptors for models and logs
_GRPC_SHARE = 4  # a quarter of the other descriptors is for gRPC, whose connections are multiplexed


def serve(options: Options, host: str, rest_port: int, grpc_port: int | None, workers: int) -> bool:
    """Serves until SIGTERM or SIGINT, completing requests in progress; returns False if the workers cannot start.

    Args:
      options: options of each process.
      host: the address to bind.
      rest_port: HTTP port; 0: any free one.
      grpc_port: gRPC port, likewise; None: no gRPC.
      workers: number of processes.

    Raises:
      OSError: if it cannot bind the address.
    """
    with contextlib.ExitStack() as stack:
        rest_socket = stack.enter_context(_bind_socket(host, rest_port))
        scheme = "http" if options.tls is None else "https"
        addresses, grpc = f"REST at {scheme}://{_address_text(rest_socket)}", ""
        if grpc_port is not None:
            grpc = _address_text(stack.enter_context(_reserve_port(host, grpc_port)))
            addresses += f", gRPC at {grpc}"
        print(addresses, flush=True)
        for source in options.sources:
            print(f"serving {source.name} from {source.base_directory}", flush=True)
        directory = stack.enter_context(tempfile.TemporaryDirectory()) if workers > 1 else ""
        # Concurrent single-threaded steps reach a third more throughput than sequential multi-threaded ones.
        cores = thread_count() // (workers * options.threads)
        options = dataclasses.replace(options, op_threads=max(1, cores))
        protocol: Any = functools.partial(
            HttpProtocol,
            max_connections=_max_connections(options)[0],
            max_requests=_REQUESTS_TO_A_WORKER if workers > 1 else None,
        )
        config = uvicorn.Config(
            functools.partial(application, options, grpc, directory),
            factory=True,
            workers=workers,
            loop=f"{__name__}:{EventLoop.__name__}",
            http=protocol,
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            proxy_headers=bool(options.proxies),
            forwarded_allow_ips=options.proxies,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=int(options.timeout) + 1,
            **({} if options.tls is None else options.tls.uvicorn_arguments()),
        )
        if workers > 1:
            return Workers(config, [rest_socket]).run()
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, _on_signal)
        uvicorn.Server(config).run([rest_socket])
        return True


class EventLoop(asyncio.SelectorEventLoop):
    """asyncio event loop that applies the request-header timeout to TLS handshakes."""

    async def create_server(self, *arguments: Any, **options: Any) -> Any:
        """Same as asyncio's method."""
        if options.get("ssl") is not None:
            options["ssl_handshake_timeout"] = MAX_HEAD_SECONDS
        create: Any = super().create_server
        return await create(*arguments, **options)


def _max_connections(options: Options) -> tuple[int, int]:
    """Returns the connection limits of HTTP and gRPC; they reserve some file descriptors for the server itself."""
    connection_limit = options.max_connections
    if resource is None:
        return connection_limit, connection_limit
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    free = (
        (1 + _GRPC_SHARE) * connection_limit
        if limit == resource.RLIM_INFINITY
        else limit - _OWN_FILES
    )
    grpc_connections = max(1, min(connection_limit, free // _GRPC_SHARE))
    return max(1, min(connection_limit, free - grpc_connections)), grpc_connections


def _on_signal(signum: int, frame: Any) -> None:
    """Handler of the signal that uvicorn re-raises after a shutdown."""


def application(options: Options, grpc_address: str, metrics_directory: str) -> Any:
    """Creates the ASGI application of a process; all workers share `metrics_directory`, "" for a single process."""
    if metrics_directory:
        map_tensors()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    gc.freeze()  # a garbage collection of all modules would delay requests by milliseconds
    service = Service(options, metrics_directory)

    @contextlib.asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            shutdown = Shutdown(service, options.drain)
            with shutdown.cancellable_startup():
                await stack.enter_async_context(service.running())
            if grpc_address:
                _, connection_limit = _max_connections(options)
                server = await GrpcServices(service).start(grpc_address, connection_limit)
                stack.push_async_callback(lambda: server.stop(shutdown.remaining(options.timeout)))
                shutdown.action = lambda: server.stop(options.timeout)
            if _is_first_process(metrics_directory):
                print(f"ready: {service.models_text()}", flush=True)
            yield

    return service.access_log.log_application(RestApplication(service, lifespan))


def _is_first_process(directory: str) -> bool:
    """Whether this is the first process with this directory to call the function."""
    with contextlib.suppress(FileExistsError):
        if directory:
            os.mkdir(os.path.join(directory, "ready"))
        return True
    return False


def _bind_socket(host: str, port: int) -> socket.socket:
    """Returns a listening socket shared by workers."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY depending on the protocol number.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OSError(error.errno, f"{error.strerror}: {host}:{port}") from None
    bound.set_inheritable(True)
    return bound


def _reserve_port(host: str, port: int) -> socket.socket:
    """Returns a socket that reserves a port; each worker listens there with its own socket."""
    with _bind_socket(host, port) as free:  # fails if another server listens on it
        port = free.getsockname()[1]
    shared = socket.socket(free.family)
    if has_port_sharing:
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind((host, port))
    return shared


def _address_text(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
