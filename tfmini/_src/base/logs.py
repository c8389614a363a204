"""Log messages: the functions of `tf.logging`, over one logger of Python's own `logging` module.

The logger is called `tensorflow`, as programs that set its level expect. If the program has set up logging
by the time of the first message, that is what handles it; if not, messages of level WARN and above go to
stderr as `WARNING:tensorflow:text`. In an interactive session they go to stdout, from INFO on.
"""

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
    """The logger that everything here writes to; its handlers and level may be changed."""
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


def _write(level: int, msg: Any, args: tuple[Any, ...], kwargs: Any, depth: int = 3) -> None:
    """Logs as if from the caller of the caller."""
    get_logger().log(level, msg, *args, stacklevel=depth, **kwargs)


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level such as `tf.logging.INFO`."""
    _write(level, msg, args, kwargs)


def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level; the same as `log`."""
    _write(level, msg, args, kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level DEBUG."""
    _write(DEBUG, msg, args, kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level INFO."""
    _write(INFO, msg, args, kwargs)


def warn(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _write(WARN, msg, args, kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN."""
    _write(WARN, msg, args, kwargs)


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level ERROR."""
    _write(ERROR, msg, args, kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level FATAL; the program goes on."""
    _write(FATAL, msg, args, kwargs)


def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a message about the state of the whole task, at level ERROR."""
    _write(ERROR, msg, (), {})


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs `msg % args` if the condition is true."""
    if condition:
        _write(level, msg, args, {})


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs the first of every `n` calls made from this line of the program."""
    if _times_called_before() % n == 0:
        _write(level, msg, args, {})


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs the first `n` calls made from this line of the program."""
    if _times_called_before() < n:
        _write(level, msg, args, {})


def _times_called_before() -> int:
    """The number of earlier visits to the line that called the caller."""
    frame = sys._getframe(2)
    line = (frame.f_code.co_filename, frame.f_lineno)
    with _lock:
        _counts[line] += 1
        return _counts[line] - 1


def flush() -> None:
    """Writes out what the logger's handlers have buffered."""
    for handler in get_logger().handlers:
        handler.flush()


def get_verbosity() -> int:
    """The level from which messages are shown: 30, which is WARN, unless set."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int | str) -> None:
    """Sets the level from which messages are shown, such as `tf.logging.INFO` or `"INFO"`."""
    get_logger().setLevel(v)
