"""`python -m tfmini`."""

import sys

from tfmini.cli import main

if __name__ == "__main__":
    sys.exit(main())
