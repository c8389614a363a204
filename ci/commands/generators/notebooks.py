"""Runs the notebooks of examples/notebooks, each in a separate process, and writes their output into them.

ci/generate notebooks            all of them
ci/generate notebooks --check    fails if a notebook's stored output differs from its actual output
"""

import ast
import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "notebooks"


def outputs(source: str, names: dict) -> list[dict]:
    """Runs a cell; returns its output, and the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    results = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        results.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": [value._repr_html_()], "text/plain": [f"<{type(value).__name__}>"]}
        results.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return results


def run(path: Path) -> str:
    """The text of a notebook after its cells have run."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for index, cell in enumerate(cells, 1):
        cell |= {"execution_count": index, "outputs": outputs("".join(cell["source"]), names)}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    options = sys.argv[1:]
    if options and options[0].endswith(".ipynb"):
        print(run(Path(options[0])), end="")
        return 0
    status = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        ran = subprocess.run(
            [sys.executable, __file__, str(path)], stdout=subprocess.PIPE, text=True
        )
        if ran.returncode != 0:
            return ran.returncode
        if options != ["--check"]:
            path.write_text(ran.stdout, encoding="utf-8")
        elif ran.stdout != path.read_text(encoding="utf-8"):
            print(f"{path.name} stores outdated output", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
