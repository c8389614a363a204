"""`tensorflow.python.platform.build_info`: the versions that the build of 1.15.5 for GPUs names."""

__all__ = ["cuda_version_number", "cudnn_version_number"]

cuda_version_number = "10.0"
cudnn_version_number = "7"
