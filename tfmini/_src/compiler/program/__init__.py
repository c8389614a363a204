"""The program that passes rewrite: nodes, slots and their order; how it is printed."""
