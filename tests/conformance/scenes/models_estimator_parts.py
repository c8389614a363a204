"""Components of Estimators: full run configs, cluster roles, specs, receivers, named evaluations, exports."""

import json
import os

from tests.conformance.scenes.models_estimators import _estimator, _inputs


def _fields(config):
    return {name[1:]: value for name, value in sorted(vars(config).items())}


def _refuses(thing, name):
    """Whether an attribute is read-only."""
    try:
        setattr(thing, name, 3)
    except AttributeError:
        return True
    return False


def _text(value):
    return " ".join(str(value).split())


def run_configs_whole(tf, stage):
    make = tf.estimator.RunConfig
    config = make(model_dir="given")
    for name, value in _fields(config).items():
        stage.say(name, _text(value))
    names = [name for name in dir(make) if name[0] != "_"]
    stage.say(*names)
    for name in names:
        if name != "replace":
            stage.say(_refuses(config, name))
    given = make("p", 1, 2, None, 4, None, 6, 7, 8).replace()
    stage.say(*[_text(value) for value in _fields(given).values()])
    own = tf.ConfigProto(device_count={"CPU": 2})
    full = make(
        model_dir=b"bytes",
        tf_random_seed=1,
        save_summary_steps=2,
        save_checkpoints_secs=4.5,
        session_config=own,
        keep_checkpoint_max=0,
        keep_checkpoint_every_n_hours=0.5,
        log_step_count_steps=None,
        device_fn=None,
        protocol="grpc+verbs",
        experimental_max_worker_delay_secs=3,
        session_creation_timeout_secs=2,
    )
    stage.say(*[_text(value) for value in _fields(full).values()])
    stage.say(full.session_config is own)
    for changes in (
        {"save_checkpoints_steps": 7},
        {"save_checkpoints_secs": 8},
        {"save_checkpoints_steps": None},
        {"save_checkpoints_secs": None},
        {"save_checkpoints_steps": 7, "save_checkpoints_secs": 8},
        {"save_checkpoints_steps": 7, "save_checkpoints_secs": None},
        {"save_checkpoints_steps": -1},
        {"save_summary_steps": 9},
        {"save_summary_steps": None},
        {"session_config": None},
        {"session_config": "text"},
        {"keep_checkpoint_max": None},
        {"keep_checkpoint_max": -1},
        {"keep_checkpoint_every_n_hours": -1},
        {"log_step_count_steps": 3},
        {"log_step_count_steps": 0},
        {"train_distribute": None},
        {"eval_distribute": None},
        {"experimental_distribute": None},
        {"device_fn": lambda op: ""},
        {"device_fn": lambda: ""},
        {"protocol": "http"},
        {"model_dir": ""},
        {"model_dir": "b", "tf_random_seed": 5},
        {"tf_random_seed": "a"},
        {"tf_random_seed": None},
        {"experimental_max_worker_delay_secs": 1.5},
        {"session_creation_timeout_secs": -1},
        {"master": "x"},
        {"is_chief": True},
        {"cluster_spec": None},
    ):
        for one in (config, given):
            with stage.failing():
                made = one.replace(**changes)
                before, after = _fields(one), _fields(made)
                stage.say(
                    [(n, after[n]) for n in after if _text(after[n]) != _text(before[n])],
                    one.save_checkpoints_secs,
                )


def places_in_clusters(tf, stage):
    make = tf.estimator.RunConfig
    chief, worker, ps = ["c:1"], ["w:1", "w:2"], ["p:1", "p:2"]
    both = {"chief": chief, "worker": worker, "ps": ps}
    old = {"master": ["m:1"], "worker": worker, "ps": ps}
    cases = [
        *[(both, kind, index, {}) for kind in ("chief", "worker", "ps") for index in (0, 1, 2)],
        *[(old, kind, 0, {}) for kind in ("master", "worker", "ps", "chief", "evaluator")],
        (both, "evaluator", 3, {"eval_session_master": "e:1"}),
        (both, "evaluator", -1, {}),
        (both, "worker", "1", {"session_master": "grpc://s:1", "eval_session_master": "e:1"}),
        (both, "worker", 0, {"session_master": ""}),
        (both, "chief", 0, {"service": {"a": 1}, "model_dir": "from"}),
        (both, "chief", 0, {"service": 3}),
        (both, "chief", 0, {"model_dir": ""}),
        (both, "chief", 0, {"rpc_layer": "https"}),
        (both, None, 0, {}),
        (both, "chief", None, {}),
        (both, "chief", -1, {}),
        ({**both, "master": ["m:1"]}, "chief", 0, {}),
        ({"chief": chief}, "chief", 0, {}),
        ({"master": ["m:1"]}, "master", 0, {}),
        ({"chief": chief, "reader": ["r:1"], "ps": ps}, "reader", 0, {}),
        ({"chief": chief, "reader": ["r:1"], "ps": ps}, "ps", 1, {}),
        ({"worker": worker}, "worker", 0, {}),
        ({"chief": ["c:1", "c:2"]}, "chief", 0, {}),
        ({}, "worker", 0, {"session_master": "a", "eval_session_master": "b", "service": {}}),
        ({}, "worker", 1, {}),
        ({}, "ps", 0, {}),
        ({}, "evaluator", 0, {}),
        ({}, None, None, {"model_dir": "from"}),
    ]
    names = (
        "task_type task_id global_id_in_cluster is_chief master evaluation_master num_ps_replicas "
        "num_worker_replicas service model_dir"
    ).split()
    try:
        for cluster, kind, index, more in cases:
            task = {"type": kind, "index": index}
            task = {name: value for name, value in task.items() if value is not None}
            os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task, **more})
            with stage.failing():
                made = make()
                stage.say([getattr(made, name) for name in names])
                filters = made.session_config and list(made.session_config.device_filters)
                stage.say(sorted(made.cluster_spec.as_dict().items()), filters)
            if "model_dir" in more:
                stage.attempts(
                    lambda: make(model_dir="other").model_dir,
                    lambda: make(model_dir="from").model_dir,
                )
        stage.say(_text(make(session_config=tf.ConfigProto()).session_config))
        for text in ("{}", '{"task": {}}', '{"cluster": 3}', "[]", "3"):
            os.environ["TF_CONFIG"] = text
            stage.attempt(lambda: make().task_type)
    finally:
        del os.environ["TF_CONFIG"]


def specs(tf, stage):
    spec, keys = tf.estimator.EstimatorSpec, tf.estimator.ModeKeys
    export = tf.estimator.export
    loss, y = tf.constant(1.0, name="loss"), tf.constant([1.0, 2.0], name="y")
    op, v = tf.no_op("train"), tf.Variable(1.0, name="v")
    hook = tf.train.StopAtStepHook(num_steps=1)
    metric = (tf.constant(1.0, name="value"), tf.no_op("update"))
    full = {"loss": loss, "train_op": op, "predictions": y}
    one = tf.keras.metrics.Mean(name="mean")
    fresh = tf.keras.metrics.Mean(name="fresh")
    one.update_state([1.0, 3.0])
    with tf.Graph().as_default():
        foreign, foreign_op = tf.constant(1.0, name="foreign"), tf.no_op("foreign_op")
    outputs = {"a": export.PredictOutput(y), "b": export.RegressionOutput(y)}
    default = "serving_default"
    cases = [
        *[(mode, {}) for mode in (keys.TRAIN, keys.EVAL, keys.PREDICT, "other", None)],
        *[(mode, full) for mode in (keys.TRAIN, keys.EVAL, keys.PREDICT, "other")],
        (keys.TRAIN, {"loss": loss}),
        (keys.TRAIN, {"loss": loss, "train_op": v}),
        (keys.TRAIN, {"loss": loss, "train_op": y}),
        (keys.TRAIN, {"loss": loss, "train_op": 3}),
        (keys.TRAIN, {"loss": loss, "train_op": [op]}),
        (keys.TRAIN, {"loss": loss, "train_op": foreign_op}),
        (keys.EVAL, {"loss": tf.constant([1.0], name="vector")}),
        (keys.EVAL, {"loss": tf.constant([[1.0]], name="matrix")}),
        (keys.EVAL, {"loss": y}),
        (keys.EVAL, {"loss": tf.placeholder(tf.float32, name="vague")}),
        (keys.EVAL, {"loss": tf.placeholder(tf.float32, [None], name="vague_vector")}),
        (keys.EVAL, {"loss": 1.0}),
        (keys.EVAL, {"loss": v}),
        (keys.EVAL, {"loss": foreign}),
        (keys.PREDICT, {"predictions": {"y": y, "v": v}}),
        (keys.PREDICT, {"predictions": {"y": 3}}),
        (keys.PREDICT, {"predictions": [y]}),
        (keys.PREDICT, {"predictions": {"y": foreign}}),
        (keys.PREDICT, {"predictions": foreign}),
        (keys.PREDICT, {"predictions": v}),
        (keys.PREDICT, {"predictions": {}}),
        (keys.PREDICT, {"predictions": y, "export_outputs": dict(outputs)}),
        (keys.PREDICT, {"predictions": y, "export_outputs": {"a": outputs["b"]}}),
        (keys.PREDICT, {"predictions": y, "export_outputs": {**outputs, default: outputs["b"]}}),
        (keys.PREDICT, {"predictions": y, "export_outputs": {}}),
        (keys.PREDICT, {"predictions": y, "export_outputs": {"a": y}}),
        (keys.PREDICT, {"predictions": y, "export_outputs": [3]}),
        (keys.EVAL, {**full, "export_outputs": 3}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": metric}}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": list(metric)}}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": (1, 2, 3)}}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": (foreign, op)}}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": ((loss, y), op)}}),
        (keys.EVAL, {**full, "eval_metric_ops": [metric]}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": one}}),
        (keys.EVAL, {**full, "eval_metric_ops": {"m": fresh}}),
        *[
            (keys.EVAL, {**full, name: value})
            for name in (
                "training_hooks",
                "training_chief_hooks",
                "evaluation_hooks",
                "prediction_hooks",
            )
            for value in ([hook], (hook, hook), [], [3], hook)
        ],
        (keys.EVAL, {**full, "scaffold": 3}),
        (keys.EVAL, {**full, "scaffold": tf.train.Scaffold(ready_op=loss)}),
    ]
    for mode, options in cases:
        with stage.failing():
            made = spec(mode, **options)
            stage.say(made)
    for key in ("local_variables", "metric_variables"):
        stage.say(key, *[x.name for x in tf.get_collection(key)])
    made = spec(keys.EVAL, y, loss, op, {"m": metric}, None, [hook], [hook], None, [hook], [hook])
    stage.say(made)


def receivers_and_outputs(tf, stage):
    of = tf.estimator.export
    contrib = tf.contrib.estimator
    x = tf.placeholder(tf.float32, [3, 1], name="x")
    text = tf.placeholder(tf.string, [None], name="text")
    supervised = contrib.build_raw_supervised_input_receiver_fn
    for case in (
        lambda: of.ServingInputReceiver({1.5: x}, x),
        lambda: of.TensorServingInputReceiver(None, x),
        lambda: of.TensorServingInputReceiver(x, None),
        lambda: supervised({"label": x}, x),
        lambda: of.build_parsing_serving_input_receiver_fn({})(),
    ):
        with stage.failing():
            made = case()
            stage.say(type(made).__name__, made._fields)
            for part in made:
                items = part.items() if isinstance(part, dict) else [("-", part)]
                for name, value in sorted(items, key=str):
                    if isinstance(value, dict):
                        value = sorted((n, v.name) for n, v in value.items())
                    stage.say(name, value, str(getattr(value, "shape", "")))
    scores = tf.placeholder(tf.float32, [None, 3], name="scores")
    inputs = ({"examples": text}, {"x": x}, {"a": text, "b": text}, {})
    for output in (lambda: of.ClassificationOutput(scores, text),):
        with stage.failing():
            made = output()
            for given in inputs:
                with stage.failing():
                    signature = made.as_signature_def(given)
                    stage.say(repr(str(signature)))
            stage.say(*[_refuses(made, n) for n in ("scores", "classes", "value", "outputs")])


def evaluations_by_name(tf, stage):
    estimator = _estimator(tf, stage)
    stage.say(
        *[estimator.eval_dir(name)[len(stage.folder) :] for name in (None, "", "more", "a/b")]
    )
    estimator.train(_inputs(tf), steps=1)
    first = estimator.latest_checkpoint()
    estimator.train(_inputs(tf), steps=1)
    for options in (
        {"name": "more"},
        {},
        {"name": "more", "checkpoint_path": first},
        {"steps": 1, "name": "one"},
        {"checkpoint_path": stage.folder + "/none", "name": "none"},
    ):
        with stage.failing():
            stage.say(sorted(estimator.evaluate(_inputs(tf, epochs=1), **options).items()))
    stage.say(sorted(os.listdir(estimator.model_dir))[-4:])
    for name in (None, "more", "one"):
        stage.files(estimator.eval_dir(name))
        folder = estimator.eval_dir(name)
        tf.summary.FileWriterCache.clear()
        for path in sorted(os.listdir(folder)):
            for event in tf.train.summary_iterator(os.path.join(folder, path)):
                for value in event.summary.value:
                    shown = value.simple_value
                    stage.say(name, event.step, value.tag, value.WhichOneof("value"), shown)
    words = {
        "texts": lambda y, labels: {
            "mae": tf.metrics.mean_absolute_error(labels, y),
            "vector": (tf.constant([1.0, 2.0]), tf.no_op()),
            "whole": (tf.constant(3), tf.no_op()),
            "flag": (tf.constant(True), tf.no_op()),
            "text": (tf.constant("a"), tf.no_op()),
            "summed": (
                tf.constant(tf.Summary(value=[{"tag": "t"}]).SerializeToString()),
                tf.no_op(),
            ),
        },
    }
    for name, metrics in words.items():
        stage.say(name)
        other = _estimator(tf, stage, eval_metric_ops=metrics)
        with stage.failing():
            stage.say(sorted(other.evaluate(_inputs(tf, epochs=1), name=name).items()))
        if os.path.isdir(other.eval_dir(name)):
            stage.events(other.eval_dir(name))


def exports_of_alternatives(tf, stage):
    of = tf.estimator.export
    estimator = _estimator(
        tf,
        stage,
        export_outputs=lambda y, labels: {
            "serving_default": of.PredictOutput({"y": y}),
            "number": of.RegressionOutput(y),
            "scores": of.ClassificationOutput(y),
        },
    )
    estimator.train(_inputs(tf), steps=1)

    def serving():
        text = tf.placeholder(tf.string, [None], name="text")
        raw = tf.placeholder(tf.float32, [None, 1], name="raw")
        x = tf.parse_example(text, {"x": tf.FixedLenFeature([1], tf.float32)})["x"]
        return of.ServingInputReceiver({"x": x + raw * 0.0}, text, {"raw": raw, "x": {"in": x}})

    def single():
        raw = tf.placeholder(tf.float32, [None, 1], name="raw")
        return of.ServingInputReceiver({"x": tf.identity(raw, "x")}, raw, {"": {"again": raw}})

    for number, case in enumerate(
        (
            lambda p: estimator.export_saved_model(p, serving),
            lambda p: estimator.export_saved_model(p, single, as_text=True),
            lambda p: estimator.export_savedmodel(p, single),
            lambda p: estimator.export_savedmodel(p, single, strip_default_attrs=True),
            lambda p: estimator.export_saved_model(p, single, experimental_mode="eval"),
            lambda p: estimator.export_saved_model(p, single, experimental_mode="none"),
        )
    ):
        with stage.failing():
            path = case(f"{stage.folder}/{number}").decode()
            stage.say(number, sorted(os.listdir(path)), os.path.basename(path).isdigit())
            for tags in (["serve"], ["eval"]):
                with tf.Session(graph=tf.Graph()) as session, stage.failing():
                    meta = tf.saved_model.load(session, tags, path)
                    stage.say(meta.meta_info_def.stripped_default_attrs, len(meta.asset_file_def))
                    stage.say(sum(len(node.attr) for node in meta.graph_def.node))
                    for key, signature in sorted(meta.signature_def.items()):
                        infos = [*signature.inputs.items(), *signature.outputs.items()]
                        stage.say(key, signature.method_name, sorted((k, v.name) for k, v in infos))
                    stage.say(sorted(meta.collection_def))
    first = os.path.join(stage.folder, "0")
    predict = tf.contrib.predictor.from_saved_model(
        os.path.join(first, os.listdir(first)[0]), signature_def_key="x:serving_default"
    )
    stage.attempt(predict, {"in": [[2.0]]})
