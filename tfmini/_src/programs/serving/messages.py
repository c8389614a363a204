"""TensorFlow Serving's messages, by field number.

A field's type is a scalar type, a message name here or, after a dot, elsewhere; a trailing `*` marks a repeated field,
`map` precedes the value type of a map with string keys.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto

_PACKAGE = "tensorflow.serving"
_SCALARS = {
    "string": 9,
    "int64": 3,
    "int32": 5,
    "uint32": 13,
    "float": 2,
    "double": 1,
    "bool": 8,
}  # protobuf's own numbers
_MESSAGE, _ENUM = 11, 14
_OPTIONAL, _REPEATED = 1, 3

_FIELDS: dict[str, dict[int, tuple[str, str]]] = {
    "Int64Value": {1: ("value", "int64")},  # same as google.protobuf.Int64Value
    "ModelSpec": {
        1: ("name", "string"),
        2: ("version", "Int64Value"),
        3: ("signature_name", "string"),
        4: ("version_label", "string"),
    },
    "PredictRequest": {
        1: ("model_spec", "ModelSpec"),
        2: ("inputs", "map .tensorflow.TensorProto"),
        3: ("output_filter", "string*"),
    },
    "PredictResponse": {
        1: ("outputs", "map .tensorflow.TensorProto"),
        2: ("model_spec", "ModelSpec"),
    },
    "ExampleList": {1: ("examples", ".tensorflow.Example*")},
    "ExampleListWithContext": {
        1: ("examples", ".tensorflow.Example*"),
        2: ("context", ".tensorflow.Example"),
    },
    "Input": {
        1: ("example_list", "ExampleList"),
        2: ("example_list_with_context", "ExampleListWithContext"),
    },
    "ClassificationRequest": {1: ("model_spec", "ModelSpec"), 2: ("input", "Input")},
    "Class": {1: ("label", "string"), 2: ("score", "float")},
    "Classifications": {1: ("classes", "Class*")},
    "ClassificationResult": {1: ("classifications", "Classifications*")},
    "ClassificationResponse": {
        1: ("result", "ClassificationResult"),
        2: ("model_spec", "ModelSpec"),
    },
    "RegressionRequest": {1: ("model_spec", "ModelSpec"), 2: ("input", "Input")},
    "Regression": {1: ("value", "float")},
    "RegressionResult": {1: ("regressions", "Regression*")},
    "RegressionResponse": {1: ("result", "RegressionResult"), 2: ("model_spec", "ModelSpec")},
    "InferenceTask": {1: ("model_spec", "ModelSpec"), 2: ("method_name", "string")},
    "MultiInferenceRequest": {1: ("tasks", "InferenceTask*"), 2: ("input", "Input")},
    "InferenceResult": {
        1: ("model_spec", "ModelSpec"),
        2: ("classification_result", "ClassificationResult"),
        3: ("regression_result", "RegressionResult"),
    },
    "MultiInferenceResponse": {1: ("results", "InferenceResult*")},
    # The warm-up request file.
    "ClassifyLog": {1: ("request", "ClassificationRequest")},
    "RegressLog": {1: ("request", "RegressionRequest")},
    "PredictLog": {1: ("request", "PredictRequest")},
    "MultiInferenceLog": {1: ("request", "MultiInferenceRequest")},
    "SessionRunRequest": {
        1: ("model_spec", "ModelSpec"),
        2: ("feed", ".tensorflow.NamedTensorProto*"),
        3: ("fetch", "string*"),
        4: ("target", "string*"),
    },
    "SessionRunLog": {1: ("request", "SessionRunRequest")},
    "PredictionLog": {
        2: ("classify_log", "ClassifyLog"),
        3: ("regress_log", "RegressLog"),
        4: ("multi_inference_log", "MultiInferenceLog"),
        5: ("session_run_log", "SessionRunLog"),
        6: ("predict_log", "PredictLog"),
    },
    "GetModelMetadataRequest": {
        1: ("model_spec", "ModelSpec"),
        2: ("metadata_field", "string*"),
    },
    "SignatureDefMap": {1: ("signature_def", "map .tensorflow.SignatureDef")},
    "GetModelMetadataResponse": {
        1: ("model_spec", "ModelSpec"),
        2: ("metadata", "map .google.protobuf.Any"),
    },
    "GetModelStatusRequest": {1: ("model_spec", "ModelSpec")},
    "StatusProto": {1: ("error_code", "int32"), 2: ("error_message", "string")},
    "ModelVersionStatus": {
        1: ("version", "int64"),
        2: ("state", "int32"),
        3: ("status", "StatusProto"),
    },
    "GetModelStatusResponse": {1: ("model_version_status", "ModelVersionStatus*")},
    # Same as grpc.health.v1.
    "HealthCheckRequest": {1: ("service", "string")},
    "HealthCheckResponse": {1: ("status", "int32")},
    # The --config file.
    "Latest": {1: ("num_versions", "uint32")},
    "All": {},
    "Specific": {1: ("versions", "int64*")},
    "ServableVersionPolicy": {
        100: ("latest", "Latest"),
        101: ("all", "All"),
        102: ("specific", "Specific"),
    },
    "LogCollectorConfig": {1: ("type", "string"), 2: ("filename_prefix", "string")},
    "SamplingConfig": {1: ("sampling_rate", "double")},
    "LoggingConfig": {
        1: ("log_collector_config", "LogCollectorConfig"),
        2: ("sampling_config", "SamplingConfig"),
        3: ("saved_model_tags", "string*"),
    },
    "ModelConfig": {
        1: ("name", "string"),
        2: ("base_path", "string"),
        3: ("model_type", "ModelType"),
        4: ("model_platform", "string"),
        6: ("logging_config", "LoggingConfig"),
        7: ("model_version_policy", "ServableVersionPolicy"),
        8: ("version_labels", "map int64"),
    },
    "ModelConfigList": {1: ("config", "ModelConfig*")},
    # The --monitoring-config file.
    "PrometheusConfig": {1: ("enable", "bool"), 2: ("path", "string")},
    "MonitoringConfig": {1: ("prometheus_config", "PrometheusConfig")},
    # The --ssl-config file.
    "SSLConfig": {
        1: ("server_key", "string"),
        2: ("server_cert", "string"),
        3: ("custom_ca", "string"),
        4: ("client_verify", "bool"),
    },
    "ModelServerConfig": {1: ("model_config_list", "ModelConfigList")},
}

_ENUMS = {"ModelType": ("MODEL_TYPE_UNSPECIFIED", "TENSORFLOW", "OTHER")}


def _descriptors() -> Any:
    """Returns the descriptors of all messages."""
    file = proto.file_description(
        "tfmini/serving.proto",
        _PACKAGE,
        proto.TensorProto,
        proto.Example,
        proto.SignatureDef,
        proto.NamedTensorProto,
    )
    file.dependency.append("google/protobuf/any.proto")
    for name, values in _ENUMS.items():
        enum = file.enum_type.add(name=name)
        for value, value_name in enumerate(values):
            enum.value.add(name=value_name, number=value)
    for name, fields in _FIELDS.items():
        message = file.message_type.add(name=name)
        for field_number, (field, text) in fields.items():
            field_type = text.removeprefix("map ").removesuffix("*")
            target = message
            if text.startswith("map "):
                entry = f"{field.title().replace('_', '')}Entry"
                target = message.nested_type.add(name=entry)
                target.options.map_entry = True
                _add_field(target, 1, "key", "string", _OPTIONAL)
                _add_field(target, 2, "value", field_type, _OPTIONAL)
                _add_field(message, field_number, field, f".{_PACKAGE}.{name}.{entry}", _REPEATED)
            else:
                _add_field(
                    target,
                    field_number,
                    field,
                    field_type,
                    _REPEATED if text.endswith("*") else _OPTIONAL,
                )
    return file


def _add_field(message: Any, field_number: int, name: str, field_type: str, label: int) -> None:
    field = message.field.add(name=name, number=field_number, label=label)
    if field_type in _SCALARS:
        field.type = _SCALARS[field_type]
    else:
        field.type = _ENUM if field_type in _ENUMS else _MESSAGE
        field.type_name = field_type if field_type.startswith(".") else f".{_PACKAGE}.{field_type}"


MESSAGES: dict[str, Any] = proto.declare_messages(_descriptors())
