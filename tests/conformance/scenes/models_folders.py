"""Folder names of every form: checkpoints, events, Estimators, Keras's files and SavedModels in them."""

import contextlib
import os

import numpy as np

_X = np.arange(4, dtype=np.float32).reshape(4, 1)


def _kinds(stage):
    """Folder names by their peculiarity; the folder need not exist."""
    return {
        "text": lambda name: f"{stage.folder}/{name}",
        "bytes": lambda name: f"{stage.folder}/{name}".encode(),
        "slash": lambda name: f"{stage.folder}/{name}/",
        "slashes": lambda name: f"{stage.folder}//{name}",
        "above": lambda name: f"{stage.folder}/{name}/../{name}",
        "scheme": lambda name: f"file://{stage.folder}/{name}",
        "relative": lambda name: name,
        "spaces": lambda name: f"{stage.folder}/a {name} \u00e4",
        "empty": lambda name: "",
        "none": lambda name: None,
    }


@contextlib.contextmanager
def _inside(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _left(stage):
    """Records the files below the folder, by type, and removes them."""
    found = []
    for place, folders, names in os.walk(stage.folder, topdown=False):
        for name in names:
            path = os.path.join(os.path.relpath(place, stage.folder), name)
            parts = [p for p in path.split(".") if not p.isdigit() and "data-" not in p]
            found.append(".".join(parts[:4]).split("tfevents")[0])
            os.remove(os.path.join(place, name))
        for name in folders:
            os.rmdir(os.path.join(place, name))
    kept = ("/".join("N" if p.isdigit() else p for p in path.split("/")) for path in found)
    stage.say("files:", *sorted(set(kept)))


def _in_each(function, *but):
    """A scene that runs a function with each kind of name, with exceptions."""

    def scene(tf, stage):
        for kind, of in _kinds(stage).items():
            if kind in but:
                continue
            stage.say("=", kind)
            with tf.Graph().as_default(), _inside(stage.folder), stage.failing():
                function(tf, stage, of)
            tf.summary.FileWriterCache.clear()
            _left(stage)

    return scene


def _joined(folder, name):
    """A path below a folder, if the kind supports one."""
    if isinstance(folder, bytes):
        return os.path.join(folder, name.encode())
    return os.path.join(folder, name) if folder is not None else None


def _of_savers(tf, stage, of):
    v = tf.Variable(2.0, name="v")
    folder = of("kept")
    if folder:
        tf.gfile.MakeDirs(folder)
    with tf.Session() as session:
        session.run(v.initializer)
        saver = tf.train.Saver(max_to_keep=1)
        for step in (1, 2):
            with stage.failing():
                stage.say(saver.save(session, _joined(folder, "model"), step))
        stage.attempts(
            lambda: tf.train.latest_checkpoint(folder),
            lambda: tf.train.list_variables(folder),
            lambda: tf.train.load_variable(folder, "v"),
            lambda: tf.train.checkpoint_exists(_joined(folder, "model-2")),
            lambda: saver.restore(session, _joined(folder, "model-2")),
            lambda: tf.train.write_graph(session.graph, folder, "graph.pbtxt"),
            lambda: tf.train.remove_checkpoint(_joined(folder, "model-2")),
        )


savers = _in_each(_of_savers, "none")


def _of_objects(tf, stage, of):
    v = tf.Variable(2.0, name="v")
    checkpoint = tf.train.Checkpoint(v=v)
    folder = of("objects")
    with tf.Session().as_default() as session:
        session.run(v.initializer)
        with stage.failing():
            stage.say(checkpoint.write(_joined(folder, "written")))
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
        for _ in range(2):
            stage.attempt(manager.save)
        stage.say(manager.latest_checkpoint, manager.checkpoints)
        status = checkpoint.restore(manager.latest_checkpoint)
        stage.say(type(status).__name__)
        again = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, 3)
        stage.say(again.checkpoints)


objects = _in_each(_of_objects)


def _of_events(tf, stage, of):
    train = tf.train.get_or_create_global_step().assign_add(1)
    tf.summary.scalar("s", tf.constant(1.0))
    with stage.failing():
        writer = tf.summary.FileWriter(of("events"))
        stage.say(writer.get_logdir())
        writer.close()
    with stage.failing():
        start = tf.train.MonitoredTrainingSession
        with start(checkpoint_dir=of("trained"), log_step_count_steps=None) as session:
            session.run(train)
    tf.get_default_graph()._unsafe_unfinalize()
    with stage.failing():
        sv = tf.train.Supervisor(logdir=of("supervised"), save_model_secs=0, save_summaries_secs=0)
        with sv.managed_session() as session:
            session.run(train)
            stage.say(sv.save_path)
            sv.saver.save(session, sv.save_path, sv.global_step)


events = _in_each(_of_events)


def _model_fn(tf, features, mode):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    y = features["x"] * w
    step = tf.train.get_global_step()
    train = tf.group(tf.assign_add(w, 1.0), tf.assign_add(step, 1)) if step is not None else None
    output = tf.estimator.export.PredictOutput({"y": y})
    loss = tf.reduce_sum(y)
    return tf.estimator.EstimatorSpec(mode, {"y": y}, loss, train, {}, {"serving_default": output})


def _of_estimators(tf, stage, of):
    make = tf.estimator.Estimator
    config = tf.estimator.RunConfig(log_step_count_steps=None, save_summary_steps=0)

    def build(features, labels, mode):
        return _model_fn(tf, features, mode)

    def read():
        return tf.data.Dataset.from_tensors(({"x": _X}, _X))

    with stage.failing():
        made = make(build, of("model") or f"{stage.folder}/model", config)
        stage.say(made.model_dir, made.eval_dir(), made.eval_dir("a"))
        made.train(read, steps=1)
        stage.say(made.latest_checkpoint())
        stage.say(sorted(made.evaluate(read).items()), next(made.predict(read)))
        fed = tf.placeholder(tf.float32, [None, 1])
        receive = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": fed})
        path = made.export_saved_model(of("out"), receive)
        stage.say(type(path).__name__, len(os.listdir(_joined(of("out"), ""))))
    for source in (of("model"), _joined(of("model"), "model.ckpt-1")):
        with stage.failing():
            warm = make(build, f"{stage.folder}/warm", config, warm_start_from=source)
            warm.train(read, steps=1)
            stage.say(warm.get_variable_value("w"))


estimators = _in_each(_of_estimators)


def _of_keras(tf, stage, of):
    layer = tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(1,), name="d")
    model = tf.keras.Sequential([layer])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    folder = of("keras")
    if folder:
        tf.gfile.MakeDirs(folder)
    stage.attempt(model.save_weights, _joined(folder, "w"))
    stage.attempt(lambda: type(model.load_weights(_joined(folder, "w"))).__name__)
    of_keras = tf.keras.callbacks
    for make in (
        lambda: of_keras.ModelCheckpoint(_joined(folder, "c{epoch}"), save_weights_only=True),
        lambda: of_keras.TensorBoard(folder, profile_batch=0),
    ):
        with stage.failing():
            model.fit(_X, _X, verbose=0, callbacks=[make()])
    if "://" in folder:  # not supported by HDF5 and open()
        return
    stage.attempts(
        lambda: model.save_weights(_joined(folder, "w.h5")),
        lambda: model.load_weights(_joined(folder, "w.h5")),
        lambda: model.save(_joined(folder, "m.h5")),
        lambda: len(tf.keras.models.load_model(_joined(folder, "m.h5")).layers),
    )
    for make in (
        lambda: of_keras.ModelCheckpoint(_joined(folder, "c{epoch}.h5")),
        lambda: of_keras.CSVLogger(_joined(folder, "log.csv")),
    ):
        with stage.failing():
            model.fit(_X, _X, verbose=0, callbacks=[make()])


keras = _in_each(_of_keras, "bytes", "none")


def _of_saved_models(tf, stage, of):
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(2.0, name="v")
    folder = of("saved")
    with tf.Session() as session:
        session.run(v.initializer)
        stage.attempt(tf.saved_model.simple_save, session, folder, {"x": x}, {"y": x * v})
        stage.attempt(tf.saved_model.simple_save, session, folder, {"x": x}, {"y": x * v})
    if not isinstance(folder, bytes):
        stage.attempt(tf.saved_model.loader.maybe_saved_model_directory, folder)
    with tf.Graph().as_default(), tf.Session() as other:
        with stage.failing():
            tf.saved_model.loader.load(other, ["serve"], folder)
            stage.say(other.run("mul:0", {"x:0": 3.0}))
        with stage.failing():
            stage.say(tf.contrib.predictor.from_saved_model(folder)({"x": 4.0}))


saved_models = _in_each(_of_saved_models, "none")


def nothing_to_start_from(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    for name in (stage.folder, stage.folder.encode(), stage.folder + "/none", None, ""):
        stage.attempt(tf.train.warm_start, name)
        stage.attempt(tf.train.init_from_checkpoint, name, {"v": v})


for _scene in (savers, objects, events, estimators, keras, saved_models):
    _scene.__module__ = __name__
