"""Deprecations: warnings, their frequency, location and text; docstrings; rejected arguments."""

import contextlib
import logging


class _Heard(logging.Handler):
    """Records all log messages, with line numbers in this file."""

    def __init__(self, stage):
        super().__init__()
        self.stage = stage

    def emit(self, record):
        text = record.getMessage().replace(__file__, "HERE").replace("\n", "|")
        self.stage.say(record.levelname, text)


@contextlib.contextmanager
def _heard(stage):
    logger, handler = logging.getLogger("tensorflow"), _Heard(stage)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _doc(stage, function):
    stage.say(function.__name__, (function.__doc__ or "none").replace("\n", "|"))


def _refused(stage, function, *args, **kwargs):
    """Records the end of an error message, without the function's name, whose form depends on the Python version."""
    try:
        stage.say(function(*args, **kwargs))
    except TypeError as error:
        stage.say(str(error).rpartition(".")[2])


def functions(tf, stage):
    deprecated = tf.contrib.framework.deprecated

    @deprecated("2020-02-30", "Use the other.")
    def dated(x, y=2):
        """Gives both.

        More of it.
        """
        return x, y

    @deprecated(None, "Leave it out.\nOr not.")
    def undated():
        return "undated"

    @deprecated(None, "Use it always.", warn_once=False)
    def always():
        """One line."""
        return "always"

    class Thing:
        @deprecated("2019-01-01", "Use nothing.")
        def method(self, x):
            """A method."""
            return x

        @property
        @deprecated(None, "Use no property.")
        def value(self):
            """A property."""
            return 5

    with _heard(stage):
        for _ in range(2):
            stage.attempts(lambda: dated(1), lambda: [undated(), always()])
            stage.attempts(lambda: Thing().method(7), lambda: Thing().value)
    for function in (dated, undated, always, Thing.method):
        _doc(stage, function)
    stage.say(Thing.value.__doc__.replace("\n", "|"))


def wrong_dates(tf, stage):
    of = tf.contrib.framework
    stage.attempts(
        lambda: of.deprecated_args(None, "Do.", "a", other=1),
        lambda: of.deprecated_args(None, "Do.", "a", "a")(lambda a: a),
        lambda: of.deprecated_args(None, "Do.", "a", "b", ("c", 1))(lambda a, *more, **named: a),
    )
    for decorate in (
        of.deprecated(None, "Do."),
        of.deprecated_args(None, "Do.", "a"),
        of.deprecated_arg_values(None, "Do.", a=1),
    ):
        with stage.failing():
            decorate(5)
        try:
            decorate(property(lambda self: 1))
        except ValueError as error:
            stage.say(str(error).split("\n")[1:])


def arguments(tf, stage):
    deprecated_args = tf.contrib.framework.deprecated_args

    @deprecated_args(None, "Leave a out.", "a")
    def plain(x, a=1, b=2):
        """Plain.

        Args:
          a: one.
        """
        return x, a, b

    @deprecated_args("2021-05-05", "Give None.", ("a", None), ("b", False), "c")
    def accepted(x, a=None, b=False, c=3):
        return x, a, b, c

    @deprecated_args(None, "No more.", "more", "named")
    def of_stars(x, *more, **named):
        """Stars."""
        return x, more, sorted(named)

    @deprecated_args(None, "Always.", "a", warn_once=False)
    def always(a=1):
        return a

    with _heard(stage):
        for _ in range(2):
            stage.attempts(lambda: plain(1, 2))
            stage.attempts(
                lambda: accepted(1, b=True, c=3),
                lambda: accepted(1, 2),
                lambda: of_stars(1, 2),
                lambda: of_stars(1, z=2),
                lambda: [always(), always(1), always(a=1)],
            )
            for wrong in ((), (1, 2, 3, 4)):
                _refused(stage, plain, *wrong)
            _refused(stage, plain, 1, d=1)
    for function in (plain, accepted, of_stars, always):
        _doc(stage, function)


def values_of_arguments(tf, stage):
    values = tf.contrib.framework.deprecated_arg_values

    @values(None, "Give True.", a=False, b=None)
    def plain(x, a=True, b=1):
        """Plain."""
        return x, a, b

    @values("2022-02-02", "Always.", warn_once=False, a=1)
    def always(a=1):
        return a

    with _heard(stage):
        for _ in range(2):
            stage.attempts(
                lambda: plain(1, False),
                lambda: plain(1, a=False, b=None),
                lambda: [always(), always(1), always(a=1), always(2)],
            )
            _refused(stage, plain)
            _refused(stage, plain, 1, d=1)
    for function in (plain, always):
        _doc(stage, function)
