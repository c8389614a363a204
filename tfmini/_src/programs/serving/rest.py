"""TensorFlow Serving's REST interface, as a Starlette application."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tfmini._src.base import errors, proto
from tfmini._src.cluster.grpc_server import status_of
from tfmini._src.programs.serving import json_tensors
from tfmini._src.programs.serving.example_signatures import classes_and_scores, regressions
from tfmini._src.programs.serving.model_versions import Version
from tfmini._src.programs.serving.parted_response import PartedResponse
from tfmini._src.programs.serving.served_model import Arrays
from tfmini._src.programs.serving.service import Service, Spec
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
_UNWATCHED = 0.05  # seconds in which nobody looks whether the client has disconnected: most steps are shorter
_LONGEST_PAUSE = 10.0  # seconds without a byte of a request; SIGTERM waits as long

T = TypeVar("T")


class _TooLarge(errors.ResourceExhaustedError):
    """A request of more bytes than are allowed."""


class Rest:
    """The REST interface to a service."""

    def __init__(self, service: Service):
        self._service = service

    def application(self, lifespan: Any) -> Starlette:
        """The application, whose `lifespan` starts and ends what it needs."""
        routes = []
        for version in ("", "/versions/{version:int}", "/labels/{label}"):
            model = f"/v1/models/{{model}}{version}"
            routes += [
                Route(f"{model}:{{method}}", self._method, methods=["POST"]),
                Route(f"{model}/metadata", self._metadata, methods=["GET"]),
                Route(model, self._status, methods=["GET"]),
            ]
        routes += [
            *(
                Route(path, self._metrics, methods=["GET"])
                for path in self._service.options.metrics_paths
            ),
            Route("/healthz", self._health, methods=["GET"]),
        ]
        handlers = {404: _malformed, 405: _malformed, Exception: _failed}
        application = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
        application.router.redirect_slashes = False
        return application

    async def _method(self, request: Request) -> Response:
        method = request.path_params["method"]
        work = {"predict": self._predict, "classify": self._classify, "regress": self._regress}
        if method not in work:
            return await _malformed(request, None)
        return await self._answer(request, method, self._read(request, work[method]))

    async def _metadata(self, request: Request) -> Response:
        return await self._answer(request, "metadata", self._described(_spec(request)))

    async def _status(self, request: Request) -> Response:
        return await self._answer(request, "status", self._versions(_spec(request)))

    async def _answer(self, request: Request, api: str, work: Any) -> Response:
        name = request.path_params["model"]
        if ":" in name:
            work.close()
            return await _malformed(request, None)
        try:
            return PartedResponse(await self._service.answered(name, api, "REST", work))
        except Exception as error:  # whatever it is, the client hears of it
            code, text = self._service.errors.status_of(error)
            status = _TOO_LARGE if isinstance(error, _TooLarge) else HTTP_STATUS[code]
            return _json({"error": text}, status)

    async def _read(
        self, request: Request, work: Callable[[Spec, bytearray], Coroutine[Any, Any, list[bytes]]]
    ) -> list[bytes]:
        """The answer to a request, once its body is there; a client that sends nothing more is not waited for."""
        with self._service.held_bytes.request() as hold:
            body = await self._body(request, hold)
            return await _unless_gone(request, work(_spec(request), body))

    async def _body(self, request: Request, hold: Callable[[int], None]) -> bytearray:
        most, body, parts = self._service.options.largest, bytearray(), request.stream()
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            async with asyncio.timeout(_LONGEST_PAUSE) as pause:
                async for part in parts:
                    if (now := loop.time()) > begin + 0.1:  # most bodies come at once
                        begin = now
                        pause.reschedule(now + _LONGEST_PAUSE)
                    hold(len(part))
                    body += part
                    if len(body) > most:
                        raise _TooLarge(None, None, f"The request has more than {most} bytes")
        except ClientDisconnect:
            raise errors.CancelledError(None, None, "The client has gone") from None
        except TimeoutError:
            text = f"Nothing more of the request came for {_LONGEST_PAUSE:g} s"
            raise errors.DeadlineExceededError(None, None, text) from None
        return body

    async def _predict(self, spec: Spec, body: bytearray) -> list[bytes]:
        async with self._service.bodies.parsed(body) as request:
            _, signature = self._service.find(replace(spec, signature=request.signature))
            inputs, by_row = await request.inputs(signature.dtypes)
        results = await self._service.run(signature, inputs)
        return await self._service.answers.written(results, by_row)

    async def _classify(self, spec: Spec, body: bytearray) -> list[bytes]:
        labels, scores = await self._of_examples(
            spec, body, CLASSIFY_METHOD_NAME, classes_and_scores
        )
        pairs = zip(labels, json_tensors.plain("scores", scores))
        return [_encoded({"results": [list(zip(*pair)) for pair in pairs]})]

    async def _regress(self, spec: Spec, body: bytearray) -> list[bytes]:
        values = await self._of_examples(spec, body, REGRESS_METHOD_NAME, regressions)
        return [_encoded({"results": json_tensors.plain("results", values)})]

    async def _of_examples(
        self, spec: Spec, body: bytearray, method: str, form: Callable[[Arrays, int], T]
    ) -> T:
        async with self._service.bodies.parsed(body) as request:
            asked = replace(spec, signature=request.signature)
            examples = await request.examples()
        return (await self._service.of_examples(asked, method, examples, form))[2]

    async def _described(self, spec: Spec) -> list[bytes]:
        number, signatures = self._service.signatures(spec)
        shown = {name: proto.as_full_json(each.message) for name, each in signatures.items()}
        model_spec = {"name": spec.name, "signature_name": "", "version": str(number)}
        metadata = {"signature_def": {"signature_def": shown}}
        return [_encoded({"model_spec": model_spec, "metadata": metadata})]

    async def _versions(self, spec: Spec) -> list[bytes]:
        versions = self._service.versions(spec)
        hidden = self._service.errors.hidden
        shown = [_state(n, v, hidden(v.text)) for n, v in versions.items()]
        return [_encoded({"model_version_status": shown})]

    async def _metrics(self, request: Request) -> Response:
        return PlainTextResponse(self._service.metrics.text())

    async def _health(self, request: Request) -> Response:
        ready = self._service.ready()
        text = "ending" if self._service.is_ending else "loading"
        return PlainTextResponse("ready" if ready else text, 200 if ready else 503)


async def _unless_gone(request: Request, work: Coroutine[Any, Any, list[bytes]]) -> list[bytes]:
    """The result of `work`, which is cancelled when the client disconnects.

    Raises:
      CancelledError: if it has.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    watches: list[asyncio.Task[None]] = []
    is_over = False

    def watch() -> None:
        watches.append(loop.create_task(_disconnected(request)))
        watches[0].add_done_callback(left)

    def left(_: object) -> None:
        if task is not None and not is_over:
            task.cancel()

    timer = loop.call_later(_UNWATCHED, watch)
    try:
        return await work
    except asyncio.CancelledError:
        if watches and watches[0].done():
            raise errors.CancelledError(None, None, "The client has gone") from None
        raise
    finally:
        is_over = True
        timer.cancel()
        for each in watches:
            each.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _spec(request: Request) -> Spec:
    given = request.path_params
    return Spec(given["model"], given.get("version"), given.get("label", ""))


def _state(number: int, version: Version, text: str) -> dict[str, Any]:
    code = proto.Code.Name(version.code)
    return {
        "version": str(number),
        "state": version.state,
        "status": {"error_code": code, "error_message": text},
    }


def _encoded(value: Any) -> bytes:
    return json_tensors.encoded(value).encode()


def _json(value: Any, status: int) -> Response:
    return Response(_encoded(value), status, media_type="application/json")


async def _malformed(request: Request, error: Any) -> Response:
    """The answer to a path or method that there is not: for those of models as TensorFlow Serving gives it."""
    text = f"Malformed request: {request.method} {request.url.path}"
    return _json({"error": text}, 400 if request.url.path.startswith("/v1/") else 404)


async def _failed(request: Request, error: Exception) -> Response:
    code, text = status_of(error)
    return _json({"error": text}, HTTP_STATUS[code])
