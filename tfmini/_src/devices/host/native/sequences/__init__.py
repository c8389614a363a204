"""Native kernels for sequences: recurrent cells, beam searches, alignments and edit distances."""
