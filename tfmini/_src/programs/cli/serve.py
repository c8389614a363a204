"""`python -m tfmini serve DIR`: SavedModels behind TensorFlow Serving's interfaces."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base.errors import OpError
from tfmini._src.programs.cli.printable import complain

ABOUT = """\
Serve SavedModels through TensorFlow Serving's REST and gRPC APIs. DIR contains the versions of a model in numbered
directories, or is itself a SavedModel. On SIGTERM or Ctrl-C, requests in progress are completed first. Requires the
extra serve."""


def _number_type(number_type: type, minimum: float, maximum: float) -> Callable[[str], Any]:
    """Returns the argument type for numbers in a range."""

    def read(text: str) -> Any:
        try:
            value = number_type(text)
        except ValueError:
            value = math.nan
        if not minimum <= value <= maximum:
            expected = "an integer" if number_type is int else "a number"
            raise argparse.ArgumentTypeError(
                f"{text} is not {expected} from {minimum:,} to {maximum:,}"
            )
        return value

    return read


_COUNT = _number_type(int, 1, 1_000_000)
_POSITIVE = _number_type(float, 0.001, 1_000_000)
_PORT = _number_type(int, 0, 65_535)


def _port_or_none(text: str) -> int | None:
    return None if text == "none" else int(_PORT(text))


def _version_count(text: str) -> int:
    return 0 if text == "all" else int(_COUNT(text))


def _name(text: str) -> str:
    if not text or "/" in text or ":" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a valid name: / and : are not allowed")
    return text


def _networks(text: str) -> str:
    for part in text.split(","):
        try:
            ipaddress.ip_network(part.strip())
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return text


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "serve",
        help="serve SavedModels as TensorFlow Serving does",
        description=ABOUT,
    )
    parser.add_argument("base_directory", metavar="DIR", nargs="?", help="model directory")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="serve several models, instead of DIR: TensorFlow Serving's model_config_file",
    )
    parser.add_argument("--name", type=_name, help="model name in requests (the name of DIR)")
    parser.add_argument(
        "--versions",
        type=_version_count,
        default=1,
        metavar="N|all",
        help="number of newest versions to serve (1)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to bind to (127.0.0.1; 0.0.0.0: all)"
    )
    parser.add_argument(
        "--rest-port",
        type=_PORT,
        default=8501,
        metavar="PORT",
        help="REST port (8501; 0: any free one)",
    )
    parser.add_argument(
        "--grpc-port",
        type=_port_or_none,
        default=8500,
        metavar="PORT",
        help="gRPC port (8500; 0: any free one; none: no gRPC)",
    )
    parser.add_argument(
        "--watch",
        type=_POSITIVE,
        nargs="?",
        const=1.0,
        default=0.0,
        metavar="SECONDS",
        help="load and unload versions as they appear and disappear; polling interval (1)",
    )
    parser.add_argument(
        "--batch",
        type=_COUNT,
        default=1,
        metavar="ROWS",
        help="maximum rows of a batch of requests (1: no batching)",
    )
    parser.add_argument(
        "--batch-wait",
        type=_number_type(float, 0, 1_000_000_000),
        default=0.0,
        metavar="MS",
        help="maximum time a request waits for its batch while a thread is idle, in milliseconds (0)",
    )
    parser.add_argument(
        "--threads",
        type=_COUNT,
        default=4,
        help="concurrent steps per worker, which share its cores (4)",
    )
    parser.add_argument(
        "--workers",
        type=_COUNT,
        default=1,
        metavar="N",
        help="number of server processes, which share the memory of weights (1)",
    )
    parser.add_argument(
        "--timeout", type=_POSITIVE, default=60.0, metavar="SECONDS", help="request timeout (60)"
    )
    parser.add_argument(
        "--max-request",
        type=_POSITIVE,
        default=256.0,
        metavar="MB",
        help="maximum request size (256)",
    )
    parser.add_argument(
        "--max-waiting",
        type=_COUNT,
        default=1000,
        metavar="N",
        help="maximum requests in progress; others are refused (1000)",
    )
    parser.add_argument(
        "--max-connections",
        type=_COUNT,
        default=1000,
        metavar="N",
        help="maximum open HTTP connections per process; others are refused (1000)",
    )
    parser.add_argument(
        "--tls-certificate",
        metavar="FILE",
        help="serve HTTPS and gRPC over TLS: certificate chain in PEM, with --tls-key",
    )
    parser.add_argument("--tls-key", metavar="FILE", help="private key of --tls-certificate in PEM")
    parser.add_argument(
        "--tls-client-ca",
        metavar="FILE",
        help="require client certificates issued by these authorities (mutual TLS)",
    )
    parser.add_argument(
        "--ssl-config",
        metavar="FILE",
        help="TLS settings, instead of --tls-...: TensorFlow Serving's ssl_config_file",
    )
    parser.add_argument(
        "--access-log",
        metavar="FILE",
        nargs="?",
        const="-",
        default="",
        help="append a line of JSON for each request to FILE (to standard output)",
    )
    parser.add_argument(
        "--proxies",
        type=_networks,
        metavar="NETWORKS",
        help="trust X-Forwarded-For from these HTTP proxies in the access log, e.g. 10.0.0.0/8,::1 (none)",
    )
    parser.add_argument(
        "--monitoring-config",
        metavar="FILE",
        help="HTTP path of the metrics: TensorFlow Serving's monitoring_config_file",
    )
    parser.add_argument(
        "--drain",
        type=_number_type(float, 0, 1_000_000),
        default=0.0,
        metavar="SECONDS",
        help="time to keep answering after SIGTERM while /healthz reports 503 (0)",
    )
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Serves until terminated by a signal; returns the exit status."""
    try:
        # Imported here since both need the extra `serve`; other commands run without it.
        from tfmini._src.programs.serving import server  # noqa: PLC0415
        from tfmini._src.programs.serving.arguments import check, server_options  # noqa: PLC0415
    except ModuleNotFoundError as error:
        complain("serve", f"{error}: pip install 'tfmini-runtime[serve]'")
        return 1
    check(arguments)
    try:
        with contextlib.ExitStack() as stack:
            options = server_options(arguments, stack)
            for source in options.sources:
                if not source.directories() and not options.watch:
                    text = f"{source.base_directory} contains neither a SavedModel nor numbered directories"
                    complain("serve", text)
                    return 1
            ports = arguments.rest_port, arguments.grpc_port
            return int(not server.serve(options, arguments.host, *ports, arguments.workers))
    except (OSError, OpError) as error:
        complain("serve", getattr(error, "message", None) or error)
        return 1
