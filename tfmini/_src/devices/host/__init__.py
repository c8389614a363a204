"""The host: threads, heap, denormals, native kernels (C++), oneDNN, file and image codecs.

The array code that it shares with other devices is in `devices/numpy`.
"""
