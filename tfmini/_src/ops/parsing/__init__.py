"""From bytes to tensors: Example and SequenceExample, CSV, serialized tensors."""
