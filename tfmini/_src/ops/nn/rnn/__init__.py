"""Whole cells and sequences of recurrent networks as one op, and the walk back through beams."""
