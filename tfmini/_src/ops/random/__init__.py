"""Random numbers with TensorFlow's streams: seeded, stateless, bounded, sampled."""
