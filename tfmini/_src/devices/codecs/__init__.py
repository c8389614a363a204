"""Pictures and sounds as bytes: PNG, JPEG, GIF, WAV."""
