// Inline assembly as people write it for Hopper: TMA, mbarriers, wgmma, clusters, roles.
#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>

__device__ __forceinline__ uint32_t shared(const void *p) {
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void wait(uint32_t barrier, uint32_t parity) {
    asm volatile("{\n"
                 ".reg .pred       P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra     LAB_WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(barrier), "r"(parity) : "memory");
}

__device__ __forceinline__ uint32_t elected() {
    uint32_t chosen = 0;
    asm volatile("{\n.reg .b32 %%rx;\n.reg .pred %%px;\n elect.sync %%rx|%%px, %1;\n@%%px mov.s32 %0, 1;\n}\n"
                 : "+r"(chosen) : "r"(0xffffffff));
    return chosen;
}

template <int D>
__device__ __forceinline__ void multiply(float (&d)[16], uint64_t a, uint64_t b, int accumulate) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15},"
                 " %16, %17, p, 1, 1, 0, 0;\n}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                 : "l"(a), "l"(b), "r"(accumulate));
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256, 1)
hopper(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, float *out, int tiles) {
    extern __shared__ __align__(1024) unsigned char memory[];
    __shared__ __align__(8) uint64_t full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(full + i)), "r"(1));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(empty + i)), "r"(2));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("prefetch.tensormap [%0];" ::"l"(&mapA) : "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(40));
        if (threadIdx.x < 32 && elected()) {
            for (int t = 0; t < tiles; t++) {
                int s = t & 1;
                wait(shared(empty + s), (t >> 1 & 1) ^ 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(full + s)), "r"(12288));
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                             " [%0], [%1, {%3, %4}], [%2];" ::"r"(shared(memory + s * 12288)), "l"(&mapA),
                             "r"(shared(full + s)), "r"(t * 64), "r"(blockIdx.x * 64) : "memory");
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                             " [%0], [%1, {%4, %5}], [%2], %3;" ::"r"(shared(memory + s * 12288 + 8192)), "l"(&mapB),
                             "r"(shared(full + s)), "h"((uint16_t)3), "r"(t * 64), "r"(0) : "memory");
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(232));
        float d[16];
        for (int t = 0; t < tiles; t++) {
            int s = t & 1;
            wait(shared(full + s), t >> 1 & 1);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            uint64_t a = (uint64_t)0x4000004000010000 | (shared(memory + s * 12288) >> 4);
            multiply<0>(d, a, a + 512, t > 0);
            multiply<1>(d, a + 2, a + 514, 1);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(0) : "memory");
            for (int r = 0; r < 2; r++) {
                if (threadIdx.x == 128 + 32 * r) {
                    asm volatile("{\n.reg .b32 remAddr32;\nmapa.shared::cluster.u32  remAddr32, %0, %1;\n"
                                 "mbarrier.arrive.shared::cluster.b64  _, [remAddr32];\n}" ::"r"(shared(empty + s)), "r"(r));
                }
            }
        }
        __nv_bfloat162 *tile = (__nv_bfloat162 *)memory;
        for (int i = 0; i < 16; i += 2) {
            tile[threadIdx.x * 8 + i / 2] = __floats2bfloat162_rn(d[i], d[i + 1]);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(128) : "memory");
        if (threadIdx.x == 128) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared(memory)), "r"(4096));
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(0) : "memory");
        }
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
