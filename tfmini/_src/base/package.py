"""The installed package: its directory and distribution name."""

import os

# The directory `tfmini/`: frames of files below it do not belong to the user's program.
PACKAGE_DIRECTORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The distribution name on package indexes, where `tfmini` is another project: a driver for a distance sensor.
DISTRIBUTION = "tfmini-runtime"
