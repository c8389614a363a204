"""lazy_imports: placeholders for modules that load on first use."""

import subprocess
import sys

import pytest

from tfmini._src.compiler import passes

IN_A_NEW_PROCESS = """
import sys
from tfmini._src.compiler.passes import pack_matmuls
name = "tfmini._src.compiler.passes.pack_matmuls"
print(name in sys.modules, pack_matmuls.__name__ == name, name in sys.modules)
from tfmini._src.compiler.passes.pack_matmuls import matmul_chain
print(pack_matmuls.matmul_chain is matmul_chain, name in sys.modules)
pack_matmuls.matmul_chain = 1
from tfmini._src.compiler.passes import pack_matmuls as loaded
print(loaded is sys.modules[name], loaded.matmul_chain, pack_matmuls is loaded)
del pack_matmuls.matmul_chain
print(hasattr(loaded, "matmul_chain"), hasattr(pack_matmuls, "matmul_chain"))
"""


def test_lazy_module_loads_on_first_use():
    process = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS], capture_output=True, text=True, check=True
    )
    assert process.stdout.splitlines() == [
        "False True False",
        "True True",
        "True 1 False",
        "False False",
    ]


@pytest.mark.parametrize("name", ["fuse_tpu", "__wrapped__"])
def test_late_package_lacks_other_names(name):
    with pytest.raises(
        AttributeError, match=rf"^module '{passes.__name__}' has no attribute '{name}'$"
    ):
        getattr(passes, name)
