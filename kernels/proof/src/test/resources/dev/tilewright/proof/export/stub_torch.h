/* As much of PyTorch's C++ as the hooks of a pack use: tensors with nothing behind them, operators that say that PyTorch
 * computed. Names and signatures are PyTorch's. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace c10 {
enum class DispatchKey { BackendSelect };
struct DispatchKeySet {
    enum FullAfter { FULL_AFTER };
    constexpr DispatchKeySet() {}
    constexpr DispatchKeySet(FullAfter, DispatchKey) : below(true) {}
    constexpr DispatchKeySet operator&(DispatchKeySet other) const { return other; }
    bool below = false;
};
using DeviceIndex = int8_t;
struct Device {
    bool cuda;
    DeviceIndex index;
    bool operator==(const Device &other) const { return cuda == other.cuda && index == other.index; }
};
}  // namespace c10

namespace at {
enum class ScalarType { BFloat16, Half, Float, Float8_e4m3fn, Float8_e5m2 };
constexpr ScalarType kBFloat16 = ScalarType::BFloat16, kHalf = ScalarType::Half, kFloat = ScalarType::Float,
                     kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kFloat8_e5m2 = ScalarType::Float8_e5m2;
enum class Layout { Strided, Sparse };
constexpr Layout kStrided = Layout::Strided;

struct TensorOptions {
    ScalarType type;
    c10::Device device;
    TensorOptions dtype(ScalarType other) const { return {other, device}; }
};

struct TensorImpl {
    bool python = false;
    bool is_python_dispatch() const { return python; }
};

struct Tensor {
    std::vector<int64_t> sizes, strides;
    ScalarType type = kBFloat16;
    uintptr_t address = 0;
    c10::Device on = {true, 0};
    Layout lies = kStrided;
    bool conj = false, by_torch = false;
    std::shared_ptr<TensorImpl> impl = std::make_shared<TensorImpl>();

    int64_t at(const std::vector<int64_t> &values, int64_t i) const { return values.at(i < 0 ? values.size() + i : i); }
    int64_t dim() const { return sizes.size(); }
    int64_t size(int64_t i) const { return at(sizes, i); }
    int64_t stride(int64_t i) const { return at(strides, i); }
    int64_t numel() const {
        int64_t product = 1;
        for (int64_t each : sizes) {
            product *= each;
        }
        return product;
    }
    bool defined() const { return !sizes.empty(); }
    bool is_cuda() const { return on.cuda; }
    bool is_conj() const { return conj; }
    bool is_neg() const { return false; }
    bool is_contiguous() const {
        int64_t next = 1;
        for (int64_t i = dim() - 1; i >= 0; next *= sizes[i--]) {
            if (sizes[i] != 1 && strides[i] != next) {
                return false;
            }
        }
        return true;
    }
    Layout layout() const { return lies; }
    c10::Device device() const { return on; }
    c10::DeviceIndex get_device() const { return on.index; }
    ScalarType scalar_type() const { return type; }
    void *data_ptr() const { return reinterpret_cast<void *>(address); }
    TensorImpl *unsafeGetTensorImpl() const { return impl.get(); }
    TensorOptions options() const { return {type, on}; }
};

inline Tensor empty(std::initializer_list<int64_t> sizes, TensorOptions options) {
    Tensor made;
    made.sizes = sizes;
    made.strides = {made.sizes[1], 1};
    made.type = options.type;
    made.on = options.device;
    made.address = uintptr_t(0xd) << 40;
    return made;
}

struct Scalar {
    double value;
    bool complex = false;
    Scalar(double value) : value(value) {}
    bool isComplex() const { return complex; }
    double toDouble() const { return value; }
};

namespace _ops {
inline Tensor torch(c10::DispatchKeySet keys) {
    Tensor made;
    made.by_torch = keys.below;
    return made;
}
inline Tensor &torch(c10::DispatchKeySet keys, Tensor &out) {
    out.by_torch = keys.below;
    return out;
}
using Given = const std::optional<Tensor> &;
struct mm {
    static Tensor redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &) { return torch(keys); }
};
struct mm_out {
    static Tensor &redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &, Tensor &out) { return torch(keys, out); }
};
struct addmm {
    static Tensor redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &, const Tensor &, const Scalar &,
        const Scalar &) {
        return torch(keys);
    }
};
struct addmm_out {
    static Tensor &redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &, const Tensor &, const Scalar &,
        const Scalar &, Tensor &out) {
        return torch(keys, out);
    }
};
struct _scaled_mm {
    static Tensor redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &, const Tensor &, const Tensor &, Given,
        Given, std::optional<ScalarType>, bool) {
        return torch(keys);
    }
};
struct _scaled_mm_out {
    static Tensor &redispatch(c10::DispatchKeySet keys, const Tensor &, const Tensor &, const Tensor &, const Tensor &, Given,
        Given, std::optional<ScalarType>, bool, Tensor &out) {
        return torch(keys, out);
    }
};
}  // namespace _ops
}  // namespace at

namespace c10 {
inline const char *toString(at::ScalarType type) {
    const char *names[] = {"BFloat16", "Half", "Float", "Float8_e4m3fn", "Float8_e5m2"};
    return names[static_cast<int>(type)];
}
}  // namespace c10

namespace torch {
struct Library {
    template <typename F> void def(const char *, F) {}
    template <typename F> void impl(const char *, F) {}
};
}  // namespace torch

#define TORCH_FN(function) &function
#define TORCH_WARN(text) puts(std::string(text).c_str())
#define TORCH_LIBRARY(name, library) void name(torch::Library &library)
#define TORCH_LIBRARY_IMPL(name, key, library) void name##_##key(torch::Library &library)
#define C10_CUDA_CHECK(call) ((call) == 0 ? (void)0 : abort())

typedef void *cudaStream_t;
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
extern unsigned long long stub_capture;
inline int cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus *status, unsigned long long *capture) {
    *status = stub_capture == 0 ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
    *capture = stub_capture;
    return 0;
}
inline int cudaSetDevice(int) { return 0; }

namespace c10 {
namespace cuda {
struct CUDAGuard {
    explicit CUDAGuard(Device) {}
};
struct CUDAStream {
    cudaStream_t stream() const { return reinterpret_cast<cudaStream_t>(0x77); }
};
inline CUDAStream getCurrentCUDAStream() { return {}; }
}  // namespace cuda
}  // namespace c10
