// D[M,N] = A[M,K] * B[N,K]^T * alpha, f16 in, f32 accumulated, one struct by value. Built by
// nvcc -arch=sm_90a -ptx tile-gemm.cu -o tile-gemm.ptx
#include <cuda_fp16.h>

struct Problem {
    const __half* a;
    const __half* b;
    float* d;
    int m;
    int n;
    int k;
    float alpha;
};

constexpr int TILE = 32;
constexpr int ROWS = 4;

extern "C" __global__ void __launch_bounds__(256) tile_gemm(const Problem problem) {
    __shared__ float a[TILE][TILE + 1];
    __shared__ float b[TILE][TILE + 1];
    const int lane = threadIdx.x % TILE;
    const int group = threadIdx.x / TILE;
    const int row = blockIdx.y * TILE;
    const int column = blockIdx.x * TILE;
    float sum[ROWS] = {};
    for (int step = 0; step < problem.k; step += TILE) {
        for (int i = group; i < TILE; i += 256 / TILE) {
            const bool inside = step + lane < problem.k;
            a[i][lane] = inside && row + i < problem.m
                ? __half2float(problem.a[(size_t)(row + i) * problem.k + step + lane]) : 0.f;
            b[i][lane] = inside && column + i < problem.n
                ? __half2float(problem.b[(size_t)(column + i) * problem.k + step + lane]) : 0.f;
        }
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            for (int i = 0; i < ROWS; i++) {
                sum[i] += a[group * ROWS + i][j] * b[lane][j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < ROWS; i++) {
        const int m = row + group * ROWS + i;
        if (m < problem.m && column + lane < problem.n) {
            problem.d[(size_t)m * problem.n + column + lane] = problem.alpha * sum[i];
        }
    }
}
