"""Image and audio codecs: PNG, JPEG, GIF, WAV."""
