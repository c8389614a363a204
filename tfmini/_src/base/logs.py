"""`tf.logging`: functions that log to a single logger of Python's `logging` module.

The logger is named `tensorflow`, as expected by programs that set its level. If the program has configured logging
before the first message, its handlers apply; otherwise messages of level WARN and above go to
stderr as `WARNING:tensorflow:text`. In interactive sessions messages from INFO go to stdout.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from logging import DEBUG, ERROR, FATAL, INFO, WARN
from typing import Any

from tfmini._src.base.locks import make_lock

__all__ = [
    *("DEBUG", "ERROR", "FATAL", "INFO", "WARN", "TaskLevelStatusMessage", "debug", "error"),
    *("fatal", "flush", "get_logger", "get_verbosity", "info", "log", "log_every_n"),
    *("log_first_n", "log_if", "set_verbosity", "vlog", "warn", "warning"),
]

_logger: logging.Logger | None = None
_lock = make_lock()
_counts: Counter[tuple[str, int]] = Counter()


def get_logger() -> logging.Logger:
    """Returns the logger used by this module; its handlers and level may be changed."""
    global _logger
    if _logger is None:
        with _lock:
            if _logger is None:
                _logger = _set_up(logging.getLogger("tensorflow"))
    return _logger


def _set_up(logger: logging.Logger) -> logging.Logger:
    if not logging.getLogger().handlers:
        interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
        handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
        handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        logger.addHandler(handler)
        if interactive:
            logger.setLevel(INFO)
    return logger


def _log_for_caller(
    level: int, msg: Any, args: tuple[Any, ...], kwargs: Any, depth: int = 3
) -> None:
    """Logs with the caller's caller as the source line."""
    get_logger().log(level, msg, *args, stacklevel=depth, **kwargs)


def log(level: int, msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level such as `tf.logging.INFO`."""
    _log_for_caller(level, msg, args, kwargs)


def vlog(level: int, msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level; same as `log`."""
    if (_logger or get_logger()).isEnabledFor(level):
        _log_for_caller(level, msg, args, kwargs)


def debug(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level DEBUG."""
    _log_for_caller(DEBUG, msg, args, kwargs)


def info(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level INFO."""
    _log_for_caller(INFO, msg, args, kwargs)


def warn(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _log_for_caller(WARN, msg, args, kwargs)


def warning(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _log_for_caller(WARN, msg, args, kwargs)


def error(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level ERROR."""
    _log_for_caller(ERROR, msg, args, kwargs)


def fatal(msg: str | None, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level FATAL; does not exit."""
    _log_for_caller(FATAL, msg, args, kwargs)


def TaskLevelStatusMessage(msg: str | None) -> None:
    """Logs a message about the state of the whole task at level ERROR."""
    _log_for_caller(ERROR, msg, (), {})


def log_if(level: int, msg: str | None, condition: bool, *args: Any) -> None:
    """Logs `msg % args` if `condition` is true."""
    if condition:
        _log_for_caller(level, msg, args, {})


def log_every_n(level: int, msg: str | None, n: int, *args: Any) -> None:
    """Logs the first of every `n` calls from the same program line."""
    if _times_called_before() % n == 0:
        _log_for_caller(level, msg, args, {})


def log_first_n(level: int, msg: str | None, n: int, *args: Any) -> None:
    """Logs the first `n` calls from the same program line."""
    if _times_called_before() < n:
        _log_for_caller(level, msg, args, {})


def _times_called_before() -> int:
    """Returns the number of earlier calls from the program line that called the logging function."""
    frame = sys._getframe(2)
    line = (frame.f_code.co_filename, frame.f_lineno)
    with _lock:
        _counts[line] += 1
        return _counts[line] - 1


def flush() -> None:
    """Flushes the logger's handlers."""
    for handler in get_logger().handlers:
        handler.flush()


def get_verbosity() -> int:
    """Returns the logger's effective level: 30 (WARN) by default."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Sets the logger's level, such as `tf.logging.INFO` or `"INFO"`."""
    get_logger().setLevel(v)
