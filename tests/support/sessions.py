"""One-off sessions."""

import tfmini as tf


def run(fetches, feed=None):
    """Evaluates fetches in a new session."""
    with tf.Session() as session:
        return session.run(fetches, feed)
