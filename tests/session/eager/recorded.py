"""JSON-compatible results of programs and wrong uses in eager mode, and their recording by TensorFlow 1.15.5.

`ci/record eager` writes the recording.
"""

import importlib
import inspect
import json
import os
import pkgutil
import traceback

from tests.session.eager import programs, v2_programs, wrong_uses
from tests.support import goldens


def functions_of(module):
    """A module's programs: the public functions whose only argument is `tf`."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and not name.startswith("_")
        and list(inspect.signature(function).parameters) == ["tf"]
    }


def modules(package):
    """The program modules by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return {name: importlib.import_module(f"{package.__name__}.{name}") for name in names}


def plain(value):
    """A value with tensors and arrays as lists and bytes as text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "numpy"):
        return plain(value.numpy())
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value.decode() if isinstance(value, bytes) else value


def outcome(tf, function):
    """The class and the first line of the text of a wrong use's error."""
    try:
        function(tf)
    except Exception as error:
        return {
            "class": type(error).__name__,
            "text": str(getattr(error, "message", error)).split("\n")[0],
        }
    return {"class": None, "text": ""}


def write(tf):
    """Records everything with TensorFlow: each program in a separate process, since seeds and steps are per process."""
    eagerly, as_version_two = tf.compat.v1.enable_eager_execution, tf.compat.v1.enable_v2_behavior
    for package, enable in ((programs, eagerly), (v2_programs, as_version_two)):
        for name, module in modules(package).items():
            functions = functions_of(module).items()
            result = {program: _alone(tf, enable, _values, each) for program, each in functions}
            _write(name, result)
    wrong = functions_of(wrong_uses).items()
    _write("wrong_uses", {use: _alone(tf, eagerly, outcome, each) for use, each in wrong})


def path_of_golden(name):
    return goldens.golden_path("eager", name + ".json.xz")


def _write(name, found):
    goldens.write(path_of_golden(name), found)


def _values(tf, function):
    return plain(function(tf))


def _alone(tf, enable, ask, function):
    """The result of `ask` in a separate process, after `enable()`."""
    read, written = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            enable()
            with os.fdopen(written, "w") as out:
                json.dump(ask(tf, function), out)
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(written)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text)
