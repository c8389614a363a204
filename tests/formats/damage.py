"""Files with a few changed bytes, or truncated.

The suite tries COUNT of each kind; `ci/soak damage` has it try 10,000.
"""

import os
import random

COUNT = int(os.environ.get("TFMINI_DAMAGED_FILES", "400"))


def damaged_files(path, whole, cut=0.2):
    """Writes COUNT damaged versions of the bytes `whole` to a file, one at a time; yields the index of each.

    The file is never emptied in between: some file systems would wait for the disk each time.
    """
    chosen = random.Random(0)
    with open(path, "wb") as file:
        for index in range(COUNT):
            file.seek(0)
            file.write(damaged(whole, chosen, cut))
            file.truncate()
            file.flush()
            yield index


def damaged(whole, chosen, cut=0.2):
    """The bytes with one to three changed or, with probability `cut`, truncated at random."""
    data = bytearray(whole)
    if chosen.random() < cut:
        del data[chosen.randrange(len(data)) :]
    else:
        for _ in range(chosen.randint(1, 3)):
            data[chosen.randrange(len(data))] = chosen.randrange(256)
    return bytes(data)
