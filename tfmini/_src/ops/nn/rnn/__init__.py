"""Recurrent cells and sequences as single ops, and gather_tree for beam search."""
