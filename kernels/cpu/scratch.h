// Memory of a thread, for one thing at a time.
#pragma once

#include <cstddef>
#include <cstdlib>

struct Scratch {
  void* memory = nullptr;
  std::size_t size = 0;
  ~Scratch() { std::free(memory); }
  void* of(std::size_t wanted) {
    if (wanted > size) {
      std::free(memory);
      size = (wanted + 4095) / 4096 * 4096;
      memory = std::aligned_alloc(64, size);
    }
    return memory;
  }
};
