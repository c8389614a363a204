"""TensorFlow Serving's gRPC services PredictionService and ModelService, and gRPC's health check."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import grpc
import grpc.aio

from tfmini._src.base import proto
from tfmini._src.base.errors import INTERNAL, NotFoundError, ResourceExhaustedError, invalid
from tfmini._src.cluster.grpc_server import shorten_message
from tfmini._src.programs.serving import access_log, multi_inference, tensor_messages
from tfmini._src.programs.serving.http_protocol import KEEP_ALIVE, MAX_HEAD_SECONDS
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.model_versions import STATES
from tfmini._src.programs.serving.served_model import Arrays, ServedSignature
from tfmini._src.programs.serving.service import Service, Spec
from tfmini._src.saved_model.signature_constants import CLASSIFY_METHOD_NAME, REGRESS_METHOD_NAME

_PREDICTION, _MODEL = "tensorflow.serving.PredictionService", "tensorflow.serving.ModelService"
_HEALTH = "grpc.health.v1.Health"
_SERVING, _NOT_SERVING = 1, 2
_MAX_BYTES = (1 << 31) - 1  # maximum bytes of a message
_SIGNATURES = "signature_def"  # the only supported metadata field
_CODES = {code.value[0]: code for code in grpc.StatusCode}
Method = Callable[[Any], Coroutine[Any, Any, Any]]


class GrpcServices:
    """The gRPC interface to a service."""

    def __init__(self, service: Service):
        self._service = service

    async def start(self, address: str, max_connections: int) -> Any:
        """Starts a server on an address that other processes may share.

        A connection over the limit, without an RPC for a minute or with a handshake of over 15 seconds is closed.
        """
        max_bytes = min(self._service.options.largest, _MAX_BYTES)
        options = (
            ("grpc.max_receive_message_length", max_bytes),
            ("grpc.so_reuseport", 1),
            ("grpc.max_allowed_incoming_connections", max_connections),
            ("grpc.max_connection_idle_ms", round(1000 * KEEP_ALIVE)),
            ("grpc.server_handshake_timeout_ms", round(1000 * MAX_HEAD_SECONDS)),
        )
        server = grpc.aio.server(options=options)
        methods = {
            _PREDICTION: {
                "Predict": ("PredictRequest", self._predict),
                "Classify": ("ClassificationRequest", self._classify),
                "Regress": ("RegressionRequest", self._regress),
                "MultiInference": ("MultiInferenceRequest", self._multi_inference),
                "GetModelMetadata": ("GetModelMetadataRequest", self._metadata),
            },
            _MODEL: {"GetModelStatus": ("GetModelStatusRequest", self._status)},
        }
        handlers = {
            name: {method: self._handler(method, *row) for method, row in table.items()}
            for name, table in methods.items()
        }
        handlers[_HEALTH] = {
            "Check": grpc.unary_unary_rpc_method_handler(
                self._messages("HealthCheckRequest", self._check)
            )
        }
        server.add_generic_rpc_handlers(
            tuple(grpc.method_handlers_generic_handler(*row) for row in handlers.items())
        )
        tls = self._service.options.tls
        if tls is None:
            server.add_insecure_port(address)
        else:
            server.add_secure_port(address, tls.grpc_credentials())
        await server.start()
        return server

    def _handler(self, api: str, request_type: str, method: Method) -> Any:
        """Returns the handler of a model request, which enforces the limits and counts the request."""

        async def answer(request: Any) -> Any:
            name = _model_spec(request).name
            return await self._service.answer(name, api, "gRPC", method(request))

        run = self._messages(request_type, answer)

        async def handle_logged(data: bytes, call: Any) -> Any:
            with self._service.access_log.request("gRPC", _peer(call)) as access:
                access.method, access.request_bytes = api, len(data)
                access.status = grpc.StatusCode.CANCELLED.name  # default status of a call
                response = await run(data, call)
                access.status, access.response_bytes = grpc.StatusCode.OK.name, len(response)
                return response

        return grpc.unary_unary_rpc_method_handler(handle_logged)

    def _messages(self, request_type: str, method: Method) -> Any:
        """Returns a handler that converts messages, and errors to the call's status; a thread parses large messages."""
        parsed = MESSAGES[request_type].FromString

        async def run(data: bytes, call: Any) -> Any:
            try:
                with self._service.held_bytes.request() as reserve_bytes:
                    reserve_bytes(len(data))
                    reading = self._service.run_offloaded(len(data), parsed, data)
                    response = await method(await self._service.run_limited(reading))
                size = response.ByteSize()
                return await self._service.run_offloaded(size, response.SerializeToString)
            except proto.DecodeError:
                code, text = INTERNAL, f"The request is not a {request_type}"
            except Exception as error:  # any error is reported to the client
                code, text = self._service.errors.error_status(error)
            access_log.set_fields(status=_CODES[code].name)
            await call.abort(_CODES[code], shorten_message(text))

        return run

    async def _predict(self, request: Any) -> Any:
        version, signature = self._service.find(_spec(request.model_spec))

        def encode() -> Any:
            response = _response("PredictResponse", request, version, signature)
            for name, value in results.items():
                response.outputs[name].CopyFrom(tensor_messages.encode_tensor(value))
            return response

        read, max_bytes = tensor_messages.decode_inputs, self._service.options.largest
        inputs = await self._service.run_offloaded(request.ByteSize(), read, request, max_bytes)
        results = await self._service.run(signature, inputs, tuple(request.output_filter))
        size = sum(array.nbytes for array in results.values())
        if size > _MAX_BYTES:
            text = f"Outputs of {size} bytes exceed the maximum message size, {_MAX_BYTES}"
            raise ResourceExhaustedError(None, None, text)
        return await self._service.run_offloaded(size, encode)

    async def _classify(self, request: Any) -> Any:
        return await self._run_examples(
            request, "ClassificationResponse", CLASSIFY_METHOD_NAME, tensor_messages.classify
        )

    async def _regress(self, request: Any) -> Any:
        return await self._run_examples(
            request, "RegressionResponse", REGRESS_METHOD_NAME, tensor_messages.regress
        )

    async def _run_examples(
        self, request: Any, message_name: str, method: str, fill: Callable[[Any, Arrays, int], None]
    ) -> Any:
        version, signature = self._service.find(_spec(request.model_spec), method)
        examples = tensor_messages.decode_examples(request.input)
        results = await self._service.run(signature, signature.example_inputs(examples))
        response = _response(message_name, request, version, signature)
        fill(response.result, results, len(examples))
        return response

    async def _multi_inference(self, request: Any) -> Any:
        tasks = request.tasks
        version, model = self._service.model(_spec(tasks[0].model_spec))
        signatures = multi_inference.task_signatures(model, tasks)
        joint = multi_inference.join_signatures(model, signatures)
        access_log.set_fields(signature=joint.name)
        examples = tensor_messages.decode_examples(request.input)
        results = await self._service.run(joint, joint.example_inputs(examples))
        response = MESSAGES["MultiInferenceResponse"]()
        for task, signature, part in zip(
            tasks, signatures, multi_inference.parts(signatures, results)
        ):
            result = response.results.add()
            _fill_spec(result.model_spec, task.model_spec.name, version, signature)
            if task.method_name == CLASSIFY_METHOD_NAME:
                tensor_messages.classify(result.classification_result, part, len(examples))
            else:
                tensor_messages.regress(result.regression_result, part, len(examples))
        return response

    async def _metadata(self, request: Any) -> Any:
        if list(request.metadata_field) != [_SIGNATURES]:
            invalid(f"metadata_field must be {_SIGNATURES}, not {list(request.metadata_field)}")
        version, signatures = self._service.signatures(_spec(request.model_spec))
        response = _response("GetModelMetadataResponse", request, version)
        signature_map = MESSAGES["SignatureDefMap"]()
        for name, signature in signatures.items():
            signature_map.signature_def[name].CopyFrom(signature.message)
        response.metadata[_SIGNATURES].Pack(signature_map)
        return response

    async def _status(self, request: Any) -> Any:
        response = MESSAGES["GetModelStatusResponse"]()
        for version, model in self._service.versions(_spec(request.model_spec)).items():
            status = response.model_version_status.add(version=version, state=STATES[model.state])
            status.status.error_code = model.code
            status.status.error_message = self._service.errors.hidden(model.text)
        return response

    async def _check(self, request: Any) -> Any:
        if request.service not in ("", _PREDICTION, _MODEL):
            raise NotFoundError(None, None, f"No service {request.service}")
        status = _SERVING if self._service.ready() else _NOT_SERVING
        return MESSAGES["HealthCheckResponse"](status=status)


def _peer(call: Any) -> str:
    """Returns a client's address, without the address family."""
    return call.peer().partition(":")[2]


def _model_spec(request: Any) -> Any:
    """Returns the ModelSpec of a request, or of a MultiInferenceRequest's first task; raises InvalidArgumentError."""
    first = request.tasks[0] if hasattr(request, "tasks") and request.tasks else request
    if first.DESCRIPTOR.name == "MultiInferenceRequest" or not first.HasField("model_spec"):
        invalid("Missing ModelSpec")
    return first.model_spec


def _spec(model_spec: Any) -> Spec:
    version = model_spec.version.value if model_spec.HasField("version") else None
    return Spec(model_spec.name, version, model_spec.version_label, model_spec.signature_name)


def _response(
    message_name: str, request: Any, version: int, signature: ServedSignature | None = None
) -> Any:
    """Returns a response that names the model that served it."""
    response = MESSAGES[message_name]()
    _fill_spec(response.model_spec, request.model_spec.name, version, signature)
    return response


def _fill_spec(spec: Any, name: str, version: int, signature: ServedSignature | None) -> None:
    spec.name = name
    spec.version.value = version
    spec.signature_name = signature.name if signature else ""
