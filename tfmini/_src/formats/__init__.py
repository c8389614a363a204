"""TensorFlow's file formats, byte for byte: checksums, records, tables, checkpoints."""
