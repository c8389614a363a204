"""Records the results of `recorded/` programs under Horovod: `python -m tests.distribute.horovod.write_golden DIR`.

DIR is the bin folder of an environment with TensorFlow 1.15.5 and Horovod 0.21.3, built with Gloo.
"""

import json
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).with_name("recorded")
GOLDEN = Path(__file__).parents[2] / "golden" / "horovod.json"


def seen_by_ranks(output):
    """The output of each of two ranks, from lines prefixed with its number."""
    results = {}
    for line in output.splitlines():
        place, says, text = line.partition("seen {")
        if says:
            results["1" if "1" in place else "0"] = json.loads("{" + text)
    return [results["0"], results["1"]]


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    records = {}
    for program in sorted(PROGRAMS.glob("*.py")):
        command = [folder / "horovodrun", "-np", "2", "--gloo", folder / "python", program]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        records[program.stem] = seen_by_ranks(done.stdout)
    GOLDEN.write_text(json.dumps(records) + "\n")
