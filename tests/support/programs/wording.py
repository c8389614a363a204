"""Compares two texts up to machine-dependent parts, times, and module paths of classes."""

import re
import tempfile

# Messages reworded in Python 3.14 and 3.15.
_OF_PYTHON = [
    (r"cannot use '[^']+' as a (?:dict key|set element) \((unhashable type: '[^']+')\)", r"\1"),
    (r"\b(?:float division|integer division or modulo) by zero", "division by zero"),
    (
        r"'(\w+)' is an invalid (keyword argument) for print\(\)",
        r"print() got an unexpected \2 '\1'",
    ),
    (r"is not a container or iterable\b", "is not iterable"),
    (r"expected a positive input, got [0-9.-]+", "math domain error"),
    (r"(too many values to unpack \(expected [0-9]+), got [0-9]+\)", r"\1)"),
    (r"(__int__|__index__)\(\) must return an int, not (\w+)", r"\1 returned non-int (type \2)"),
    (r"(got an unexpected keyword argument '\w+')\. Did you mean '\w+'\?", r"\1"),
    (r"(not all arguments converted during string formatting) \(required \d+, got \d+\)", r"\1"),
]
# Addresses, process-wide counts, file locations, this machine, and the module of a class; messages about devices that
# only TensorFlow's build has.
SCRUBBED = [
    (
        r"^(?:\[_Derived_\]\s*| +(?=Expects arg|assertion failed))",
        "",
    ),  # of functions whose bodies TensorFlow did not inline
    (r"0x[0-9a-f]+", "0x"),
    (r"\b(pyfunc_|CustomGradient-)[0-9]+", r"\1#"),
    (r"\bTensorArray (\S+?)_[0-9]+(@\S+?)?(?=: | has )", r"TensorArray \1_#\2"),
    (r"(_tensor_array_grads\S+?)_[0-9]+@", r"\1_#@"),
    (r"((?:Queue|Barrier|Accumulator) ')_[0-9]+_", r"\1_#_"),
    (r"\bStack\[(\S+?)_[0-9]+\]", r"Stack[\1_#]"),
    (r" in \w+ \S+\.py:[0-9]+\)", " in FUNCTION FILE:LINE)"),
    (r" \(defined at [^)]*\)(?: (?= ))?", " (defined at FILE:LINE)"),
    (r"(\{\{function_node __inference_\S+?)_[0-9]+\}\}", r"\1_#}}"),
    (r" running on \S+\. ", " running on HOST. "),
    (r" <\S+\.py:[0-9]+>", " <FILE:LINE>"),
    (r"\.tmp[0-9a-f]{32}\b|\.tempstate[0-9a-f-]+", ".TEMPORARY"),
    (r", /job:\w+/replica:0/task:[0-9]+/device:XLA_CPU:0", ""),
    (r", XLA_CPU\b|\bXLA_CPU (?=\n)", ""),
    (r"/job:localhost/replica:0/task:0/device:XLA_CPU:0 -> .*\n", ""),
    (r" The requested device appears to be a GPU, but CUDA is not enabled\.", ""),
    (  # as in Python 3.7; 3.9 adds the singular, 3.12 rewords it
        r"(?:with|without an implementation for) abstract methods? ([\w', ]+)",
        lambda found: "with abstract methods " + found[1].replace("'", ""),
    ),
    (r"\b(min|max)\(\) iterable argument is empty", r"\1() arg is an empty sequence"),  # 3.12
    # numpy 2.5
    (r"data type dtype\('(\w+)'\) not compatible with finfo", r"data type \1 not inexact"),
    (r"\b(?:tensorflow|tensorflow_core|tfmini)\.(?:\w+\.)*(\w+)", r"\1"),
    (r"\btensorflow\b", "tfmini"),
]


# Compiled, since they process every printed line of a recorded case.
_OF_PYTHON = [(re.compile(pattern), replacement) for pattern, replacement in _OF_PYTHON]
SCRUBBED = [(re.compile(pattern), replacement) for pattern, replacement in SCRUBBED]


def of_any_python(text):
    """Text in which messages of Python's own errors are independent of the Python version."""
    for pattern, replacement in _OF_PYTHON:
        text = pattern.sub(replacement, text)
    return text


def scrub(text):
    text = text.replace(tempfile.gettempdir(), "/tmp")
    for pattern, replacement in SCRUBBED:
        text = pattern.sub(replacement, text)
    return in_one_order(text)


def in_one_order(text):
    """Text with the lists sorted that TensorFlow prints in hash table order."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("Node attrs: "):
            lines[i] = "Node attrs: " + ", ".join(sorted(line[len("Node attrs: ") :].split(", ")))
        elif line.startswith("Root Member("):
            end = lines.index("", i)
            lines[i + 1 : end] = sorted(lines[i + 1 : end])
    return "\n".join(lines)
