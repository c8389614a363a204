"""Server options from the arguments of `tfmini serve`."""

from __future__ import annotations

import argparse
import contextlib
import os

from tfmini._src.programs.serving.access_log import STANDARD_OUTPUT, AccessLog
from tfmini._src.programs.serving.config_files import read_metrics_paths, read_model_configs
from tfmini._src.programs.serving.metrics import METRICS_PATHS
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options
from tfmini._src.programs.serving.tls import Tls, configure


def check(arguments: argparse.Namespace) -> None:
    """Exits with a usage error if arguments conflict or are incomplete."""
    exit_with_error = arguments.parser.error
    if (arguments.base_directory is None) == (arguments.config is None):
        exit_with_error("pass either DIR or --config FILE")
    tls = [arguments.tls_certificate, arguments.tls_key, arguments.tls_client_ca]
    if any(tls) and not all(tls[:2]):
        exit_with_error("TLS requires both --tls-certificate and --tls-key")
    if any(tls) and arguments.ssl_config:
        exit_with_error("pass either --ssl-config or --tls-certificate and --tls-key")


def server_options(arguments: argparse.Namespace, stack: contextlib.ExitStack) -> Options:
    """Creates the options; enters resources for the server's lifetime in `stack`.

    Raises:
      OSError, InvalidArgumentError: if a file named by an argument is missing or invalid.
    """
    return Options(
        _model_sources(arguments),
        arguments.batch,
        arguments.batch_wait / 1e3,
        arguments.watch,
        arguments.threads,
        max_waiting=arguments.max_waiting,
        timeout=arguments.timeout,
        largest=int(arguments.max_request * (1 << 20)),
        max_connections=arguments.max_connections,
        tls=_tls(arguments, stack),
        access_log=_access_log(arguments.access_log),
        proxies=arguments.proxies or "",
        drain=arguments.drain,
        metrics_paths=read_metrics_paths(arguments.monitoring_config)
        if arguments.monitoring_config
        else METRICS_PATHS,
    )


def _model_sources(arguments: argparse.Namespace) -> tuple[Source, ...]:
    if arguments.config:
        return read_model_configs(arguments.config)
    directory = os.path.abspath(arguments.base_directory)
    return (Source(arguments.name or os.path.basename(directory), directory, arguments.versions),)


def _access_log(path: str) -> str:
    if path in ("", STANDARD_OUTPUT):
        return path
    AccessLog(path).close()  # rejected before the server starts
    return os.path.abspath(path)


def _tls(arguments: argparse.Namespace, stack: contextlib.ExitStack) -> Tls | None:
    if arguments.ssl_config:
        tls = stack.enter_context(configure(arguments.ssl_config))
    elif arguments.tls_certificate:
        tls = Tls(arguments.tls_certificate, arguments.tls_key, arguments.tls_client_ca or "")
    else:
        return None
    tls.check()
    return tls
