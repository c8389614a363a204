"""The folder in which tfmini is installed."""

import os

# The folder `tfmini/`: frames of files below it are no lines of a program's own.
FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
