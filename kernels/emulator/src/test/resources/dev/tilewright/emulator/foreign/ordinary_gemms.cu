// GEMMs as people write them: D = A * B with every way of feeding the arithmetic that sm_80 and sm_90 have short of
// wgmma. Compiled by `nvcc -arch=sm_90a -ptx`; beside it lies the result.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>

// A row-major MxK, B row-major KxN; one thread an element, no shared memory.
struct Extents {
    int m, n, k;
    float alpha, beta;
};

__constant__ float scales[2];
__device__ unsigned tilesDone;

extern "C" __global__ void naive(const float *a, const float *b, float *d, Extents e) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= e.m || column >= e.n) {
        return;
    }
    float sum = 0;
    for (int i = 0; i < e.k; i++) {
        sum += a[row * e.k + i] * b[i * e.n + column];
    }
    d[row * e.n + column] = e.alpha * sum * scales[0] + e.beta * d[row * e.n + column] * scales[1];
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicAdd(&tilesDone, 1u);
    }
}

// Dynamic shared memory, double-buffered cp.async, ldmatrix, mma.sync. A MxK, B NxK, f16; 64x64 tile, 4 warps.
__device__ __forceinline__ uint32_t shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void copy16(void *to, const void *from, bool there) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(to)), "l"(from), "r"(there ? 16 : 0));
}

__device__ __forceinline__ void load4(uint32_t (&r)[4], const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared(p)));
}

template <typename T> struct Mma;
template <> struct Mma<__half> {
    static __device__ void of(float *d, const uint32_t *a, const uint32_t *b) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
template <> struct Mma<__nv_bfloat16> {
    static __device__ void of(float *d, const uint32_t *a, const uint32_t *b) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

extern __shared__ __align__(16) unsigned char dynamicShared[];

template <typename T> __device__ void multistage(const T *a, const T *b, __nv_bfloat16 *d, int m, int n, int k) {
    constexpr int tile = 64, depth = 32, pitch = depth + 8;
    T *as = reinterpret_cast<T *>(dynamicShared);
    T *bs = as + 2 * tile * pitch;
    int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    auto fetch = [&](int step, int stage) {
        for (int i = threadIdx.x; i < tile * depth / 8; i += blockDim.x) {
            int r = i / (depth / 8), c = i % (depth / 8) * 8;
            bool inK = step * depth + c < k;
            bool inA = inK && row0 + r < m, inB = inK && column0 + r < n;
            copy16(as + (stage * tile + r) * pitch + c, a + (inA ? (size_t)(row0 + r) * k + step * depth + c : 0), inA);
            copy16(bs + (stage * tile + r) * pitch + c, b + (inB ? (size_t)(column0 + r) * k + step * depth + c : 0), inB);
        }
        asm volatile("cp.async.commit_group;");
    };
    float sum[8][4] = {};
    int steps = (k + depth - 1) / depth;
    fetch(0, 0);
    for (int step = 0; step < steps; step++) {
        if (step + 1 < steps) {
            fetch(step + 1, (step + 1) & 1);
            asm volatile("cp.async.wait_group 1;");
        } else {
            asm volatile("cp.async.wait_group 0;");
        }
        __syncthreads();
        const T *ta = as + (step & 1) * tile * pitch, *tb = bs + (step & 1) * tile * pitch;
#pragma unroll
        for (int at = 0; at < depth; at += 16) {
            uint32_t fa[4];
            load4(fa, ta + (warp * 16 + lane % 16) * pitch + at + lane / 16 * 8);
#pragma unroll
            for (int pair = 0; pair < 4; pair++) {
                uint32_t fb[4];
                load4(fb, tb + (pair * 16 + lane / 16 * 8 + lane % 8) * pitch + at + (lane / 8 & 1) * 8);
                Mma<T>::of(sum[2 * pair], fa, fb);
                Mma<T>::of(sum[2 * pair + 1], fa, fb + 2);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 8; j++) {
        for (int half = 0; half < 2; half++) {
            int r = row0 + warp * 16 + lane / 4 + 8 * half, c = column0 + j * 8 + lane % 4 * 2;
            if (r < m && c + 1 < n) {
                *reinterpret_cast<__nv_bfloat162 *>(d + (size_t)r * n + c) =
                    __floats2bfloat162_rn(sum[j][2 * half], sum[j][2 * half + 1]);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) halves(
    const __half *a, const __half *b, __nv_bfloat16 *d, int m, int n, int k) {
    multistage(a, b, d, m, n, k);
}

extern "C" __global__ void __launch_bounds__(128) brains(
    const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *d, int m, int n, int k) {
    multistage(a, b, d, m, n, k);
}

// tf32 and s8 straight from global memory, one warp a tile of 16x8.
extern "C" __global__ void tf32s(const float *a, const float *b, float *d, int n, int k) {
    int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, column = blockIdx.x * 8 + lane / 4;
    float sum[4] = {};
    for (int at = 0; at < k; at += 8) {
        uint32_t fa[4], fb[2];
        for (int i = 0; i < 4; i++) {
            float x = a[(row + 8 * (i & 1)) * k + at + lane % 4 + 4 * (i / 2)];
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fa[i]) : "f"(x));
        }
        for (int i = 0; i < 2; i++) {
            float x = b[column * k + at + lane % 4 + 4 * i];
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[i]) : "f"(x));
        }
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    }
    for (int i = 0; i < 4; i++) {
        d[(row + 8 * (i / 2)) * n + blockIdx.x * 8 + lane % 4 * 2 + (i & 1)] = sum[i];
    }
}

extern "C" __global__ void bytes(const int8_t *a, const int8_t *b, int *d, int n, int k) {
    int lane = threadIdx.x, row = blockIdx.y * 8 + lane / 4, column = blockIdx.x * 8 + lane / 4;
    int sum[2] = {};
    for (int at = 0; at < k; at += 16) {
        uint32_t fa = *reinterpret_cast<const uint32_t *>(a + row * k + at + lane % 4 * 4);
        uint32_t fb = *reinterpret_cast<const uint32_t *>(b + column * k + at + lane % 4 * 4);
        asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+r"(sum[0]), "+r"(sum[1])
                     : "r"(fa), "r"(fb));
    }
    d[row * n + blockIdx.x * 8 + lane % 4 * 2] = sum[0];
    d[row * n + blockIdx.x * 8 + lane % 4 * 2 + 1] = sum[1];
}

extern "C" __global__ void doubles(const double *a, const double *b, double *d, int n, int k) {
    int lane = threadIdx.x, row = blockIdx.y * 8 + lane / 4, column = blockIdx.x * 8 + lane / 4;
    double sum[2] = {};
    for (int at = 0; at < k; at += 4) {
        double x = a[row * k + at + lane % 4], y = b[column * k + at + lane % 4];
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(sum[0]), "+d"(sum[1])
                     : "d"(x), "d"(y));
    }
    d[row * n + blockIdx.x * 8 + lane % 4 * 2] = sum[0];
    d[row * n + blockIdx.x * 8 + lane % 4 * 2 + 1] = sum[1];
}

// The wmma library: A row-major, B column-major by a template parameter; f16 with an f32 and an f16 accumulator, bf16,
// tf32, s8 and f64, of the shapes that each has.
using namespace nvcuda;

template <int M, int N, int K, typename T, typename S, typename C, typename LayoutB>
__device__ void fragments(const S *a, const S *b, C *d, int n, int k, C scale) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum;
    wmma::fill_fragment(sum, C(0.0f));
    constexpr bool columns = std::is_same<LayoutB, wmma::col_major>::value;
    for (int at = 0; at < k; at += K) {
        wmma::load_matrix_sync(fa, a + blockIdx.y * M * k + at, k);
        wmma::load_matrix_sync(fb, columns ? b + blockIdx.x * N * k + at : b + at * n + blockIdx.x * N, columns ? k : n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    for (int i = 0; i < sum.num_elements; i++) {
        sum.x[i] = sum.x[i] * scale;
    }
    wmma::store_matrix_sync(d + blockIdx.y * M * n + blockIdx.x * N, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void wmmaHalf(const __half *a, const __half *b, float *d, int n, int k) {
    fragments<16, 16, 16, __half, __half, float, wmma::col_major>(a, b, d, n, k, 2.0f);
}
extern "C" __global__ void wmmaHalves(const __half *a, const __half *b, __half *d, int n, int k) {
    fragments<32, 8, 16, __half, __half, __half, wmma::row_major>(a, b, d, n, k, __half(2.0f));
}
extern "C" __global__ void wmmaBrain(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *d, int n, int k) {
    fragments<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, wmma::row_major>(a, b, d, n, k, 2.0f);
}
extern "C" __global__ void wmmaTf32(const float *a, const float *b, float *d, int n, int k) {
    fragments<16, 16, 8, wmma::precision::tf32, float, float, wmma::col_major>(a, b, d, n, k, 2.0f);
}
extern "C" __global__ void wmmaByte(const signed char *a, const signed char *b, int *d, int n, int k) {
    fragments<16, 16, 16, signed char, signed char, int, wmma::row_major>(a, b, d, n, k, 2);
}
extern "C" __global__ void wmmaDouble(const double *a, const double *b, double *d, int n, int k) {
    fragments<8, 8, 4, double, double, double, wmma::col_major>(a, b, d, n, k, 2.0);
}

// Split-K: the CTAs of grid.z add their shares; the last one of a tile converts, told so by a counter.
extern "C" __global__ void __launch_bounds__(256) splitK(
    const float *a, const float *b, float *partial, __nv_bfloat16 *d, unsigned *arrived, Extents e) {
    __shared__ float as[16][17], bs[16][17];
    __shared__ bool last;
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    int share = (e.k + gridDim.z - 1) / gridDim.z, begin = blockIdx.z * share, end = min(e.k, begin + share);
    float sum = 0;
    for (int at = begin; at < end; at += 16) {
        int ka = at + threadIdx.x, kb = at + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < e.m && ka < end ? a[row * e.k + ka] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = column < e.n && kb < end ? b[kb * e.n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++) {
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < e.m && column < e.n) {
        atomicAdd(partial + row * e.n + column, sum);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        last = atomicAdd(arrived + blockIdx.y * gridDim.x + blockIdx.x, 1u) == gridDim.z - 1;
    }
    __syncthreads();
    if (last && row < e.m && column < e.n) {
        __threadfence();
        d[row * e.n + column] = __float2bfloat16_rn(__ldcg(partial + row * e.n + column));
    }
}

// A batch by arrays of pointers.
extern "C" __global__ void pointers(
    const float *const *as, const float *const *bs, float *const *ds, int m, int n, int k) {
    const float *a = as[blockIdx.z], *b = bs[blockIdx.z];
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < n) {
        float sum = 0;
        for (int i = 0; i < k; i++) {
            sum = fmaf(a[row * k + i], b[i * n + column], sum);
        }
        ds[blockIdx.z][row * n + column] = sum;
    }
}

// movmatrix: D = A^T by 8x8 tiles.
extern "C" __global__ void transposed(const uint32_t *a, uint32_t *d) {
    uint32_t x = a[threadIdx.x];
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
    d[threadIdx.x] = x;
}
