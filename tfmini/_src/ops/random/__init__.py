"""Random ops with TensorFlow's random streams: seeded, stateless, bounded, sampled."""
