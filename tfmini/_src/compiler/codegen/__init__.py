"""Code generation: emits a program as the source of one Python function plus the values it references."""
