"""Prints differences from TensorFlow 1.15.5: `python -m tests.support.programs.compare [NAME ...]`.

For a single name, prints every difference; for several (default: all), one line per program.
"""

import logging
import sys
import traceback

import tfmini as tf
from tests.support.programs import comparing, recording


def differences(name):
    """Lines describing how tfmini's record of the program differs from the golden one."""
    want = recording.read(recording.recording_path(name), tf.GraphDef)
    got = recording.record(tf, name)
    return comparing.differences(want, got, tf.GraphDef, recording.tolerance(name))


def main(names):
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    names = names or recording.names_in("conformance/recorded_programs")
    failed = 0
    for name in names:
        try:
            lines = differences(name)
        except Exception as error:
            if len(names) == 1:
                traceback.print_exc()
            lines = [f"{type(error).__name__}: {error}"]
        failed += bool(lines)
        if len(names) == 1:
            print("\n".join(lines) or "the same")
        else:
            more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            print(f"{name:32} {lines[0].splitlines()[0][:160] + more if lines else 'the same'}")
    print(f"{len(names) - failed} of {len(names)} programs are the same")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
