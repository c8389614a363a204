"""Regenerates generated files, or checks that they are up to date.

`ci/generate` without a subcommand rewrites the files derived from the tree itself; `ci/generate --check` lists outdated
ones. The others require the tools named on their lines.
"""

import subprocess
import sys

from ci.commands.subcommands import GPU_REFERENCE, REFERENCE, ROOT, Subcommand, dispatch

FROM_THE_TREE = {
    "native_interface": Subcommand(
        "interface version of the CPU kernels", "ci.commands.generators.native_interface"
    ),
    "op_modules": Subcommand(
        "op_modules.txt, ops.pyi, raw.pyi: the module of each op",
        "ci.commands.generators.op_modules",
    ),
    "proto_stubs": Subcommand("messages.pyi", "ci.commands.generators.proto_stubs"),
    "layers": Subcommand("docs/source_layout.md", "ci.commands.generators.layers"),
    "left_out": Subcommand(
        "docs/left_out.md, without supported names", "ci.commands.generators.left_out"
    ),
}
OTHERS = {
    "all": Subcommand("the five above", "ci.commands.generate", ("--write",)),
    "notebooks": Subcommand("outputs in examples/notebooks", "ci.commands.generators.notebooks"),
    "pictures": Subcommand("docs/pictures, by TensorBoard and Chromium", "ci.commands.pictures"),
    "signatures": Subcommand(
        "signatures of the CuPy emulator, by CuPy", "tests.support.fake_cupy.write_signatures"
    ),
    "proto": Subcommand(
        "tensorflow.desc, by TensorFlow", "ci.commands.generators.proto", python=REFERENCE
    ),
    "module_names": Subcommand(
        "module_names.txt.gz, by TensorFlow",
        "ci.commands.generators.module_names",
        python=REFERENCE,
    ),
    "int32_attrs": Subcommand(
        "int32_attrs.txt, by TensorFlow", "ci.commands.generators.int32_attrs"
    ),
    "missing_kernels": Subcommand(
        "missing_kernels.txt, by TensorFlow",
        "ci.commands.generators.missing_kernels",
        python=REFERENCE,
    ),
    "library_names": Subcommand(
        "library_names.txt, by TensorFlow and library archives",
        "ci.commands.generators.library_names",
    ),
    "gpu_kernels": Subcommand(
        "gpu_kernels.txt, by tensorflow-gpu",
        "ci.commands.generators.gpu_kernels",
        python=GPU_REFERENCE,
    ),
}


def run_all(*options: str) -> int:
    """Runs each generator that depends only on the tree; returns the number of failed or outdated ones."""
    failed = 0
    for name, generator in FROM_THE_TREE.items():
        done = subprocess.run(generator.command(options), cwd=ROOT, check=False)
        if done.returncode:
            failed += 1
            print(f"{name}: " + ("out of date, ci/generate rewrites it" if options else "failed"))
    return failed


if __name__ == "__main__":
    if sys.argv[1:] in (["--check"], ["--write"]):
        sys.exit(run_all(*(["--check"] if sys.argv[1] == "--check" else [])))
    dispatch("generate", __doc__ or "", {**FROM_THE_TREE, **OTHERS}, "all")
