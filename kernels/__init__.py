"""CUDA C++ sources of tfmini, installed as the package `tfmini.kernels`; `cpu/` holds the CPU kernels.

The folder lies next to `tfmini/` because its language is another; it is a package only so that `importlib.resources`
finds the `.cu` files of an installed tfmini. Nothing is loaded before a GPU is used:
`tfmini/_src/devices/cuda/kernel_sources.py` compiles a file when one of its kernels is first called, and the modules
next to it launch them.

    softmax.cu         softmax, its logarithm, cross entropies with their gradients
    biases.cu          biases of channels, the rectifier's gradient
    reductions.cu      sums and largest elements of rows, sums of columns, places of extremes
    optimizers.cu      the optimizers' updates, 64 variables a launch
    random_numbers.cu  random numbers from the streams of TensorFlow's CPU kernels (philox.h)
    gather.cu          rows by index, places of points, one-hot rows
    argsort.cu         the order in which updates by index are applied
    scatter.cu         updates of rows by index, sums of segments
    top_k.cu           the k largest elements of rows
    scans.cu           running sums and products
    basics.h           what they share

Rules: kernels are `extern "C" __global__ void`, named after what they do and the type
(`softmax_f32`); sizes are 64-bit; no header of the C++ library, no inline assembly, no atomics on
floats: what runs twice gives the same bits. Products and sums are not fused (`--fmad=false`), so
that formulas give the CPU's results. A row that a group of threads shares belongs to blockDim.x
of them, 32 or a larger multiple of it.

`tests/kernels/` runs each of them without a GPU, on `tests/support/cuda_on_cpu/`.

`cpu/` is compiled when tfmini is built (`setup.py`), for three levels of vector instructions, and called through
`tfmini/_src/devices/host/native/`:

    optimizers.cpp           optimizer updates in one pass
    softmax.cpp              softmax, its logarithm, cross entropies, and their gradients
    rows.cpp                 row extremes, row sums by id
    random_numbers.cpp       random numbers from Philox streams
    elementwise_program.cpp  groups of elementwise operations on blocks in the first-level cache
    elementary.h             exp, log, tanh and others within 2 units in the last place

A file that one Python module of `tfmini/_src/devices/host/native/` calls has that module's name.

Rules there: C functions over plain arrays, which the caller allocates; threads are those of `threads.h`; the same bits
whatever the number of threads. `tests/devices/host/native/` runs each build, `ci/check native` runs it under
the sanitizers, `ci/check arm64` on arm64.
"""
