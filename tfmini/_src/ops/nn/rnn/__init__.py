"""Recurrent cells and sequences as single ops; gather_tree for beam search."""
