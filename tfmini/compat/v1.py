"""`import tfmini.compat.v1 as tf` is `import tfmini as tf`."""

import sys

import tfmini

sys.modules[__name__] = tfmini
