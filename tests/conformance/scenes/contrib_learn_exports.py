"""tf.contrib.learn: exports, with their signatures, strategies and garbage collection."""

# ruff: noqa: B023, E731

import importlib
import os

INSIDE = "contrib.learn.python.learn."


def _inside(tf, module, name, package=INSIDE):
    """An object of an internal module of TensorFlow, by default of `tf.contrib.learn`."""
    if tf.__name__.startswith("tfmini"):
        lookup = importlib.import_module("tfmini._src.programs.hook.object_lookup")
        return lookup.find(package + module, name)
    return getattr(importlib.import_module("tensorflow." + package + module), name)


def session_bundles(tf, stage):
    bundle = lambda module, name: _inside(tf, "session_bundle." + module, name, "contrib.")
    of = lambda name: bundle("exporter", name)
    with tf.device("/cpu:0"):
        x, w = tf.placeholder(tf.float32, [None, 1], name="x"), tf.Variable([[2.0]], name="w")
        y = tf.matmul(x, w, name="y")
    step, ready = tf.Variable(7, name="step"), tf.no_op("ready")
    with open(stage.folder + "/words", "w") as words:
        words.write("a b")
    asset, saver = tf.constant(words.name, name="asset"), tf.train.Saver()
    signatures = {
        "c": of("classification_signature")(x, y, w),
        "r": of("regression_signature")(x, y),
        "g": of("generic_signature")({"in": x}),
    }
    made = of("Exporter")(saver)
    make = lambda *bad, **options: of("Exporter")(saver).init(assets_collection=bad, **options)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        export = lambda *rest: made.export(stage.folder + "/out/", "step:0", session, *rest)
        stage.attempts(
            export,
            *(
                lambda bad=bad: make(bad)
                for bad in (3, x, tf.constant(2), tf.constant(["a", "b"]), tf.constant(""))
            ),
            lambda: make(init_op=3),
            lambda: made.init(None, ready, True, signatures["c"], signatures, [asset]),
            lambda: made.init(),
            lambda: os.path.basename(export()),
            lambda: session.run(step.assign(8)),
            lambda: os.path.basename(export(bundle("gc", "largest_export_versions")(1))),
        )
    meta = tf.MetaGraphDef()
    with open(stage.folder + "/out/00000008/export.meta", "rb") as written:
        meta.ParseFromString(written.read())
    kept = {key: part for key, part in meta.collection_def.items() if key.startswith("serving")}
    stage.say(sorted((key, len(part.any_list.value)) for key, part in kept.items()))
    signatures = bundle("manifest_pb2", "Signatures")()
    signatures.ParseFromString(kept["serving_signatures"].any_list.value[0].value)
    stage.say(str(signatures), kept["serving_signatures"].any_list.value[0].type_url)
    stage.say([(folder[len(stage.folder) :], sorted(f)) for folder, _, f in os.walk(stage.folder)])


def _util(tf, name):
    return _inside(tf, "utils.saved_model_export_utils", name)


def which_are_kept(tf, stage):
    of = lambda name: _inside(tf, "utils.gc", name)
    path = of("Path")
    paths = [path(f"/{n}", n) for n in (0, 3, 4, 5, 9, 10)]
    odd = [path("/b", 2), path("/a", 2), path("/none", None), path("/c", 7)]
    largest, every, mod = (
        of(n)
        for n in ("largest_export_versions", "one_of_every_n_export_versions", "mod_export_version")
    )
    stage.attempts(
        lambda: largest(9)(odd),
        lambda: every(3)(odd),
        lambda: mod(5)(paths),
        lambda: mod(2)(odd),
        lambda: of("union")(largest(1), every(5))(paths),
        lambda: of("negation")(largest(2))(paths),
    )
    for name in ("0000000005", "0000000003", "1234567890", "123", "temp-0000000009", "12345678901"):
        os.mkdir(stage.folder + "/" + name)
    open(stage.folder + "/0000000001", "w").close()
    recent, collect = _util(tf, "get_most_recent_export"), _util(tf, "garbage_collect_exports")
    name = lambda found: os.path.basename(found.path)
    parse = lambda found: "3" in name(found) and found._replace(export_version=len(name(found)))
    stage.attempts(
        lambda: recent(stage.folder),
        lambda: of("get_paths")(stage.folder + "/none", parse),
        lambda: collect(stage.folder, 2) or sorted(os.listdir(stage.folder)),
        lambda: _util(tf, "get_temp_export_dir")(stage.folder + "/out/123"),
        lambda: len(_util(tf, "get_timestamped_export_dir")(stage.folder)) - len(stage.folder),
    )


def signatures(tf, stage):
    learn = tf.contrib.learn
    kinds = learn.ProblemType
    x, y = tf.constant([b"x"], name="x"), tf.constant([2.0], name="y")
    words, ids = tf.constant(["a"], name="words"), tf.constant([1], tf.int64, name="ids")
    build = _util(tf, "build_standardized_signature_def")
    one, two = {"examples": x}, {"a": x, "b": y}

    def said(made):
        rows = []
        for part in (made.inputs, made.outputs):
            rows.append(
                sorted(
                    (k, v.name, v.dtype, [d.size for d in v.tensor_shape.dim])
                    for k, v in part.items()
                )
            )
        return [made.method_name, *rows]

    for kind in (
        kinds.CLASSIFICATION,
        kinds.LOGISTIC_REGRESSION,
        kinds.LINEAR_REGRESSION,
        kinds.UNSPECIFIED,
    ):
        stage.say(kind)
        for given, outputs in (
            (one, {"classes": words, "probabilities": y}),
            (one, {"classes": words, "scores": y, "probabilities": y + 1.0}),
            (one, {"classes": ids, "probabilities": y}),
            (one, {"classes": ids}),
            (one, {"classes": ids, "logits": y}),
            (one, {"scores": y}),
            (one, {"own": y}),
            (one, {"own": words}),
            (one, {"own": y, "more": words}),
            (two, {"scores": y}),
            (two, {"classes": words, "probabilities": y}),
        ):
            stage.attempt(lambda: said(build(given, outputs, kind)))
    stage.attempts(
        lambda: build({}, {"a": y}, kinds.CLASSIFICATION),
        lambda: build(one, {}, kinds.CLASSIFICATION),
    )
    alternatives, outputs = (
        _util(tf, "get_input_alternatives"),
        _util(tf, "get_output_alternatives"),
    )
    ops = lambda *heads: learn.ModelFnOps(
        "infer",
        {"p": y},
        output_alternatives={h: (kinds.LINEAR_REGRESSION, {"scores": y}) for h in heads},
    )
    every = _util(tf, "build_all_signature_defs")
    heads = {
        "h": (kinds.LINEAR_REGRESSION, {"scores": y}),
        None: (kinds.UNSPECIFIED, {"own": words}),
    }
    stage.attempts(
        lambda: alternatives(({}, None)),
        lambda: outputs(ops("h")),
        lambda: outputs(ops("h", "i"), "i"),
        lambda: outputs(ops("h", "i")),
        lambda: outputs(ops("h"), "other"),
        lambda: outputs(ops(), "h"),
        lambda: outputs(learn.ModelFnOps("infer", y)),
        lambda: every({"own": one}, heads, "h"),
    )


def models_of_functions(tf, stage):
    learn = tf.contrib.learn
    make, modes = learn.ModelFnOps, learn.ModeKeys
    y, loss, train = tf.constant([1.0]), tf.constant([3.0], name="loss"), tf.no_op("train")
    hook, scaffold = tf.train.SessionRunHook(), tf.train.Scaffold()
    kinds = learn.ProblemType
    heads = {
        "c": (kinds.CLASSIFICATION, {"classes": tf.constant(["a"]), "probabilities": y}),
        "d": (
            kinds.LOGISTIC_REGRESSION,
            {"classes": tf.constant([1]), "scores": y, "probabilities": y + 1},
        ),
        "r": (kinds.LINEAR_REGRESSION, {"scores": y}),
        "u": (kinds.UNSPECIFIED, {"own": y}),
    }

    def spec(mode, wanted=None, **options):
        made = make(mode, **options).estimator_spec(wanted)
        outputs = made.export_outputs
        stage.say(outputs and sorted((k, type(v).__name__) for k, v in outputs.items()))
        for key, each in sorted((outputs or {}).items()):
            stage.say(key, sorted((k.strip("_"), str(v)) for k, v in vars(each).items()))
        return made._replace(export_outputs=None, scaffold=made.scaffold is scaffold)

    stage.attempts(
        lambda: make("none", y),
        lambda: make("eval", y, tf.ones([2])),
        lambda: make("eval", y, loss, eval_metric_ops=[1]),
        lambda: make("eval", y, loss, training_hooks=[3]),
        lambda: make("eval", y, loss, training_chief_hooks=[hook, "x"]),
        lambda: modes.validate("predict"),
        lambda: spec("train", loss=loss, train_op=train, training_hooks=[hook], scaffold=scaffold),
        lambda: spec(
            "eval",
            predictions={"p": y},
            loss=loss,
            eval_metric_ops={"loss": (y, y), "a": (y, train)},
        ),
        lambda: spec("infer", predictions=y, output_alternatives={"r": heads["r"]}),
        lambda: spec("infer", predictions=y, output_alternatives=heads),
        lambda: spec(
            "infer", predictions=y, output_alternatives={"serving_default": heads["r"], **heads}
        ),
    )


def strategies(tf, stage):
    learn = tf.contrib.learn
    made = learn.ExportStrategy("mine", lambda estimator, path: (estimator, path), True)
    stage.attempts(
        lambda: made.name,
        lambda: made.strip_default_attrs,
        lambda: learn.ExportStrategy("half", lambda e, p, eval_result: 1).export("e", "p"),
    )

    class Exported(learn.Evaluable, learn.Trainable):
        model_dir, config = stage.folder, None
        count = 0

        def fit(self):
            pass

        def evaluate(self):
            pass

        def export_savedmodel(self, base, function, **options):
            stage.say(base, function, sorted(options.items(), key=str))
            Exported.count += 1
            path = os.path.join(base, f"{Exported.count:010d}")
            os.makedirs(path)
            return path

    def core(features, labels, mode):
        return tf.estimator.EstimatorSpec(mode, predictions=features)

    base = stage.folder + "/export"
    plain = learn.make_export_strategy("serving")
    own = learn.make_export_strategy(
        "serving", "head", {"a": "b"}, True, exports_to_keep=1, strip_default_attrs=True
    )
    stage.attempts(
        lambda: plain.name,
        lambda: plain.strip_default_attrs,
        lambda: own.export(tf.estimator.Estimator(core, stage.folder + "/m"), base),
    )
    parsing = _util(tf, "make_parsing_export_strategy")
    columns = [tf.contrib.layers.real_valued_column("age")]
    for options in (
        {},
        {"target_core": True},
        {"as_text": True, "assets_extra": {}, "exports_to_keep": 1},
    ):
        strategy = parsing(columns, **options)

        class Built(Exported):
            def export_savedmodel(self, base, function, **options):
                stage.say(sorted(options.items(), key=str))
                with tf.Graph().as_default():
                    return function()

        stage.attempt(strategy.export, Built(), stage.folder + "/123")
    best = _util(tf, "make_best_model_export_strategy")
    with tf.Graph().as_default(), tf.summary.FileWriter(stage.folder + "/old") as writer:
        for step, loss in ((1, 0.75), (2, 0.5), (3, 0.875)):
            writer.add_summary(
                tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=loss)]), step
            )
    for options in (
        {},
        {
            "model_dir": stage.folder,
            "event_file_pattern": "old/*.tfevents.*",
            "exports_to_keep": None,
        },
        {
            "strip_default_attrs": True,
        },
        {"default_output_alternative_key": "head", "model_dir": stage.folder},
    ):
        strategy = best("serving", **options)
        stage.say(strategy.name, sorted(options))
        for path, loss in (("a/one", 0.75), ("two", 0.625), ("three", 0.375), ("three", 0.375)):
            stage.attempt(strategy.export, Exported(), base + "/best", path, {"loss": loss, "x": 1})
        stage.attempt(strategy.export, Exported(), base, "four", {"x": 1})
        stage.attempt(strategy.export, Exported(), base, "four", {})
        stage.attempt(strategy.export, Exported(), base, "four")
        stage.attempt(strategy.export, Exported(), base, None, {"loss": 0.0})
