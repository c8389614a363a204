"""Native kernels for images: colors, resizing, crops and PNG row filters."""
