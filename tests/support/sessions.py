"""Sessions of one run."""

import tfmini as tf


def run(fetches, feed=None):
    """The values of fetches in a session of their own."""
    with tf.Session() as session:
        return session.run(fetches, feed)
