"""Prepares CUDA C++ for the host compiler: finds a source's kernels and generates an entry point for each.

The source is already preprocessed, with `__global__` and `__shared__` left in place.
"""

import re
from dataclasses import dataclass

_BOUNDS = r"__launch_bounds__\s*\(\s*(\d+)\s*(?:,\s*\d+\s*)?\)\s*"
_KERNEL = re.compile(
    rf'extern\s+"C"\s+__global__\s+(?:{_BOUNDS})?void\s+'
    rf"(?:{_BOUNDS})?(\w+)\s*\(([^)]*)\)\s*\{{"
)
# Threads per block without launch bounds: each may use 255 of 65,536 registers.
_UNBOUNDED = 256
_DYNAMIC = re.compile(
    r"extern\s+__shared__\s+(?:alignas\s*\(\w+\)\s*)?([\w\s]+?)\s*(\w+)\s*\[\s*\]\s*;"
)
_SHARED = re.compile(
    r"__shared__\s+(?:alignas\s*\(\w+\)\s*)?([\w\s:<>]+?)\s*\b(\w+)((?:\s*\[[^\];]*\])*)\s*;"
)
_OTHER_GLOBAL = re.compile(r"__global__\s+[^;{]*?(\w+)\s*\(")

# Numbers of the permitted parameter types, with their C++ and NumPy names.
_TYPES = {
    "bool": "?",
    "char": "i1",
    "signed char": "i1",
    "unsigned char": "u1",
    "short": "i2",
    "unsigned short": "u2",
    "int": "i4",
    "unsigned": "u4",
    "long": "i8",
    "unsigned long": "u8",
    "long long": "i8",
    "unsigned long long": "u8",
    "Half": "f2",
    "float": "f4",
    "double": "f8",
}
_NAMES = list(_TYPES)


@dataclass(frozen=True)
class Parameter:
    """A kernel parameter: the dtype of its value or pointee ("" for void).

    Structures have dtype "V" with their size.
    """

    name: str
    dtype: str
    pointer: bool
    constant: bool


@dataclass(frozen=True)
class Kernel:
    """A kernel in a source: the (type, name) of each parameter, and the maximum threads per block."""

    parameters: list[tuple[str, str]]
    max_threads: int


def kernels(text: str) -> dict[str, Kernel]:
    """The kernels of a preprocessed source, by name."""
    by_name = {}
    for match in _KERNEL.finditer(text):
        *bounds, name, parameters_text = match.groups()
        parameters = [" ".join(p.split()) for p in parameters_text.split(",") if p.strip()]
        most = int(next(filter(None, bounds), _UNBOUNDED))
        by_name[name] = Kernel([_parameter(p) for p in parameters if p != "void"], most)
    unsupported = set(_OTHER_GLOBAL.findall(re.sub(_BOUNDS, "", text))) - set(by_name)
    if unsupported:
        raise ValueError(f'kernels must be extern "C" __global__ void: {sorted(unsupported)}')
    return by_name


def _parameter(text: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.*?)\s*(\w+)", text)
    if match is None or not match.group(1):
        raise ValueError(f"a parameter without a type and a name: {text!r}")
    return match.group(1).replace("__restrict__", "").strip(), match.group(2)


def host_source(text: str, by_name: dict[str, Kernel]) -> str:
    """The source for the host compiler, with an entry point of untyped arguments for each kernel."""
    text = _DYNAMIC.sub(r"\1* \2 = (\1*)cuda_dynamic_shared();", text)
    text = _SHARED.sub(_shared_array, text)
    if "__shared__" in text:
        line = next(line for line in text.splitlines() if "__shared__" in line)
        raise ValueError(f"wanted `__shared__ type name[size];`, one array a line: {line.strip()}")
    text = re.sub(r"\b__global__\b", "", re.sub(_BOUNDS, "", text))
    listed = " ".join(
        f"{name}:{k.max_threads}:{','.join(n for _, n in k.parameters)}"
        for name, k in by_name.items()
    )
    names = f'extern "C" const char* const cuda_kernels = "{listed}";'
    thunks = (_thunk(name, kernel.parameters) for name, kernel in by_name.items())
    return "\n".join([text, _TYPE_CODES, names, *thunks])


def _shared_array(match: re.Match) -> str:
    """A reference to block-shared memory, keyed by the address of a static variable."""
    ctype, name, sizes = match.groups()
    return (
        f"static char cuda_key_{name}; typedef {ctype} cuda_type_{name}{sizes}; "
        f"cuda_type_{name}& {name} = *(cuda_type_{name}*)"
        f'cuda_static_shared(&cuda_key_{name}, sizeof(cuda_type_{name}), "shared `{name}`");'
    )


_TYPE_CODES = "\n".join(
    [
        '# 1 "thunks"',
        "struct Half; struct Half4;",
        "template <class T> struct cuda_code { static const int value = 10000 + sizeof(T); };",
        "template <> struct cuda_code<void> { static const int value = 99; };",
        *(
            f"template <> struct cuda_code<{name}> {{ static const int value = {code}; }};"
            for code, name in enumerate(_NAMES)
        ),
        "template <class T> struct cuda_code<const T> "
        "{ static const int value = cuda_code<T>::value % 10000 == cuda_code<T>::value"
        " ? cuda_code<T>::value + 1000 : cuda_code<T>::value; };",
        "template <class T> struct cuda_code<T*> "
        "{ static const int value = cuda_code<T>::value + 100; };",
    ]
)
# Pointers to vectors point to their elements, pointers to pointers to tables of addresses.
for _vector, _element in (
    *(("float2", "float"), ("float4", "float"), ("double2", "double"), ("int2", "int")),
    *(("Half4", "Half"),),
    *(("int4", "int"), ("uint2", "unsigned"), ("uint4", "unsigned")),
    *(("longlong2", "long long"), ("ulonglong2", "unsigned long long")),
):
    _TYPE_CODES += f"\ntemplate <> struct cuda_code<{_vector}> : cuda_code<{_element}> {{}};"
_TYPE_CODES += (
    "\ntemplate <class T> struct cuda_code<T**> : cuda_code<unsigned long long*> {};"
    "\ntemplate <class T> struct cuda_code<T* const*> : cuda_code<const unsigned long long*> {};"
)


def _thunk(name: str, parameters: list[tuple[str, str]]) -> str:
    arguments = ", ".join(f"*({ctype}*)a[{i}]" for i, (ctype, _) in enumerate(parameters))
    codes = ", ".join(f"cuda_code<{ctype}>::value" for ctype, _ in parameters)
    return (
        f'extern "C" __attribute__((no_sanitize("thread"))) void {name}__thunk(void** a) {{ {name}({arguments}); }}\n'
        f'extern "C" const int {name}__types[] = {{{codes or "0"}}};'
    )


def parameter(name: str, code: int) -> Parameter:
    """A parameter from its name and the compiler's type number."""
    if code > 10000:
        return Parameter(name, f"V{code % 10000}", False, True)
    inner = code % 1000
    pointer, number = inner >= 100, inner % 100
    dtype = "" if number == 99 else list(_TYPES.values())[number]
    return Parameter(name, dtype, pointer, pointer and code >= 1000)
