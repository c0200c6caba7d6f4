// See record.cpp.
#pragma once
#include <cuda_runtime.h>
#include <vector>

/** A buffer of the launch description. `init` is what stands there, or the content. */
void *recordedBytes(const char *name, const char *dtype, std::vector<size_t> shape, const char *init);
void *recordedBytes(const char *name, const char *dtype, std::vector<size_t> shape, const void *data, size_t bytes);
void expectedBytes(const char *name, const char *tolerance, const void *data, size_t bytes);
void expected(const char *yaml);
/** For a kernel of one parameter whose launch code is not to run. Does not return. */
void describe(dim3 grid, dim3 block, dim3 cluster, size_t shared, const void *parameter, size_t size);

template <class T = void>
T *recorded(const char *name, const char *dtype, std::vector<size_t> shape, const char *init) {
  return static_cast<T *>(recordedBytes(name, dtype, shape, init));
}

template <class T>
T *recorded(const char *name, const char *dtype, std::vector<size_t> shape, const std::vector<T> &data) {
  return static_cast<T *>(recordedBytes(name, dtype, shape, data.data(), data.size() * sizeof(T)));
}

template <class T> void expected(const char *name, const char *tolerance, const std::vector<T> &data) {
  expectedBytes(name, tolerance, data.data(), data.size() * sizeof(T));
}

/** Numbers from -1 to 1. */
inline std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> all(count);
  for (float &each : all) each = float(int((seed = seed * 1664525u + 1013904223u) >> 8) - (1 << 23)) / (1 << 23);
  return all;
}
