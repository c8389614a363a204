"""The texts that plans make of fused groups: collected from steps on the fake, which launch nothing of them."""

import contextlib
import re
from unittest import mock

import tfmini as tf
from tests import launches, recording
from tests.gpus import fake_gpus
from tfmini.backend.gpu import fusion

_TOGETHER = 30


def texts(programs=None):
    """Those of the models of `tests.launches` and of the golden programs, or of these; in order, each once.

    What a group computes is left out, so that a program may fail half way: its texts so far count.
    """
    found = {}

    def noted(xp, text, kernel):
        found[text] = None
        return lambda grid, block, args: None

    with mock.patch.object(fusion, "function_of", noted):
        if programs is None:
            for model in launches.MODELS:
                launches.counted(model)
        for name in recording.names_in("programs") if programs is None else programs:
            with contextlib.suppress(Exception), fake_gpus(devices=1):
                recording.record(tf, name)
    return sorted(found)


def joined(texts):
    """The texts, elementwise ones some in one, each in a namespace: a compiler takes long to begin."""
    plain = [text for text in texts if text.count("#") == 1]  # no more than its #line
    alone = [text for text in texts if text.count("#") != 1]
    starts = range(0, len(plain), _TOGETHER)
    return [*alone, *(_in_one(plain[i : i + _TOGETHER]) for i in starts)]


def _in_one(texts):
    named = [re.sub(r"\bfused\(", f"fused_{n}(", text) for n, text in enumerate(texts)]
    bodies = [text.partition("\n")[2] for text in named]
    return "".join(f"namespace group_{n} {{\n{body}}}\n" for n, body in enumerate(bodies))
