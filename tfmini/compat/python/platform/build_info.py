"""`tensorflow.python.platform.build_info`: the CUDA and cuDNN versions of the GPU build of TensorFlow 1.15.5."""

__all__ = ["cuda_version_number", "cudnn_version_number"]

cuda_version_number = "10.0"
cudnn_version_number = "7"
