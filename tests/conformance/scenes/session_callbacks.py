"""What follows each op of eager mode: functions of the program, checks for infinities and NaNs."""

import contextlib
import io

import numpy as np

from tests.conformance.scenes import eager_mode


def _said(stage, function, *args, **kwargs):
    """What a call gives or raises, and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        stage.attempt(function, *args, **kwargs)
    for line in printed.getvalue().split("\n"):
        if line:
            stage.say("printed", line)


@contextlib.contextmanager
def _eagerly(tf):
    with eager_mode(tf):
        tf.contrib.eager.clear_execution_callbacks()
        try:
            yield tf.contrib.eager
        finally:
            tf.contrib.eager.clear_execution_callbacks()


def infinities(tf, stage):
    with _eagerly(tf) as tfe:
        good, bad = tf.constant([1.0, 2.0]), tf.constant([np.inf, np.nan, -np.inf, 1.0])
        for check in (tfe.inf_nan_callback, tfe.inf_callback, tfe.nan_callback):
            for outputs in ([good], [bad], [good, bad], [tf.constant([1, 2])], []):
                _said(stage, check, "Op", [], None, outputs, "name")
            _said(stage, check, "Op", [], None, [tf.constant([np.nan])], None)
            _said(stage, check, "Op", [], None, [tf.constant(np.inf)], None)
            for action in ("ignore", "print", "raise", "warn", "more", 3):
                _said(stage, check, "Op", [], None, [bad], None, action=action)
        for options in (
            {"check_inf": False},
            {"check_nan": False},
            {"check_inf": False, "check_nan": False},
            {"check_inf": False, "action": "warn"},
        ):
            _said(stage, tfe.inf_nan_callback, "Op", [], None, [bad], "n", **options)
        doubles = tf.constant([[np.inf, 1.0]], tf.float64)
        _said(stage, tfe.inf_nan_callback, "Op", [], None, [doubles], None)
        _said(stage, tfe.inf_nan_callback, "Op", [], None, [tf.constant("inf")], None)
        _said(stage, tfe.inf_nan_callback, "Op", [], None, [tf.constant(True)], None)
        with stage.failing():
            try:
                tfe.inf_nan_callback("Op", [], None, [good, bad], "name")
            except Exception as error:
                stage.say(type(error).__name__, error.op_type, error.op_name)
                stage.say(error.output_index, error.num_outputs, error.value)


def settings(tf, stage):
    with _eagerly(tf) as tfe:
        zero, one = tf.constant(0.0), tf.constant(1.0)

        def divided():
            return (one / zero).numpy()

        stage.say(_shown(tfe.seterr()))
        _said(stage, divided)
        for action in ("raise", "warn", "print", "ignore", "raise"):
            stage.say(action, _shown(tfe.seterr(inf_or_nan=action)), _shown(tfe.seterr()))
            _said(stage, divided)
        stage.say(_shown(tfe.seterr(None)))
        stage.attempt(tfe.seterr, "other")
        with tfe.errstate(inf_or_nan="warn"):
            _said(stage, divided)
            with tfe.errstate(inf_or_nan="ignore"):
                _said(stage, divided)
            with tfe.errstate():
                _said(stage, divided)
        _said(stage, divided)
        stage.say(_shown(tfe.seterr()))
        tfe.clear_execution_callbacks()
        stage.say(_shown(tfe.seterr()))
        tfe.add_execution_callback(tfe.inf_nan_callback)
        stage.say(_shown(tfe.seterr()))
        _said(stage, tf.log, zero)
        _said(stage, tf.sqrt, tf.constant(-1.0), name="root")
        _said(stage, tf.cast, tf.constant([1.0, 2.0]), tf.int32)
        stage.say(_shown(tfe.seterr(inf_or_nan="ignore")))
        _said(stage, divided)


def _shown(before):
    return sorted((key, str(value).split(".")[-1].lower()) for key, value in before.items())
