// Stands in for the CUDA runtime and driver of a program: the program's own launch code writes the launch description
// that `tilewright check` reads, on a machine without a GPU. The program includes record.h, names its buffers
// (`recorded`), says what must hold (`expected`), and calls the code that launches. The first launch is written to stdout
// and ends the program. It is linked with this file in place of the CUDA runtime, see foreign-kernels.py; PTX_FILE names
// its .ptx file, kept by `nvcc -keep`.
#include "record.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

struct Buffer {
  std::string name, yaml; // yaml is empty for what the program allocated: its content is then what the host wrote
  char *begin;
  size_t bytes;
};
std::vector<Buffer> buffers;
std::vector<std::string> tensorMaps;
std::string expectations;
const char tag[] = "tilewright tensor map";
std::map<const void *, std::string> &entries() { // the program registers before the globals of this file are made
  static std::map<const void *, std::string> names;
  return names;
}
struct Configuration {
  dim3 grid, block;
  size_t shared;
  CUstream_st *stream;
};
Configuration configuration;

char *allocated(std::string name, std::string yaml, size_t bytes) {
  char *begin = static_cast<char *>(aligned_alloc(512, (bytes + 1023) / 512 * 512));
  memset(begin, 0, bytes);
  buffers.push_back({name, yaml, begin, bytes});
  return begin;
}

void *recordedBytes(const char *name, const char *dtype, std::vector<size_t> shape, const char *init) {
  std::string yaml = std::string("{dtype: ") + dtype + ", shape: [";
  size_t elements = 1;
  for (size_t extent : shape) {
    yaml += (elements == 1 && yaml.back() == '[' ? "" : ", ") + std::to_string(extent);
    elements *= extent;
  }
  return allocated(name, yaml + "], init: " + init + "}", elements * 8);
}

void expected(const char *yaml) { expectations += std::string("  - ") + yaml + "\n"; }

std::string saved(std::string file, const void *data, size_t bytes) {
  std::ofstream(file, std::ios::binary).write(static_cast<const char *>(data), bytes);
  return file;
}

void *recordedBytes(const char *name, const char *dtype, std::vector<size_t> shape, const void *data, size_t bytes) {
  std::string init = "{file: " + saved(std::string(name) + ".bin", data, bytes) + "}";
  return recordedBytes(name, dtype, shape, init.c_str());
}

void expectedBytes(const char *name, const char *tolerance, const void *data, size_t bytes) {
  std::string file = saved(std::string(name) + "-expected.bin", data, bytes);
  expected(("file: {buffer: " + std::string(name) + ", file: " + file + ", tolerance: " + tolerance + "}").c_str());
}

const Buffer *holder(uint64_t address) {
  for (const Buffer &each : buffers)
    if (address >= uint64_t(each.begin) && address < uint64_t(each.begin) + each.bytes) return &each;
  return nullptr;
}

// The fields of bytes in which tensor maps and pointers are recognised, one a line.
std::string fields(const char *bytes, size_t size, const char *indent) {
  std::ostringstream out;
  for (size_t at = 0; at < size;) {
    uint64_t wide = 0;
    uint32_t word = 0, number = 0;
    if (at + 8 <= size) memcpy(&wide, bytes + at, 8);
    if (at + 4 <= size) memcpy(&word, bytes + at, 4);
    const Buffer *to = at % 8 == 0 ? holder(wide) : nullptr;
    if (at + sizeof(CUtensorMap) <= size && !memcmp(bytes + at, tag, sizeof tag)) {
      memcpy(&number, bytes + at + 32, 4);
      out << indent << "- {at: " << at << ", tensorMap: " << tensorMaps[number] << "}\n";
      at += sizeof(CUtensorMap);
    } else if (to) {
      out << indent << "- {at: " << at << ", pointer: {buffer: " << to->name
          << ", offset: " << wide - uint64_t(to->begin) << "}}\n";
      at += 8;
    } else if (at + 4 <= size) {
      if (word) out << indent << "- {at: " << at << ", b32: " << word << "}\n";
      at += 4;
    } else {
      if (bytes[at]) out << indent << "- {at: " << at << ", b8: " << int(uint8_t(bytes[at])) << "}\n";
      at++;
    }
  }
  return out.str();
}

// Bytes of each parameter of an entry, as its PTX declares them.
std::vector<size_t> parameterSizes(const std::string &entry) {
  std::ifstream file(getenv("PTX_FILE"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  size_t begin = text.find(".entry " + entry + "(");
  if (begin == std::string::npos) { fprintf(stderr, "no entry %s in PTX_FILE\n", entry.c_str()); exit(1); }
  std::istringstream lines(text.substr(begin, text.find("\n)", begin) - begin));
  std::regex declared("\\.([a-z])(8|16|32|64) [^\\[,]*(\\[(\\d+)\\])?,?$");
  std::vector<size_t> sizes;
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (line.find(".param") != std::string::npos && std::regex_search(line, match, declared))
      sizes.push_back(std::stoul(match[2]) / 8 * (match[4].matched ? std::stoul(match[4]) : 1));
  return sizes;
}

void written(const std::string &entry, dim3 grid, dim3 block, dim3 cluster, size_t shared,
    const std::vector<std::pair<const char *, size_t>> &parameters) {
  if (!entry.empty()) printf("entry: %s\n", entry.c_str());
  printf("grid: [%u, %u, %u]\nblock: [%u, %u, %u]\ndynamicShared: %zu\n", grid.x, grid.y, grid.z, block.x, block.y,
      block.z, shared);
  if (cluster.x) printf("cluster: [%u, %u, %u]\n", cluster.x, cluster.y, cluster.z);
  printf("buffers:\n");
  for (const Buffer &each : buffers)
    if (!each.yaml.empty()) printf("  %s: %s\n", each.name.c_str(), each.yaml.c_str());
    else {
      std::string content = fields(each.begin, each.bytes, "        ");
      printf("  %s:\n    dtype: u8\n    shape: %zu\n", each.name.c_str(), each.bytes);
      if (content.empty()) printf("    init: zeros\n");
      else printf("    init:\n      fields:\n%s", content.c_str());
    }
  printf("parameters:\n");
  for (auto [bytes, size] : parameters) {
    std::string content = fields(bytes, size, "        ");
    if (content.empty()) content = "        - {at: 0, b8: 0}\n";
    printf("  - struct:\n      size: %zu\n      fields:\n%s", size, content.c_str());
  }
  printf("expect:\n%s", expectations.c_str());
  fflush(stdout);
  _Exit(0);
}

void launched(const void *function, dim3 grid, dim3 block, dim3 cluster, void **arguments, size_t shared) {
  std::vector<std::pair<const char *, size_t>> parameters;
  size_t at = 0;
  for (size_t size : parameterSizes(entries().at(function)))
    parameters.push_back({static_cast<const char *>(arguments[at++]), size});
  written(entries().at(function), grid, block, cluster, shared, parameters);
}

void describe(dim3 grid, dim3 block, dim3 cluster, size_t shared, const void *parameter, size_t size) {
  written("", grid, block, cluster, shared, {{static_cast<const char *>(parameter), size}});
}

extern "C" {
CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *elementStrides,
    CUtensorMapInterleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  static const char *types[] = {"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32", "tf32",
      "tf32"};
  static const char *swizzles[] = {"none", "32", "64", "128"};
  const Buffer *buffer = holder(uint64_t(address));
  if (!buffer) return CUDA_ERROR_INVALID_VALUE;
  std::ostringstream out;
  auto list = [&](const char *key, auto *values, unsigned count) {
    out << ", " << key << ": [";
    for (unsigned at = 0; at < count; at++) out << (at ? ", " : "") << values[at];
    out << "]";
  };
  out << "{buffer: " << buffer->name << ", offset: " << uint64_t(address) - uint64_t(buffer->begin)
      << ", dtype: " << types[type];
  list("dims", dims, rank);
  if (rank > 1) list("strides", strides, rank - 1);
  list("box", box, rank);
  list("elementStrides", elementStrides, rank);
  out << ", swizzle: " << swizzles[swizzle] << (fill ? ", oobFill: nan}" : "}");
  uint32_t number = tensorMaps.size();
  tensorMaps.push_back(out.str());
  memset(map, 0, sizeof *map);
  memcpy(map, tag, sizeof tag);
  memcpy(reinterpret_cast<char *>(map) + 32, &number, 4);
  return CUDA_SUCCESS;
}
cudaError_t CUDARTAPI cudaMalloc(void **address, size_t bytes) {
  *address = allocated("allocated" + std::to_string(buffers.size()), "", bytes);
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemset(void *to, int value, size_t bytes) {
  memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(to, value, bytes);
}
cudaError_t CUDARTAPI cudaDriverGetVersion(int *version) {
  *version = 13020; // newer than the drivers whose tensor maps CUTLASS mends
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *, cudaDeviceAttr, int) { return cudaErrorNotSupported; }
cudaError_t CUDARTAPI cudaFree(void *) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaGetLastError() { return cudaSuccess; }
cudaError_t CUDARTAPI cudaDeviceSynchronize() { return cudaSuccess; }
const char *CUDARTAPI cudaGetErrorString(cudaError_t) { return "recorded"; }

void **CUDARTAPI __cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void CUDARTAPI __cudaRegisterFatBinaryEnd(void **) {}
void CUDARTAPI __cudaUnregisterFatBinary(void **) {}
void CUDARTAPI __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void CUDARTAPI __cudaRegisterFunction(void **, const char *host, char *, const char *device, int, uint3 *, uint3 *,
    dim3 *, dim3 *, int *) {
  entries()[host] = device;
}
unsigned CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}
cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  memcpy(stream, &configuration.stream, sizeof(void *));
  return cudaSuccess;
}
char CUDARTAPI __cudaInitModule(void **) { return 1; }
cudaError_t CUDARTAPI __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}
cudaError_t CUDARTAPI __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
    cudaStream_t) {
  launched(kernel, grid, block, dim3(0), arguments, shared);
  return cudaSuccess;
}
}
