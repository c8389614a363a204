"""`python -m tests.conformance.exchange write|use MODEL FOLDER`, for the reference."""

import sys

import tensorflow as tf

from tests.conformance import exchange

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
work, name, folder = sys.argv[1:]
if work == "write":
    exchange.write(tf, name, folder)
exchange.write_values(exchange.use(tf, name, folder), folder)
