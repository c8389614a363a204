"""tf.keras: an option of `compile`, `fit`, a callback a program, with what the training said, left and wrote."""

import contextlib
import io
import os
import re

import numpy as np

from tests.conformance.short_programs import rows

FIT = """
fit(?) | epochs=2 | batch_size=1 | batch_size=0 | epochs=0 | epochs=-1 | epochs=3, initial_epoch=1 | initial_epoch=5
    | batch_size=2, shuffle=False | batch_size=2, shuffle="batch" | batch_size=2, shuffle=True | validation_split=0.5
    | validation_split=1.0 | validation_split=-0.5 | validation_data=(X, Y) | validation_data=(X, Y, W)
    | validation_data=3 | validation_data=(X,) | validation_data=(X, Y), validation_freq=2, epochs=3
    | validation_data=(X, Y), validation_freq=[1, 3], epochs=3 | validation_data=(X, Y), validation_freq=0
    | validation_data=(X, Y), validation_steps=1 | class_weight={0: 1.0, 1: 3.0} | class_weight={0: 1.0}
    | sample_weight=W | sample_weight=W[:2] | sample_weight=W[:, None] | steps_per_epoch=2 | steps_per_epoch=0
    | steps_per_epoch=3, batch_size=2 | max_queue_size=1 | workers=0 | use_multiprocessing=True | verbose=2
    | verbose=2, epochs=2, batch_size=1 | verbose=2, validation_split=0.5 | verbose=1 | callbacks=[] | other=3
    | nb_epoch=2 | x=None
fit(compiled={?}) | "metrics": ["mae"] | "metrics": {"b": "mae"} | "metrics": ["mae", "mse"] | "metrics": "mae"
    | "metrics": [["mae"]] | "metrics": ["some"] | "loss_weights": [0.5] | "loss_weights": {"b": 0.5}
    | "loss_weights": 0.5 | "loss_weights": {"c": 0.5} | "weighted_metrics": ["mae"] | "sample_weight_mode": "temporal"
    | "sample_weight_mode": "some" | "target_tensors": [1] | "run_eagerly": False | "optimizer": "some"
    | "optimizer": 3 | "optimizer": None | "loss": None | "loss": ["mse"] | "loss": {"b": "mae"} | "loss": {"c": "mae"}
    | "loss": lambda y, p: K.backend.mean(p) | "loss": 3 | "cloning": True | "other": 3
fit(compiled={"weighted_metrics": ["mae"], "metrics": ["mae"]}, sample_weight=W)
use(lambda m: m.evaluate(X, Y, verbose=0, ?)) | batch_size=1 | sample_weight=W | steps=1 | steps=0 | callbacks=[]
    | max_queue_size=1 | use_multiprocessing=True | workers=0
use(lambda m: m.predict(X, ?)) | batch_size=1 | steps=1 | verbose=1 | max_queue_size=1 | use_multiprocessing=True
    | workers=0 | batch_size=0 | callbacks=[LOGGED(log)]
use(lambda m: [m.train_on_batch(X, Y, ?), m.train_on_batch(X, Y)]) | sample_weight=W | class_weight={0: 1.0, 1: 3.0}
    | reset_metrics=False | reset_metrics=True
use(lambda m: [m.test_on_batch(X, Y, ?), m.test_on_batch(X, Y)]) | sample_weight=W | reset_metrics=False
use(lambda m: m.?) | predict_on_batch(X) | predict_on_batch(X[:, :1]) | train_on_batch(X, Y[:1]) | evaluate(X)
    | evaluate(X, Y[:1], verbose=0) | fit(X, Y[:1]) | fit(X[:, :2], Y) | fit([X, X], Y) | fit({"a": X}, Y)
    | fit({"a_input": X}, Y, verbose=0).history | reset_metrics() | reset_states() | metrics_names
    | to_json(indent=1)[:40] | to_json()[:40] | get_config()["layers"][0]["config"]["units"] | get_layer("a").name
    | get_layer("c") | get_layer(index=1).name | get_layer(index=7) | get_layer() | get_weights()[0] | set_weights([1])
    | count_params() | summary(line_length=60, print_fn=log.append) or log
    | summary(positions=[0.3, 0.6, 1.0], print_fn=log.append) or log | summary(60, [0.3, 0.6, 1.0], log.append) or log
    | pop() or [l.name for l in m.layers] | add(3) | add(L.Dense(1)) or [l.name for l in m.layers]
    | layers[0].get_output_at(1) | layers[0].get_input_shape_at(0) | layers[0].output_shape
    | save("m.h5") or os.listdir(".")
    | save("m.h5", include_optimizer=False) or len(K.models.load_model("m.h5", compile=True).layers)
    | save("m.h5", False) | save("m.some") or sorted(os.listdir(".")) | save_weights("w") or sorted(os.listdir("."))
    | save_weights("w.h5") or sorted(os.listdir("."))
    | save_weights("w.h5", save_format="tf") or sorted(os.listdir("."))
    | save_weights("w", save_format="h5") or sorted(os.listdir(".")) | save_weights("w", save_format="some")
    | save_weights("w.h5", overwrite=True) | load_weights("none")
use(lambda m: [m.save_weights("w.h5"), m.load_weights("w.h5", ?)][0]) | by_name=True | by_name=False
use(lambda m: [m.save("m.h5"), K.models.load_model("m.h5", ?)][1].metrics_names) | None, True | compile=False
    | custom_objects={"a": 3}
use(lambda m: K.models.clone_model(m, ?).get_config()["name"]) | input_tensors=[tf.ones([4, 3])]
    | clone_function=lambda l: l.__class__.from_config(l.get_config()) | clone_function=3
use(lambda m: K.models.model_from_json(m.to_json(), ?).name) | custom_objects={"a": 3}
use(lambda m: m.fit_generator(DATA(), ?).history) | 2 | 2, epochs=2 | 2, verbose=2
    | 2, validation_data=DATA(), validation_steps=1 | 2, class_weight={0: 1.0, 1: 3.0} | 2, max_queue_size=1
    | 2, workers=0 | 2, shuffle=False | 2, initial_epoch=1, epochs=2 | 0 | None | 2, validation_data=DATA() | 9
use(lambda m: m.evaluate_generator(DATA(), ?)) | 2 | 2, max_queue_size=1 | 2, workers=0 | 2, verbose=1 | None
use(lambda m: m.predict_generator(DATA(), ?)) | 1 | 1, max_queue_size=1 | 1, workers=0 | 1, verbose=1
"""
CALLBACKS = """
watched(C.EarlyStopping(?)) | "loss" | "loss", 100.0 | "loss", patience=1, min_delta=100.0
    | "loss", verbose=1, min_delta=100.0 | "loss", mode="max" | "loss", mode="min" | "loss", mode="some"
    | "loss", baseline=0.0 | "loss", mode="max", restore_best_weights=True, patience=1 | "none" | "loss", -100.0
    | "loss", mode="max", restore_best_weights=True, verbose=1 | "mae", mode="auto" | "acc", mode="auto"
watched(C.ReduceLROnPlateau(?)) | "loss", min_delta=100.0, patience=1 | "loss", 0.5, min_delta=100.0, patience=1
    | "loss", 0.5, patience=0, min_delta=100.0 | "loss", verbose=1, min_delta=100.0, patience=1
    | "loss", mode="max", patience=1 | "loss", cooldown=2, min_delta=100.0, patience=1
    | "loss", min_lr=0.005, min_delta=100.0, patience=1 | "loss", 1.0 | "none" | "loss", epsilon=100.0, patience=1
    | "loss", 0.5, mode="some", min_delta=100.0, patience=1
watched(C.LearningRateScheduler(?)) | lambda e: 0.1 / (e + 1) | lambda e, lr: lr * 0.5 | lambda e: 0.1, 1
    | lambda e: "a" | lambda e: 1
watched(C.ModelCheckpoint(?)) | "m{epoch}.h5" | "m.h5", "loss" | "m{epoch}.h5", "loss", save_best_only=True
    | "m{epoch}.h5", "loss", verbose=1 | "m{epoch}.h5", save_weights_only=True | "w{epoch}", save_weights_only=True
    | "m{epoch}.h5", "loss", save_best_only=True, mode="max" | "m{epoch}.h5", "loss", save_best_only=True, mode="some"
    | "m{epoch}.h5", save_freq=2 | "m{epoch}.h5", save_freq="some" | "m{epoch}.h5", period=2
    | "m{epoch}.h5", "none", save_best_only=True | "m{some}.h5" | "m{epoch}.h5", other=3 | "m{epoch:02d}-{loss:.0f}.h5"
    | "m.h5", load_weights_on_restart=True
logged(C.CSVLogger("l.csv", ?)) | separator=";" | append=True | ",", False
watched(C.LambdaCallback(?)) | on_epoch_begin=lambda e, logs: log.append(("begin", e))
    | on_epoch_end=lambda e, logs: log.append(("end", e, sorted(logs)))
    | on_batch_begin=lambda b, logs: log.append(("begin", b, sorted(logs)))
    | on_batch_end=lambda b, logs: log.append(("end", b, sorted(logs)))
    | on_train_begin=lambda logs: log.append(("begin", logs)) | on_train_end=lambda logs: log.append(("end", logs))
    | other=3
watched(C.?) | TerminateOnNaN() | BaseLogger(["mae"]) | BaseLogger() | History() | ProgbarLogger()
    | ProgbarLogger("steps") | ProgbarLogger("some") | ProgbarLogger("steps", ["mae"]) | Callback()
watched(C.TensorBoard("t", ?)) | 0 | write_graph=False | histogram_freq=1 | batch_size=2 | update_freq="batch"
    | update_freq=1 | embeddings_freq=0 | profile_batch=0
watched(LOGGED(log), ?) | batch_size=1 | validation_split=0.5 | validation_data=(X, Y), validation_steps=1
    | steps_per_epoch=2
"""


def programs(tf):
    K = tf.keras
    L, C = K.layers, K.callbacks
    random = np.random.RandomState(3)
    x = random.rand(4, 3).astype("f")
    y = np.array([[0.0], [1.0], [0.0], [1.0]], "f")
    log = []

    class Logged(C.Callback):
        """Writes down which of its methods are called, and with what."""

        def __init__(self, lines):
            super().__init__()
            for name in sorted(dir(self)):
                if name.startswith("on_"):
                    setattr(
                        self,
                        name,
                        lambda *args, name=name: lines.append([name, *map(_brief, args)]),
                    )

    def _brief(value):
        return sorted(value) if isinstance(value, dict) else str(value)

    def network(options=None):
        del log[:]
        made = K.Sequential(
            [
                L.Dense(2, kernel_initializer="ones", input_shape=[3], name="a"),
                L.Dense(1, kernel_initializer="ones", name="b"),
            ]
        )
        arguments = {"optimizer": "sgd", "loss": "mse", **(options or {})}
        made.compile(arguments.pop("optimizer"), **arguments)
        return made

    @contextlib.contextmanager
    def printed(lines):
        """What is printed meanwhile, without times and without what a bar has overwritten."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            yield
        for line in out.getvalue().split("\n"):
            line = re.sub(r"\d+[mu]?s(/\w+)?", "TIME", re.split("[\r\b]", line)[-1])
            lines.append(re.sub(r"\d+\.\d+", "NUMBER", line))

    def fit(compiled=None, **options):
        made, lines = network(compiled), []
        arguments = {"x": x, "y": y, "verbose": 0, **options}
        with printed(lines):
            history = made.fit(**arguments)
        return [history.epoch, history.history, lines, made.get_weights()]

    def use(call):
        made, lines = network({"metrics": ["mae"]}), []
        with printed(lines):
            found = call(made)
        return [found, lines]

    def watched(callback, **options):
        made, lines = network({"metrics": ["mae"]}), []
        arguments = {"epochs": 3, "batch_size": 2, "shuffle": False, "verbose": 0, **options}
        with printed(lines):
            history = made.fit(x, y, callbacks=[callback], **arguments)
        names = sorted(re.sub(r"(tfevents).*", r"\1", name) for name in os.listdir("."))
        return [
            history.epoch,
            history.history,
            lines,
            names,
            [list(map(str, each)) for each in log],
        ]

    def logged(callback):
        watched(callback)
        watched(callback)
        return [len(re.split("[,;]", line)) for line in open("l.csv")]

    def data():
        while True:
            yield x, y

    return rows(
        FIT + CALLBACKS,
        tf=tf, np=np, os=os, K=K, L=L, C=C, X=x, Y=y, W=np.array([1.0, 0.0, 2.0, 0.5]), log=log, LOGGED=Logged,
        DATA=data, fit=fit, use=use, watched=watched, logged=logged,
    )  # fmt: skip
