"""TensorFlow's files, byte for byte: checksums, records, tables, checkpoints."""
