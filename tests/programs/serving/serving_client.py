"""Requests by TensorFlow Serving's own client: `python serving_client.py ADDRESS`; also runs on Python 3.7."""

import sys

import grpc
import tensorflow as tf
from tensorflow_serving.apis import (
    classification_pb2,
    get_model_metadata_pb2,
    get_model_status_pb2,
    inference_pb2,
    model_service_pb2_grpc,
    predict_pb2,
    prediction_service_pb2_grpc,
    regression_pb2,
)

channel = grpc.insecure_channel(sys.argv[1])
predictions = prediction_service_pb2_grpc.PredictionServiceStub(channel)
models = model_service_pb2_grpc.ModelServiceStub(channel)


def request(kind, model, signature="", version=None, label=""):
    created = kind()
    created.model_spec.name = model
    created.model_spec.signature_name = signature
    if version is not None:
        created.model_spec.version.value = version
    if label:
        created.model_spec.version_label = label
    return created


def example(x, shift=0):
    features = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=x)),
        "shift": tf.train.Feature(int64_list=tf.train.Int64List(value=[shift])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features))


def refused(code, text, method, wrong):
    try:
        method(wrong, 60)
    except grpc.RpcError as error:
        assert error.code() == code and text in error.details(), error
    else:
        raise AssertionError(f"it is not refused: {text}")


# Predict
for version, label, slope in ((None, "", 3), (1, "", 2), (None, "stable", 2)):
    asked = request(predict_pb2.PredictRequest, "line", version=version, label=label)
    asked.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 0.5], [2.0, 0.0]]))
    answer = predictions.Predict(asked, 60)
    assert sorted(answer.outputs) == ["twice", "y"]
    assert list(answer.outputs["y"].float_val) == [slope + 0.5, 2 * slope]
    assert tf.make_ndarray(answer.outputs["twice"]).tolist() == [[2 * slope + 1], [4 * slope]]
    assert answer.model_spec.version.value == (12 if slope == 3 else 1)
    assert answer.model_spec.signature_name == "serving_default"
asked.output_filter.append("y")
assert list(predictions.Predict(asked, 60).outputs) == ["y"]

asked = request(predict_pb2.PredictRequest, "kinds")
asked.inputs["text"].CopyFrom(tf.make_tensor_proto([b"\xff\x00", b"ab"]))
asked.inputs["number"].CopyFrom(tf.make_tensor_proto([3, 4], tf.int64))
answer = predictions.Predict(asked, 60)
found = {name: tf.make_ndarray(value).tolist() for name, value in answer.outputs.items()}
assert found["upper"] == [b"\xff\x00", b"AB"] and found["raw_bytes"] == [b"\xff\x00", b"ab"]
assert found["next"] == [4, 5] and found["is_even"] == [False, True]
assert found["third"] == [1.0, 4 / 3.0]

# Classify, Regress
asked = request(classification_pb2.ClassificationRequest, "flowers")
asked.input.example_list.examples.extend([example([0.25, 0.5]), example([1.0, 2.0], 3)])
answer = predictions.Classify(asked, 60)
tables = [
    [(each.label, each.score) for each in row.classes] for row in answer.result.classifications
]
assert tables == [[("iris", 0.25), ("rose", 0.5)], [("iris", 4.0), ("rose", 5.0)]]
asked = request(regression_pb2.RegressionRequest, "flowers", "value")
asked.input.example_list_with_context.examples.extend([example([0.25, 0.5])])
answer = predictions.Regress(asked, 60)
assert [each.value for each in answer.result.regressions] == [0.75]

# MultiInference
asked = inference_pb2.MultiInferenceRequest()
for signature, method in (("value", "regress"), ("", "classify")):
    task = asked.tasks.add(method_name="tensorflow/serving/" + method)
    task.model_spec.name, task.model_spec.signature_name = "flowers", signature
asked.input.example_list.examples.extend([example([0.25, 0.5])])
value, classes = predictions.MultiInference(asked, 60).results
assert [each.value for each in value.regression_result.regressions] == [0.75]
(row,) = classes.classification_result.classifications
assert [(each.label, each.score) for each in row.classes] == [("iris", 0.25), ("rose", 0.5)]
assert classes.WhichOneof("result") == "classification_result"
assert classes.model_spec.signature_name == "serving_default"
asked.tasks[0].model_spec.signature_name = "scores"
task.model_spec.signature_name = "value"
refused(
    grpc.StatusCode.INVALID_ARGUMENT,
    "Expected regression signature method_name to be",
    predictions.MultiInference,
    asked,
)

# GetModelMetadata, GetModelStatus
asked = request(get_model_metadata_pb2.GetModelMetadataRequest, "line")
asked.metadata_field.append("signature_def")
answer = predictions.GetModelMetadata(asked, 60)
signatures = get_model_metadata_pb2.SignatureDefMap()
assert answer.metadata["signature_def"].Unpack(signatures)
signature = signatures.signature_def["serving_default"]
assert signature.inputs["x"].dtype == tf.float32.as_datatype_enum
assert signature.method_name == "tensorflow/serving/predict"
asked = request(get_model_status_pb2.GetModelStatusRequest, "line")
answer = models.GetModelStatus(asked, 60)
state = get_model_status_pb2.ModelVersionStatus
assert [(each.version, each.state) for each in answer.model_version_status] == [
    (12, state.AVAILABLE),
    (1, state.AVAILABLE),
]

# Wrong requests
code = grpc.StatusCode
asked = request(predict_pb2.PredictRequest, "other")
refused(code.NOT_FOUND, "Servable not found", predictions.Predict, asked)
asked = request(predict_pb2.PredictRequest, "line", version=7)
refused(code.NOT_FOUND, "Specific(line, 7)", predictions.Predict, asked)
asked = request(predict_pb2.PredictRequest, "line")
text = "Missing but required: {x}"
refused(code.INVALID_ARGUMENT, text, predictions.Predict, asked)
asked.inputs["x"].CopyFrom(tf.make_tensor_proto([[1, 2]], tf.float64))
text = "expected to be float32 but float64 is provided"
refused(code.INVALID_ARGUMENT, text, predictions.Predict, asked)
asked.inputs["x"].CopyFrom(tf.make_tensor_proto([1.0, 2.0]))
refused(code.INVALID_ARGUMENT, "expected to have shape", predictions.Predict, asked)
asked.inputs["x"].CopyFrom(tf.make_tensor_proto(0.0, shape=[1, 2]))
asked.inputs["x"].tensor_shape.dim[0].size = 1 << 40
refused(code.RESOURCE_EXHAUSTED, "bytes", predictions.Predict, asked)
asked.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
asked.output_filter.append("z")
refused(code.INVALID_ARGUMENT, "alias not found in signature: z", predictions.Predict, asked)
refused(
    code.INVALID_ARGUMENT, "Missing ModelSpec", predictions.Predict, predict_pb2.PredictRequest()
)
asked = request(classification_pb2.ClassificationRequest, "flowers")
refused(code.INVALID_ARGUMENT, "Input is empty", predictions.Classify, asked)
asked = request(get_model_metadata_pb2.GetModelMetadataRequest, "line")
refused(code.INVALID_ARGUMENT, "metadata_field", predictions.GetModelMetadata, asked)
asked = request(get_model_status_pb2.GetModelStatusRequest, "other")
refused(code.NOT_FOUND, "Could not find any versions", models.GetModelStatus, asked)
print("answered")
