// Exchange in warps and blocks, atomics, fences, cache operators, cp.async.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <stdint.h>

extern "C" __global__ void warps(unsigned *u, int *w, float *f, uint64_t *l) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, w[i] > 0);
    unsigned mine = u[i], next = u[i + 1];
    __syncwarp(mask);
    u[i] = __match_any_sync(mask, next) + __activemask() + __reduce_add_sync(mask, mine) + __reduce_xor_sync(mask, mine);
    __syncwarp(mask);
    int all;
    u[i + 1] = __match_all_sync(mask, l[i], &all) + all + __any_sync(mask, w[i]) + __all_sync(mask, !w[i]);
    f[i] = __shfl_xor_sync(mask, f[i], 3) + __shfl_up_sync(mask, f[i], 2, 8) + __shfl_sync(mask, f[i], 5);
    w[i] = __syncthreads_count(w[i]) + __syncthreads_and(w[i + 1]) + __syncthreads_or(!w[i + 2]) + __reduce_max_sync(mask, w[i]);
    __syncwarp(mask);
    u[i + 2] = __uni_sync(mask, 1);
}

extern "C" __global__ void atomics(unsigned *u, int *w, unsigned long long *l, long long *s, float *f, double *d, unsigned short *h) {
    __shared__ unsigned bins[64];
    int i = threadIdx.x;
    unsigned mine = u[i];
    bins[i & 63] = 0;
    __syncthreads();
    atomicAdd(bins + (mine & 63), 1u);
    atomicOr(&bins[3], mine);
    atomicCAS(&bins[i & 7], 3u, 5u);
    u[i + 16] = atomicInc(u, 7) + atomicDec(u + 1, 9) + atomicExch(u + 2, 3) + atomicCAS(u + 3, 1, 2) + atomicXor(u + 4, 5) + atomicAnd_system(u + 5, 6);
    w[i + 3] = atomicMin(w, 4) + atomicMax_block(w + 1, 5) + atomicSub(w + 2, 6) + atomicCAS(h, 1, 2);
    atomicAdd(f, 1.5f);
    atomicAdd(d, 2.5);
    l[i + 2] = atomicCAS(l, 1ull, 2ull) + atomicMax(l + 1, 5ull) + atomicMin(s, -3ll);
    atomicAdd((float4 *)f + 1, make_float4(1, 2, 3, 4));
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    __syncthreads();
    u[i + 48] = bins[i & 63] + __ldcg(u + 9) + __ldcs(u + 10) + __ldg(u + 11) + *(volatile unsigned *)(u + 12);
    if (i == 0) {
        __stcs(u + 13, 1);
        __stwt(u + 14, 2);
    }
}

extern "C" __global__ void pipelined(const float4 *x, float4 *y, int n) {
    __shared__ float4 buffer[2][128];
    for (int at = 0; at < n; at++) {
        __pipeline_memcpy_async(&buffer[at & 1][threadIdx.x], x + at * 128 + threadIdx.x, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[at * 128 + threadIdx.x] = buffer[at & 1][127 - threadIdx.x];
    }
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128, 1) clusters(int *out) {
    namespace cg = cooperative_groups;
    __shared__ int value;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        value = blockIdx.x;
    }
    cluster.sync();
    int *other = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
    out[blockIdx.x * 128 + threadIdx.x] = *other;
    cluster.sync();
}
