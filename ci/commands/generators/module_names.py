"""Writes module_names.txt.gz: the modules of TensorFlow 1.15.5, public and internal, and the definition of each name.

Run by the reference's Python.
"""

import collections
import contextlib
import gzip
import importlib
import inspect
import io
import operator
import os
import pkgutil
import re
import types

import tensorflow

from ci.commands.generators.block_order import similar_order

HEADER = """\
# The modules of TensorFlow 1.15.5 below `tensorflow` and what their names are, by `ci/generate module_names`.
#
#   [MODULE]                     its path without "tensorflow."
#   = tf.nn NAME NAME=OTHER ...  the same objects as tf.nn.NAME, tf.nn.OTHER ...
#   = @MODULE NAME NAME=OTHER    the same objects as in another module
#   class, function, object NAME ...    defined here, with no other name
#   value NAME LITERAL
#   from PACKAGE NAME NAME=OTHER modules that it imports, PACKAGE.NAME, PACKAGE.OTHER ...; "." is tensorflow
#   beside NAME NAME=OTHER.NAME  modules and objects of Python and of other libraries
#   raw NAME=OP(ARGUMENTS)       adds a node of this type; its arguments, unless they are in the order of the OpDef
#   second NAME=tf.x(ARGUMENTS)  tf.x as tf.compat.v2 has it: its arguments in their order, with their defaults
#   lists                        it has an __all__: stars import no modules from it
"""
WIDTH = 118
ROOTS = ("compiler", "contrib", "core", "examples", "lite", "python", "tools")
LITERALS = (bool, int, float, str, bytes, type(None))


def below(name):
    """A module's path below `tensorflow`, or None for a module of another library."""
    for root in ("tensorflow_core.", "tensorflow_estimator.", "tensorflow."):
        if name.startswith(root):
            return name[len(root) :]
    return None


def is_a_test(name):
    return (
        re.search(
            r"_test$|_test\.|\.kernel_tests\b|\.testing\.|\bapi\._v|_internal$|_xla_ops$|pip_package|copybara",
            name,
        )
        is not None
    )


def packages_and_modules():
    """(finder, name, whether it is a package) of every module with a file."""
    for root in ROOTS:
        package = importlib.import_module("tensorflow." + root)
        yield None, "tensorflow." + root, True
        yield from pkgutil.walk_packages(
            package.__path__, "tensorflow." + root + ".", lambda name: None
        )
    # `tensorflow.python.estimator` reexports names of a separate package.
    package = importlib.import_module("tensorflow_estimator.python")
    yield from pkgutil.walk_packages(
        package.__path__, "tensorflow_estimator.python.", lambda name: None
    )


def internal_modules():
    """Every module with a file, imported; None for modules whose dependencies are missing."""
    modules = {}
    for _, name, _ in packages_and_modules():
        path = below(name)
        if is_a_test(name) or path.split(".")[0] not in ROOTS:
            continue
        try:
            modules[path] = importlib.import_module(name)
        except Exception:
            modules[path] = None
    for name in dir(tensorflow.contrib):  # `tf.contrib.eager` is a module of another path
        value = getattr(tensorflow.contrib, name, None)
        if (
            isinstance(value, types.ModuleType)
            and below(value.__name__)
            and not name.startswith("_")
        ):
            if below(value.__name__) != "contrib." + name:
                modules["contrib." + name] = value
    return modules


def public_modules():
    """The modules of tf that consist of exported names, by path; "" is tf itself."""
    modules = {"": tensorflow}
    waiting = [""]
    while waiting:
        path = waiting.pop()
        for name in dir(modules[path]):
            value = getattr(modules[path], name, None)
            full = path + "." + name if path else name
            if (
                name.startswith("_")
                or not isinstance(value, types.ModuleType)
                or full in ("compat.v1", "compat.v2.compat")
            ):
                continue
            if (
                re.search(r"\b_?api\._?v[12]\b|^tensorboard\.summary\._tf\b", value.__name__)
                and full not in modules
            ):
                modules[full] = value
                waiting.append(full)
    modules.update({n: getattr(tensorflow, n) for n in ("flags",)})
    modules["app.flags"] = modules["flags"]
    return modules


def contents(module):
    """Names and values of a module, except those of `__future__` and other libraries."""
    for name in sorted(dir(module)):
        value = getattr(module, name, None)
        if name.startswith("__") or isinstance(value, types.ModuleType):
            continue
        if type(value).__name__ == "_Feature" or is_a_place_here(value):
            continue
        yield name, value


def is_a_place_here(value):
    """Whether a value is a path on the machine that runs this."""
    return isinstance(value, str) and os.path.isabs(value) and os.path.exists(value)


def is_an_object(value):
    """Whether a value has an identity, unlike equal numbers or empty lists."""
    if isinstance(value, tuple):
        return len(value) > 0 and not isinstance(value[0], LITERALS)
    return not isinstance(value, LITERALS + (list, dict, set, frozenset))


def home(value):
    """Module path where a function or class is defined; "" in other libraries, None if unknown."""
    name = getattr(value, "__module__", None)
    if not isinstance(name, str):
        return None
    return below(name) or ""


def is_made_by_a_generator(path, name, value):
    """Whether a name belongs to the machinery of exported and generated functions."""
    if name.endswith("_eager_fallback") or ".gen_" in path and re.match("_.*[oO]utputs?$", name):
        return True
    return (
        re.match("_(tf|keras|estimator)_api_|_allowed_symbols", name)
        or name.endswith("_note")
        and isinstance(value, str)
    )


def is_there_today(name):
    """Whether a module is neither part of TensorFlow nor removed from or deprecated in Python."""
    gone = r"tensorflow|_?pywrap|_wrap|_?api|imp\b|sre_|distutils|pipes|cgi"
    return re.fullmatch(r"[a-zA-Z0-9_.]+", name) and not re.match(gone + "|[0-9a-f]{32}", name)


def modules_in(path, module, paths):
    """(name, path) of the modules of TensorFlow that a module imports, and (name, dotted name) of all others."""
    within, beside = [], []
    for name in sorted(dir(module)):
        value = getattr(module, name, None)
        if not isinstance(value, types.ModuleType) or name.startswith("__"):
            continue
        module_path = paths.get(id(value))
        if module_path is None and below(value.__name__) in paths.values():
            module_path = below(value.__name__)
        if module_path is None:
            if not name.startswith("_") and is_there_today(value.__name__):
                beside.append((name, value.__name__))
        elif module_path != (path + "." + name).lstrip("."):
            within.append((name, module_path))
    return within, beside


def named_elsewhere(value):
    """The dotted name of a class or function of Python or another library; else None."""
    try:
        module = importlib.import_module(value.__module__)
        is_there = operator.attrgetter(value.__qualname__)(module) is value
    except (AttributeError, ImportError, TypeError, ValueError):
        return None
    full = f"{value.__module__}.{value.__qualname__}"
    return full if is_there and is_there_today(full) else None


ops = {}  # the OpDefs by op type


def undecorate(function):
    """A function below its decorators."""
    function = inspect.unwrap(function)
    while hasattr(function, "_tf_decorator"):
        function = function._tf_decorator.decorated_target
    return function


def generated_op(function):
    """The op type of the node that a generated function adds, and its arguments; else None."""
    inner = undecorate(function)
    code = getattr(inner, "__code__", None)
    op_types = [c for c in code.co_consts if isinstance(c, str) and c in ops] if code else []
    if not op_types:
        return None
    names = list(inspect.signature(inner).parameters)
    assert names[-1] in ("name", "ctx"), (function, names)
    return op_types[0], names[:-1]


def default(parameter):
    """=DEFAULT of an argument, =... unless a literal or dtype; empty without a default."""
    value = parameter.default
    if value is parameter.empty:
        return ""
    text = "tf." + value.name if isinstance(value, tensorflow.DType) else repr(value)
    is_short = isinstance(value, LITERALS + (tensorflow.DType,)) and " " not in text
    return "=" + (text if is_short else "...")


def in_first(function):
    """The function of tf with the name of a function that only tf.compat.v2 has, if it takes the same arguments."""
    target = undecorate(function)
    names = () if getattr(target, "_tf_api_names_v1", ()) else getattr(target, "_tf_api_names", ())
    for name in names:
        legacy = tensorflow
        for part in name.split("."):
            legacy = getattr(legacy, part, None)
        if callable(legacy) and not isinstance(legacy, type):
            arguments = inspect.signature(function).parameters
            if set(arguments) <= set(inspect.signature(legacy).parameters):
                listed = [n + default(p) for n, p in arguments.items()]
                return "tf.{}({})".format(name, ",".join(listed))
    return None


def wrap_lines(word, entries):
    """Lines that begin with `word`, wrapped at about WIDTH."""
    line = word
    for entry in entries:
        if len(line) + len(entry) >= WIDTH and line != word:
            yield line
            line = word
        line += " " + entry
    if line != word:
        yield line


def usual_arguments(definition):
    """The arguments of an op's function: its inputs, its attrs without a default, and the others."""
    args = list(definition.input_arg)
    inferred = {a.type_attr for a in args} | {a.number_attr for a in args}
    inferred |= {a.type_list_attr for a in args}
    attrs = [a for a in definition.attr if a.name not in inferred]
    attrs.sort(key=lambda a: a.HasField("default_value"))
    return [a.name for a in [*args, *attrs]]


@contextlib.contextmanager
def text_file(path):
    """A text file for writing, with deterministic compression."""
    out = io.StringIO()
    yield out
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(out.getvalue().encode())


def main():
    with contextlib.redirect_stdout(io.StringIO()):
        internal = internal_modules()
    public = public_modules()
    from tensorflow.python.framework import op_def_registry  # noqa: PLC0415 - once all are loaded

    ops.update(op_def_registry.get_registered_ops())
    names = collections.defaultdict(
        list
    )  # of an object: (order, "tf.nn" or "@python.ops.nn_ops", name)
    keep = []

    def offer(value, order, owner, name):
        if is_an_object(value):
            names[id(value)].append((order, len(owner), owner, name))
            keep.append(value)

    for path, module in public.items():
        order = 2 if path == "raw_ops" else 1 if path.startswith(("keras", "estimator")) else 0
        for name, value in contents(module):
            if not name.startswith("_") and not path.startswith("compat.v2"):
                offer(value, order, ("tf." + path).rstrip("."), name)
    for path, module in internal.items():
        of_contrib = path.startswith("contrib.") and "python" not in path.split(".")
        for name, value in contents(module) if module else ():
            if home(value) == "" or name.endswith("_export") and path != "python.util.tf_export":
                continue
            if (
                of_contrib
                and not name.startswith("_")
                and (home(value) or "").startswith("contrib")
            ):
                offer(value, 2, "tf." + path, name)
            elif home(value) == path and getattr(value, "__name__", "") == name:
                offer(value, 3, "@" + path, name)
            else:
                gathers = path in ("python", "python.ops.standard_ops")  # from all the others
                offer(value, 6 if gathers else 5, "@" + path, name)
    with text_file("tfmini/_src/programs/hook/module_names.txt.gz") as out:
        out.write(HEADER)
        count, blocks = 0, {}
        paths = {
            id(module): path for path, module in (*internal.items(), *public.items()) if module
        }
        for path in sorted(set(internal) | set(public)):
            # Exported modules take precedence; `tensorflow.keras` also has files.
            module = public.get(path, internal.get(path))
            groups = collections.defaultdict(list)
            values = []
            entry = ("tf." + path).rstrip("."), "@" + path
            for name, value in contents(module) if module else ():
                if path.startswith("core."):
                    if not name.startswith("_"):
                        groups["object"].append(name)
                    continue
                if is_made_by_a_generator(path, name, value):
                    continue
                if not is_an_object(value):
                    is_literal = isinstance(value, LITERALS) and not repr(value).endswith(
                        ("inf", "nan")
                    )
                    is_state = name.startswith("_") and name != name.upper()  # it may change
                    if is_literal and len(repr(value)) <= 80 and not is_state:
                        values.append(f"value {name} {value!r}")
                    else:
                        groups["object"].append(name)
                    continue
                if not names[id(value)]:
                    if path in public and home(value) is not None:
                        names[id(value)].append((9, 0, entry[0], name))
                    else:
                        elsewhere = named_elsewhere(value) if home(value) == "" else None
                        if elsewhere:
                            groups["beside"].append(f"{name}={elsewhere}")
                        continue
                _, _, owner, other = min(names[id(value)])
                if owner in entry and name == other:
                    group = (
                        "class"
                        if isinstance(value, type)
                        else "function"
                        if callable(value)
                        else "object"
                    )
                    raw_op = (
                        generated_op(value) if ".gen_" in path and group == "function" else None
                    )
                    if raw_op:
                        op, arguments = raw_op
                        is_usual = list(arguments) == usual_arguments(ops[op])
                        listed = "" if is_usual else "({})".format(",".join(arguments))
                        groups["raw"].append(f"{name}={op}{listed}")
                    elif not raw_op:
                        first = in_first(value) if group == "function" else None
                        groups["second" if first else group].append(
                            name + "=" + first if first else name
                        )
                    continue
                groups["= " + owner].append(name if name == other else name + "=" + other)
            within, beside = (
                modules_in(path, module, paths)
                if module and not path.startswith("core.")
                else ((), ())
            )
            for name, module_path in within:
                package, _, last = module_path.rpartition(".")
                groups["from " + (package or ".")].append(
                    name if name == last else "{}={}".format(name, last or ".")
                )
            groups["beside"] += [
                name if name == other else f"{name}={other}" for name, other in beside
            ]
            lines = []
            if path not in public and isinstance(
                vars(module or types).get("__all__"), (list, tuple)
            ):
                lines.append("lists")
            for word in sorted(groups):
                lines += wrap_lines(word, groups[word])
                count += len(groups[word])
            count += len(values)
            blocks[path] = "".join(line + "\n" for line in lines + values)
        for path in similar_order(blocks):
            out.write(f"\n[{path}]\n{blocks[path]}")
    print(len(set(internal) | set(public)), "modules,", count, "names")


main()
