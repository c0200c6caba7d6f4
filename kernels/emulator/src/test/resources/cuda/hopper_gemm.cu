// D[M,N] = A[M,K] * B[N,K]^T, bf16 in, f32 out: one producer warp, boxes with a swizzle of 128 bytes, one consumer
// warpgroup with m64n64k16, four stages.
// nvcc -arch=sm_90a -ptx hopper_gemm.cu
#include <cstdint>
#include <cuda.h>

constexpr int TILE_M = 64, TILE_N = 64, TILE_K = 64, STAGES = 4;
constexpr int STAGE_BYTES = (TILE_M + TILE_N) * TILE_K * 2;

__device__ __forceinline__ void init(uint32_t barrier, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}

__device__ __forceinline__ void wait(uint32_t barrier, int parity) {
    asm volatile(
        "{\n.reg .pred done;\nAGAIN%=:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra DONE%=;\n"
        "bra AGAIN%=;\nDONE%=:\n}" ::"r"(barrier), "r"(parity) : "memory");
}

__device__ __forceinline__ void arrive(uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void box(uint32_t to, const CUtensorMap* map, int k, int row, uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(map), "r"(k), "r"(row), "r"(barrier) : "memory");
}

__device__ __forceinline__ uint64_t descriptor(uint32_t address) {
    return 0x4000004000010000ull | ((address & 0x3FFFF) >> 4);
}

__device__ __forceinline__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
        "%32, %33, 1, 1, 1, 0, 0;\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
          "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
          "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
          "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(256)
hopper_gemm(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, float* D, int M, int N, int K) {
    extern __shared__ __align__(1024) unsigned char shared[];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(shared);
    uint32_t full = base + STAGES * STAGE_BYTES, empty = full + STAGES * 8;
    int m = blockIdx.y * TILE_M, n = blockIdx.x * TILE_N;
    int steps = (K + TILE_K - 1) / TILE_K;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(full + 8 * s, 1);
            init(empty + 8 * s, 128);
        }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int step = 0; step < steps; step++) {
                int s = step % STAGES;
                wait(empty + 8 * s, (step / STAGES & 1) ^ 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full + 8 * s), "r"(STAGE_BYTES));
                box(base + s * STAGE_BYTES, &mapA, step * TILE_K, m, full + 8 * s);
                box(base + s * STAGE_BYTES + TILE_M * TILE_K * 2, &mapB, step * TILE_K, n, full + 8 * s);
            }
        return;
    }
    float d[32];
    for (int i = 0; i < 32; i++) d[i] = 0;
    for (int step = 0; step < steps; step++) {
        int s = step % STAGES;
        wait(full + 8 * s, step / STAGES & 1);
        uint64_t a = descriptor(base + s * STAGE_BYTES), b = descriptor(base + s * STAGE_BYTES + TILE_M * TILE_K * 2);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; k++) multiply(d, a + 2 * k, b + 2 * k);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The group before this one is done: its stage is free.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (step > 0) arrive(empty + 8 * ((step - 1) % STAGES));
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 32; i++) {
        int row = m + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + (i >> 1 & 1) * 8;
        int column = n + (i >> 2) * 8 + threadIdx.x % 4 * 2 + (i & 1);
        if (row < M && column < N) D[(size_t)row * N + column] = d[i];
    }
}
