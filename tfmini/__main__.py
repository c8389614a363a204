"""`python -m tfmini`."""

import sys

from tfmini._src.programs.cli import main

if __name__ == "__main__":
    sys.exit(main())
