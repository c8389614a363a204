"""The intermediate form that passes rewrite: nodes, slots and their order, with validation and debugging."""
