// D[M,N] = A[M,K] * B[N,K]^T, f16 in, f32 out: cp.async in three stages, ldmatrix, mma.sync.
// nvcc -arch=sm_90a -ptx ampere_gemm.cu
#include <cstdint>
#include <cuda_fp16.h>

constexpr int TILE_M = 64, TILE_N = 96, TILE_K = 32, STAGES = 3, THREADS = 128;
constexpr int STAGE_BYTES = (TILE_M + TILE_N) * TILE_K * 2;

// 16-byte chunk c of a row of 64 bytes; two rows share a line of 128 bytes, chunks are exchanged by the line.
__device__ __forceinline__ uint32_t place(int row, int chunk) {
    return row * 64 + ((chunk ^ ((row >> 1) & 3)) << 4);
}

__device__ __forceinline__ void copy(uint32_t to, const __half* from, int row, int rows, int k, int K) {
    int bytes = row < rows ? min(max(K - k, 0) * 2, 16) : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(bytes > 0 ? from + (size_t)row * K + k : from), "r"(bytes));
}

__device__ __forceinline__ void load(uint32_t stage, const __half* A, const __half* B, int m, int n, int k, int M, int N, int K) {
    for (int i = threadIdx.x; i < TILE_M * 4; i += THREADS)
        copy(stage + place(i / 4, i % 4), A, m + i / 4, M, k + i % 4 * 8, K);
    for (int i = threadIdx.x; i < TILE_N * 4; i += THREADS)
        copy(stage + TILE_M * 64 + place(i / 4, i % 4), B, n + i / 4, N, k + i % 4 * 8, K);
    asm volatile("cp.async.commit_group;");
}

extern "C" __global__ void __launch_bounds__(THREADS)
ampere_gemm(const __half* A, const __half* B, float* D, int M, int N, int K) {
    extern __shared__ __align__(128) unsigned char shared[];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(shared);
    int m = blockIdx.y * TILE_M, n = blockIdx.x * TILE_N;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int wm = warp % 2 * 32, wn = warp / 2 * 48;
    int steps = (K + TILE_K - 1) / TILE_K;
    float d[2][6][4] = {};
    for (int s = 0; s < STAGES - 1; s++) load(base + s * STAGE_BYTES, A, B, m, n, s * TILE_K, M, N, K);
    for (int step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        int next = step + STAGES - 1;
        load(base + next % STAGES * STAGE_BYTES, A, B, m, n, next * TILE_K, M, N, K);
        uint32_t a = base + step % STAGES * STAGE_BYTES, b = a + TILE_M * 64;
#pragma unroll
        for (int kk = 0; kk < 2; kk++) {
            uint32_t x[2][4], y[6][2];
            for (int i = 0; i < 2; i++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(x[i][0]), "=r"(x[i][1]), "=r"(x[i][2]), "=r"(x[i][3])
                             : "r"(a + place(wm + 16 * i + lane % 16, 2 * kk + lane / 16)));
            for (int j = 0; j < 6; j++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                             : "=r"(y[j][0]), "=r"(y[j][1])
                             : "r"(b + place(wn + 8 * j + lane % 8, 2 * kk + lane / 8 % 2)));
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 6; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(d[i][j][0]), "+f"(d[i][j][1]), "+f"(d[i][j][2]), "+f"(d[i][j][3])
                                 : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j][0]), "r"(y[j][1]));
        }
    }
    asm volatile("cp.async.wait_all;");
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 6; j++)
            for (int e = 0; e < 4; e++) {
                int row = m + wm + 16 * i + lane / 4 + e / 2 * 8, column = n + wn + 8 * j + lane % 4 * 2 + e % 2;
                if (row < M && column < N) D[(size_t)row * N + column] = d[i][j][e];
            }
}
