"""Callbacks after each eager op: user functions, checks for infinities and NaNs."""

import contextlib
import io

from tests.conformance.scenes import eager_mode


def _said(stage, function, *args, **kwargs):
    """A call's result or exception, and its printed output."""
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
