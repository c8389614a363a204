"""String ops: joining, splitting, regular expressions, number conversion, hashes, encodings, edit distance."""
