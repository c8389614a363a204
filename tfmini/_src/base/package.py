"""The package as it is installed: its folder, and the name of its distribution."""

import os

# The folder `tfmini/`: frames of files below it are no lines of a program's own.
FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The distribution's name on package indices, where `tfmini` is another project: a driver for a distance sensor.
DISTRIBUTION = "tfmini-runtime"
