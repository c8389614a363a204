"""Measures the peak memory of training steps against TensorFlow 1.15.5, and writes a table.

    ci/bench memory              all training workloads; also writes the table to ci/results/
    ci/bench memory mlp lenet    only these, printed only

One process per side and model: the peak of five steps minus the resident memory before the first one, when the graph
and the variables exist. Other load on the machine does not affect the figures.
"""

import datetime
import os
import sys
from pathlib import Path

from ci.commands.benchmarks.command import make_parser
from ci.commands.benchmarks.report import commit, number, processor
from ci.commands.benchmarks.sides import ROOT, Side, Worker

MODELS = {
    "softmax": "softmax regression 784-10, batch 100",
    "mlp": "MLP 784-256-256-10, batch 128, Adam",
    "embedding": "embedding 50,000 x 128, 128 ids, SGD",
    "word_vectors": "nce_loss, 50,000 words x 128, SGD",
    "static_lstm": "static LSTM, 28 steps, 128 units, batch 128",
    "dynamic_lstm": "two dynamic LSTM layers, 50 steps, 200 units, batch 20",
    "ctc_step": "CTC loss and gradient, 200 steps, batch 32",
    "chain_of_tags": "CRF, 50 steps, 20 tags, batch 64",
    "attention_decoder": "decoder with attention, 20 steps, 1,000 words",
    "lenet": "LeNet 28 x 28, batch 50, Adam",
    "conv_layers": "3 x convolution, batch norm, ReLU, 32 x 32, batch 64",
    "resnet_20": "ResNet-20, 32 x 32, batch 64, Momentum",
}
MAX = 0.9  # of TensorFlow's


def memory_growth(side: Side, model: str) -> float:
    """MB added by steps."""
    with Worker(side) as worker:
        return worker.ask(do="memory", name=model)["peak"]


def main() -> int:
    parser = make_parser("ci/bench memory", __doc__)
    parser.add_argument("names", nargs="*", choices=[*MODELS, []], metavar="NAME")
    parser.add_argument("--output", type=Path, help="output file of the table")
    arguments = parser.parse_args()
    python = os.environ.get("TFMINI_REFERENCE") or str(ROOT / ".reference" / "bin" / "python")
    ours, theirs = Side(sys.executable, "tfmini"), Side(python, "tensorflow")
    rows = ["| model | tfmini | TensorFlow 1.15.5 | ratio |", "| --- |" + " --- |" * 3]
    for model in arguments.names or MODELS:
        own_growth, other = memory_growth(ours, model), memory_growth(theirs, model)
        figures = f"{number(own_growth, 'MB')} | {number(other, 'MB')} | {own_growth / other:.2f}"
        rows.append(f"| {MODELS[model]} | {figures} |")
        print(rows[-1], flush=True)
    text = (
        f"# Memory of a training step on the CPU\n\n- date: {datetime.date.today()}\n"
        f"- machine: {processor()}; two threads for each side\n- tfmini: commit {commit()}\n\n"
        "Peak memory of five steps above the resident memory after building the graph and initializing the variables; "
        f"target: {MAX} of TensorFlow's.\n\n" + "\n".join(rows) + "\n"
    )
    output = arguments.output
    if not (arguments.names or output):
        output = ROOT / "ci" / "results" / "memory.md"
    if output:
        output.write_text(text, encoding="utf-8")
    print(f"written: {output}" if output else "\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
