"""Errors as the statuses of calls."""

import tfmini as tf
from tfmini._src.cluster.grpc_server import status_of


def test_the_text_of_an_error_is_utf8():
    lone = b"\xff".decode(errors="surrogateescape")
    for error, code in (
        (tf.errors.NotFoundError(None, None, f"no {lone}"), tf.errors.NOT_FOUND),
        (ValueError(f"no {lone}"), tf.errors.INTERNAL),
    ):
        given, text = status_of(error)
        assert given == code
        assert text.endswith("no ?") and text.encode()
