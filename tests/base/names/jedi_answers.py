"""Answers jedi queries about programs: reads a question per line, as JSON, and writes a line with the answer.

In a separate process: jedi's parsed trees of all public modules take tens of megabytes.
"""

import importlib
import json
import sys

import jedi

import tfmini as tf


def script(kind, program, of_this_tree):
    """A user's unfinished file, or a notebook in which tfmini is imported."""
    if kind == "notebook":
        return jedi.Interpreter(program, [{"tf": tf}])
    return jedi.Script("import tfmini as tf\n" + program, **of_this_tree)


def main(root, cache):
    jedi.settings.cache_directory = (
        cache  # another process's would have files that are still being written
    )
    environment = importlib.import_module("jedi.api.environment").InterpreterEnvironment()
    of_this_tree = {
        "project": jedi.Project(root, smart_sys_path=False),
        "environment": environment,
    }
    for line in sys.stdin:
        query, kind, program = json.loads(line)
        unfinished = script(kind, program, of_this_tree)
        if query == "names":
            answer = [completion.name for completion in unfinished.complete()]
        else:
            (signature,) = unfinished.get_signatures()
            answer = [parameter.name for parameter in signature.params]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
