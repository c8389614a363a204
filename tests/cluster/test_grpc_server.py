"""Errors as call statuses."""

import errno
import os

import pytest

import tfmini as tf
from tfmini._src.cluster.grpc_server import error_status


def test_error_text_is_utf8():
    lone = b"\xff".decode(errors="surrogateescape")
    for error, code in (
        (tf.errors.NotFoundError(None, None, f"no {lone}"), tf.errors.NOT_FOUND),
        (ValueError(f"no {lone}"), tf.errors.INTERNAL),
    ):
        actual, text = error_status(error)
        assert actual == code
        assert text.endswith("no ?") and text.encode()


def missing_name():
    with pytest.raises(ImportError, match="no_such_name") as caught:
        exec("from os import no_such_name")
    return caught.value


@pytest.mark.parametrize(
    "error, code, text",
    [
        (
            FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/srv/key"),
            tf.errors.INTERNAL,
            "FileNotFoundError: No such file or directory",
        ),
        (
            OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/lib/late.py"),
            tf.errors.RESOURCE_EXHAUSTED,
            "OSError: Too many open files",
        ),
        (OSError("no errno"), tf.errors.INTERNAL, "OSError: no errno"),
        (
            missing_name(),
            tf.errors.INTERNAL,
            "ImportError: cannot import name 'no_such_name' from 'os'",
        ),
    ],
)
def test_server_file_errors_hide_paths(error, code, text):
    assert error_status(error) == (code, text)
