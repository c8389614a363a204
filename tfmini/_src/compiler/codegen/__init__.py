"""From a program to the source of one Python function, and the values it refers to."""
