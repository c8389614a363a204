// Scratch memory of a thread, reused by successive calls.
#pragma once

#include <cstddef>
#include <cstdlib>

struct Scratch {
  void* memory = nullptr;
  std::size_t size = 0;
  ~Scratch() { std::free(memory); }
  // Returns at least `bytes` bytes; null if out of memory.
  void* reserve(std::size_t bytes) {
    if (bytes > size || !memory) {
      std::free(memory);
      size = (bytes / 4096 + 1) * 4096;
      memory = std::aligned_alloc(64, size);
      if (!memory) size = 0;
    }
    return memory;
  }
};
