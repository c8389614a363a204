"""tf.keras: one option of `compile`, `fit` or a callback per program, with output, state and files of the training."""

import contextlib
import io
import os
import re

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    K = tf.keras
    L, C = K.layers, K.callbacks
    random = np.random.RandomState(3)
    x = random.rand(4, 3).astype("f")
    y = np.array([[0.0], [1.0], [0.0], [1.0]], "f")
    log = []

    class Logged(C.Callback):
        """Records calls of its methods, with arguments."""

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
        """Printed output, without times and overwritten progress bars."""
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
        table_of(__file__),
        tf=tf, np=np, os=os, K=K, L=L, C=C, X=x, Y=y, W=np.array([1.0, 0.0, 2.0, 0.5]), log=log, LOGGED=Logged,
        DATA=data, fit=fit, use=use, watched=watched, logged=logged,
    )  # fmt: skip
