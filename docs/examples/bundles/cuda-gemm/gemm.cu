// D[M,N] = A[M,K] * B[N,K]^T, f16 in, f32 accumulated, f16 out. A CTA of 256 threads computes TILE x TILE elements of D
// at a time and walks over the tiles of D with the stride of its grid. TILE and STEP are set on the command line:
// tilewright bundle from-cuda gemm.cu --define TILE=32,64 --define STEP=16,32 --arch sm_90a
#include <cuda_fp16.h>

constexpr int THREADS = 256;
constexpr int SIDE = 16;          // threads along each side of a tile
constexpr int EACH = TILE / SIDE; // elements of a thread along each side

struct Shape {
    int m;
    int n;
    int k;
};

extern "C" __global__ void __launch_bounds__(THREADS)
gemm(const __half* a, const __half* b, __half* d, const Shape shape) {
    __shared__ float rows[STEP][TILE + 1];
    __shared__ float columns[STEP][TILE + 1];
    const int x = threadIdx.x % SIDE;
    const int y = threadIdx.x / SIDE;
    const int across = (shape.n + TILE - 1) / TILE;
    const int tiles = across * ((shape.m + TILE - 1) / TILE);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row = tile / across * TILE;
        const int column = tile % across * TILE;
        float sum[EACH][EACH] = {};
        for (int step = 0; step < shape.k; step += STEP) {
            for (int i = threadIdx.x; i < TILE * STEP; i += THREADS) {
                const int r = i / STEP;
                const int c = i % STEP;
                const bool inside = step + c < shape.k;
                rows[c][r] = inside && row + r < shape.m
                    ? __half2float(a[(size_t)(row + r) * shape.k + step + c]) : 0.f;
                columns[c][r] = inside && column + r < shape.n
                    ? __half2float(b[(size_t)(column + r) * shape.k + step + c]) : 0.f;
            }
            __syncthreads();
            for (int c = 0; c < STEP; c++) {
                for (int i = 0; i < EACH; i++) {
                    for (int j = 0; j < EACH; j++) {
                        sum[i][j] += rows[c][y + SIDE * i] * columns[c][x + SIDE * j];
                    }
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < EACH; i++) {
            for (int j = 0; j < EACH; j++) {
                const int r = row + y + SIDE * i;
                const int c = column + x + SIDE * j;
                if (r < shape.m && c < shape.n) {
                    d[(size_t)r * shape.n + c] = __float2half_rn(sum[i][j]);
                }
            }
        }
    }
}
