"""The host: threads, heap, denormals, native kernels (C++), oneDNN, and file and image codecs.

Array code shared with other devices is in `devices/numpy`.
"""
