"""The measuring process of a peer: `python -m ci.commands.benchmarks.peer_worker SIDE`, SIDE one of numpy, torch, jax.

Requests and answers are those of `worker.py`.
"""

import os
import sys

import ci.commands.benchmarks.jax_works
import ci.commands.benchmarks.torch_works  # noqa: F401
from ci.commands.benchmarks.peer_works import PEERS
from ci.commands.benchmarks.worker import serve


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # library output must not look like an answer
    side = sys.argv[1]
    serve(side, sys.stdin, answers, lambda name: PEERS[f"{side}_{name}"]())


if __name__ == "__main__":
    main()
