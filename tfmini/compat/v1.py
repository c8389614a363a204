"""Makes `import tfmini.compat.v1 as tf` equivalent to `import tfmini as tf`."""

import sys

import tfmini

sys.modules[__name__] = tfmini
