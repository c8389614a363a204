"""Native kernels of sequences: recurrent cells, beam searches, alignments and edit distances."""
