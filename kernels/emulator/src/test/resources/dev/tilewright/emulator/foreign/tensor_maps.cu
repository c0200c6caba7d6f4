// Tensor maps that are not parameters: pointed to, and changed by the kernel. `nvcc -arch=sm_90a -ptx`.
#include <cuda.h>
#include <stdint.h>

extern __shared__ __align__(1024) unsigned char box[];

__device__ __forceinline__ uint32_t shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

// Loads a box of 8 rows of 16 words at row `row` of the map and copies it to d.
__device__ void copyBox(const void *map, int row, uint32_t *d) {
    __shared__ __align__(8) uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&full)));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(shared(&full)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%2, %3}], [%4];" ::"r"(shared(box)), "l"(map), "r"(0), "r"(row), "r"(shared(&full))
                     : "memory");
    }
    __syncthreads();
    asm volatile("{.reg .pred p; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra AGAIN;}" ::"r"(
                     shared(&full))
                 : "memory");
    for (int i = threadIdx.x; i < 128; i += 32) {
        d[i] = reinterpret_cast<const uint32_t *>(box)[i];
    }
}

extern "C" __global__ void pointed(const CUtensorMap *maps, uint32_t *d) {
    copyBox(maps + blockIdx.x, 8, d + 128 * blockIdx.x);
}

// As grouped GEMMs do: the map of a parameter is copied to shared memory, given another tensor there, and written to
// global memory for the tensor memory accelerator.
extern "C" __global__ void replaced(
    const __grid_constant__ CUtensorMap model, CUtensorMap *own, const uint32_t *const *tensors, const int *rows, uint32_t *d) {
    __shared__ __align__(128) CUtensorMap draft;
    for (int i = threadIdx.x; i < 16; i += 32) {
        reinterpret_cast<uint64_t *>(&draft)[i] = reinterpret_cast<const uint64_t *>(&model)[i];
    }
    __syncwarp();
    if (threadIdx.x == 0) {
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(shared(&draft)),
                     "l"(tensors[blockIdx.x])
                     : "memory");
        asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(shared(&draft)),
                     "r"(rows[blockIdx.x])
                     : "memory");
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
                 "128;" ::"l"(own + blockIdx.x), "r"(shared(&draft)) : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(own + blockIdx.x) : "memory");
    copyBox(own + blockIdx.x, 8, d + 128 * blockIdx.x);
}

// The same in global memory, with the two fences apart.
extern "C" __global__ void inPlace(CUtensorMap *map, const uint32_t *tensor, uint32_t *d) {
    if (threadIdx.x == 0) {
        asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(tensor) : "memory");
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    }
    __syncwarp();
    copyBox(map, 8, d);
}
