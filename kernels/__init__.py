"""CUDA C++ sources of tfmini, installed as the package `tfmini.kernels`; `cpu/` holds the CPU kernels.

The directory is next to `tfmini/` because it contains a different language; it is a package only so that
`importlib.resources` finds the `.cu` files of an installed tfmini. Nothing is loaded before a GPU is used:
`tfmini/_src/devices/cuda/kernel_sources.py` compiles a file when one of its kernels is first called, and the modules
next to it launch them.

    softmax.cu         softmax, log-softmax, cross entropies and their gradients
    biases.cu          per-channel biases, ReLU gradient
    reductions.cu      row sums and maxima, column sums, argmin and argmax
    optimizers.cu      optimizer updates, up to 64 variables per launch
    random_numbers.cu  random numbers from the streams of TensorFlow's CPU kernels (philox.h)
    gather.cu          rows by index, offsets of coordinates, one-hot rows
    argsort.cu         sort order of the indices of sparse updates
    scatter.cu         row updates by index, segment sums
    top_k.cu           the k largest elements of rows
    scans.cu           running sums and products
    basics.h           shared helpers

Conventions: kernels are `extern "C" __global__ void` functions named after the operation and the element type
(`softmax_f32`); sizes are 64-bit. Kernels include no C++ standard library headers and use no inline assembly and no
floating-point atomics, so repeated runs give bitwise identical results. Multiplications and additions are not
contracted (`--fmad=false`), so results match the CPU's. If a group of threads shares a row, the group has
blockDim.x threads, a multiple of 32.

`tests/kernels/` runs all kernels without a GPU, on `tests/support/cuda_on_cpu/`.

`cpu/` is compiled when tfmini is built (`setup.py`), for three levels of vector instructions, and called through
`tfmini/_src/devices/host/native/`:

    optimizers.cpp           optimizer updates in one pass
    softmax.cpp              softmax, log-softmax, cross entropies and their gradients
    rows.cpp                 row minima and maxima, row sums by id
    random_numbers.cpp       random numbers from Philox streams
    elementwise_program.cpp  groups of elementwise operations, evaluated in blocks that fit in the L1 cache
    elementary.h             exp, log, tanh and others, accurate to 2 ulp

A file called by a single Python module in `tfmini/_src/devices/host/native/` has the same name as that module.

Conventions for `cpu/`: C functions on plain arrays allocated by the caller; threads come from the pool in
`threads.h`; results are bitwise identical for any number of threads. `tests/devices/host/native/` tests every build,
`ci/check native` runs them under the sanitizers, and `ci/check arm64` runs them on arm64.
"""
