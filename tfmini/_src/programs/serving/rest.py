"""TensorFlow Serving's REST interface."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from tfmini._src.base import errors, proto
from tfmini._src.cluster.grpc_server import error_status
from tfmini._src.programs.serving import json_tensors
from tfmini._src.programs.serving.asgi import PLAIN_TEXT, Receive, Request, Response, Send
from tfmini._src.programs.serving.example_signatures import classes_and_scores, regressions
from tfmini._src.programs.serving.model_versions import Version
from tfmini._src.programs.serving.rest_paths import METADATA, STATUS, ModelPath, model_path
from tfmini._src.programs.serving.served_model import Arrays
from tfmini._src.programs.serving.service import Service, Spec
from tfmini._src.programs.serving.timers import Timers
from tfmini._src.saved_model.signature_constants import CLASSIFY_METHOD_NAME, REGRESS_METHOD_NAME

HTTP_STATUS = {
    errors.CANCELLED: 499,
    errors.UNKNOWN: 500,
    errors.INVALID_ARGUMENT: 400,
    errors.DEADLINE_EXCEEDED: 504,
    errors.NOT_FOUND: 404,
    errors.ALREADY_EXISTS: 409,
    errors.PERMISSION_DENIED: 403,
    errors.RESOURCE_EXHAUSTED: 429,
    errors.FAILED_PRECONDITION: 400,
    errors.ABORTED: 409,
    errors.OUT_OF_RANGE: 400,
    errors.UNIMPLEMENTED: 501,
    errors.INTERNAL: 500,
    errors.UNAVAILABLE: 503,
    errors.DATA_LOSS: 500,
    errors.UNAUTHENTICATED: 401,
}
_TOO_LARGE = 413
_GET = ("GET", "HEAD")
_MAX_PAUSE_SECONDS = 10.0  # seconds without a byte of a request; SIGTERM waits as long

T = TypeVar("T")


class _RequestTooLargeError(errors.ResourceExhaustedError):
    """A request larger than allowed."""


class RestApplication:
    """The REST interface to a service: an ASGI application; `lifespan` is the context manager of its resources."""

    def __init__(self, service: Service, lifespan: Callable[[], AbstractAsyncContextManager[None]]):
        self._service = service
        self._lifespan = lifespan
        self._pauses = Timers(_MAX_PAUSE_SECONDS)
        self._methods = {
            "predict": self._predict,
            "classify": self._classify,
            "regress": self._regress,
        }

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Handles a request, or the server's lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await self._response(request)
        except Exception as error:
            code, text = error_status(error)
            await _json({"error": text}, HTTP_STATUS[code]).send(send)
            raise
        await response.send(send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Reports completed startup and shutdown to the server, or the failure."""
        await receive()
        stage = "startup"
        try:
            async with self._lifespan():
                await send({"type": "lifespan.startup.complete"})
                stage = "shutdown"
                await receive()
        except BaseException as error:
            if self._service.is_ending and isinstance(error, asyncio.CancelledError):
                await send({"type": f"lifespan.{stage}.complete"})  # ended by a signal: no failure
                return
            await send({"type": f"lifespan.{stage}.failed", "message": traceback.format_exc()})
            raise
        await send({"type": "lifespan.shutdown.complete"})

    async def _response(self, request: Request) -> Response:
        method, path = request.method, request.path
        path_of_model = model_path(path, method == "POST")
        if path_of_model is not None and method in ("POST", *_GET):
            if method == "POST" and path_of_model.api not in self._methods:
                return _malformed_response(request)
            return await self._answer(request, path_of_model)
        if method in _GET and path == "/healthz":
            return self._health()
        if method in _GET and path in self._service.options.metrics_paths:
            return Response(200, [self._service.metrics.text().encode()], PLAIN_TEXT)
        return _malformed_response(request)

    async def _answer(self, request: Request, path: ModelPath) -> Response:
        try:
            work = self._work(request, path)
            return Response(200, await self._service.answer(path.model, path.api, "REST", work))
        except Exception as error:  # any error is reported to the client
            code, text = self._service.errors.error_status(error)
            status = _TOO_LARGE if isinstance(error, _RequestTooLargeError) else HTTP_STATUS[code]
            return _json({"error": text}, status)

    async def _work(self, request: Request, path: ModelPath) -> list[bytes]:
        """Returns the chunks of the response; drops clients that stop sending."""
        if path.api == METADATA:
            return self._metadata(path.spec())
        if path.api == STATUS:
            return self._versions(path.spec())
        with self._service.held_bytes.request() as reserve_bytes:
            body = await self._body(request, reserve_bytes)
            return await request.cancel_if_disconnected(self._methods[path.api](path, body))

    async def _body(self, request: Request, reserve_bytes: Callable[[int], None]) -> bytearray:
        max_bytes, body, is_complete = self._service.options.largest, bytearray(), False
        try:
            while not is_complete:
                async with self._pauses.limit():
                    part, is_complete = await request.part()
                reserve_bytes(len(part))
                body += part
                if len(body) > max_bytes:
                    raise _RequestTooLargeError(
                        None, None, f"The request exceeds {max_bytes} bytes"
                    )
        except TimeoutError:
            text = f"The request sent no data for {_MAX_PAUSE_SECONDS:g} s"
            raise errors.DeadlineExceededError(None, None, text) from None
        return body

    async def _predict(self, path: ModelPath, body: bytearray) -> list[bytes]:
        async with self._service.bodies.parse(body) as request:
            _, signature = self._service.find(path.spec(request.signature))
            inputs, is_row_format = await request.inputs(signature.dtypes)
        results = await self._service.run(signature, inputs)
        return await self._service.answers.encode(results, is_row_format)

    async def _classify(self, path: ModelPath, body: bytearray) -> list[bytes]:
        labels, scores = await self._run_examples(
            path, body, CLASSIFY_METHOD_NAME, classes_and_scores
        )
        pairs = zip(labels, json_tensors.as_json_values("scores", scores))
        return [_encode({"results": [list(zip(*pair)) for pair in pairs]})]

    async def _regress(self, path: ModelPath, body: bytearray) -> list[bytes]:
        values = await self._run_examples(path, body, REGRESS_METHOD_NAME, regressions)
        return [_encode({"results": json_tensors.as_json_values("results", values)})]

    async def _run_examples(
        self, path: ModelPath, body: bytearray, method: str, form: Callable[[Arrays, int], T]
    ) -> T:
        async with self._service.bodies.parse(body) as request:
            spec = path.spec(request.signature)
            examples = await request.examples()
        return (await self._service.run_examples(spec, method, examples, form))[2]

    def _metadata(self, spec: Spec) -> list[bytes]:
        version_number, signatures = self._service.signatures(spec)
        definitions = {
            name: proto.as_full_json(signature.message) for name, signature in signatures.items()
        }
        model_spec = {"name": spec.name, "signature_name": "", "version": str(version_number)}
        metadata = {"signature_def": {"signature_def": definitions}}
        return [_encode({"model_spec": model_spec, "metadata": metadata})]

    def _versions(self, spec: Spec) -> list[bytes]:
        versions = self._service.versions(spec)
        hidden = self._service.errors.hidden
        statuses = [_state(n, v, hidden(v.text)) for n, v in versions.items()]
        return [_encode({"model_version_status": statuses})]

    def _health(self) -> Response:
        ready = self._service.ready()
        text = "ending" if self._service.is_ending else "loading"
        return Response(200 if ready else 503, [b"ready" if ready else text.encode()], PLAIN_TEXT)


def _state(version_number: int, version: Version, text: str) -> dict[str, Any]:
    code = proto.Code.Name(version.code)
    return {
        "version": str(version_number),
        "state": version.state,
        "status": {"error_code": code, "error_message": text},
    }


def _encode(value: Any) -> bytes:
    return json_tensors.encode(value).encode()


def _json(value: Any, status: int) -> Response:
    return Response(status, [_encode(value)])


def _malformed_response(request: Request) -> Response:
    """Returns the response for an unknown path or method; for model paths, same as TensorFlow Serving's."""
    text = f"Malformed request: {request.method} {request.path}"
    return _json({"error": text}, 400 if request.path.startswith("/v1/") else 404)
