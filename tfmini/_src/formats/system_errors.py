"""Translation of operating system errors to TensorFlow's."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import errors

_CODES: dict[Any, tuple[str, ...]] = {
    errors.InvalidArgumentError: (
        *("EINVAL", "ENAMETOOLONG", "E2BIG", "EDESTADDRREQ", "EDOM", "EFAULT", "EILSEQ"),
        *("ENOPROTOOPT", "ENOSTR", "ENOTSOCK", "ENOTTY", "EPROTOTYPE", "ESPIPE"),
    ),
    errors.DeadlineExceededError: ("ETIMEDOUT", "ETIME"),
    errors.NotFoundError: ("ENODEV", "ENOENT", "ENXIO", "ESRCH"),
    errors.AlreadyExistsError: ("EEXIST", "EADDRNOTAVAIL", "EALREADY"),
    errors.PermissionDeniedError: ("EPERM", "EACCES", "EROFS"),
    errors.FailedPreconditionError: (
        *("ENOTEMPTY", "EISDIR", "ENOTDIR", "EADDRINUSE", "EBADF", "EBUSY", "ECHILD"),
        *("EISCONN", "ENOTBLK", "ENOTCONN", "EPIPE", "ESHUTDOWN", "ETXTBSY"),
    ),
    errors.ResourceExhaustedError: (
        *("ENOSPC", "EDQUOT", "EMFILE", "EMLINK", "ENFILE", "ENOBUFS", "ENODATA", "ENOMEM"),
        *("ENOSR", "EUSERS"),
    ),
    errors.OutOfRangeError: ("EFBIG", "EOVERFLOW", "ERANGE"),
    errors.UnimplementedError: ("ENOSYS", "ENOTSUP", "EAFNOSUPPORT", "EPFNOSUPPORT"),
    errors.UnavailableError: ("EAGAIN", "EINTR", "ENETDOWN", "ENETUNREACH", "ENOLCK", "ENOLINK"),
    errors.AbortedError: ("EDEADLK", "ESTALE"),
    errors.CancelledError: ("ECANCELED",),
}
_ERROR_CLASSES = {
    getattr(errno, name): error_class
    for error_class, names in _CODES.items()
    for name in names
    if hasattr(errno, name)
}


def system_error(error: OSError, path: str) -> errors.OpError:
    """Returns TensorFlow's error for a failed system operation on `path`."""
    code = error.errno or 0
    error_class = _ERROR_CLASSES.get(code, errors.UnknownError)
    return error_class(None, None, f"{path}; {os.strerror(code)}")


@contextlib.contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Context manager that translates system errors to TensorFlow's errors about `path`."""
    try:
        yield
    except OSError as error:
        raise system_error(error, path) from error
