"""Signal processing: Fourier and cosine transforms, windows, framing, spectrograms."""
