"""late_imports: stand-ins for modules that load at their first use."""

import subprocess
import sys

import pytest

from tfmini._src.compiler import passes

IN_A_NEW_PROCESS = """
import sys
from tfmini._src.compiler.passes import fuse_gpu
name = "tfmini._src.compiler.passes.fuse_gpu"
print(name in sys.modules, fuse_gpu.__name__ == name, name in sys.modules)
from tfmini._src.compiler.passes.fuse_gpu import is_on_gpu
print(fuse_gpu.is_on_gpu is is_on_gpu, name in sys.modules)
fuse_gpu.is_on_gpu = 1
from tfmini._src.compiler.passes import fuse_gpu as loaded
print(loaded is sys.modules[name], loaded.is_on_gpu, fuse_gpu is loaded)
del fuse_gpu.is_on_gpu
print(hasattr(loaded, "is_on_gpu"), hasattr(fuse_gpu, "is_on_gpu"))
"""


def test_a_module_of_a_late_package_loads_at_its_first_use():
    done = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "False True False",
        "True True",
        "True 1 False",
        "False False",
    ]


@pytest.mark.parametrize("name", ["fuse_tpu", "__wrapped__"])
def test_a_late_package_lacks_what_is_no_module_of_it(name):
    with pytest.raises(
        AttributeError, match=rf"^module '{passes.__name__}' has no attribute '{name}'$"
    ):
        getattr(passes, name)
