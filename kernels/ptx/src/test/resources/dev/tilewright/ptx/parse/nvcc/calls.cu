// Asserts, traps, printf, functions, switches.
#include <cassert>
#include <cstdio>

__noinline__ __device__ float polynomial(float x, const float *c, int n) {
    float y = 0;
    for (int i = 0; i < n; i++) {
        y = y * x + c[i];
    }
    return y;
}

struct Pair {
    float a, b, c;
};

__noinline__ __device__ Pair pair(float x) {
    return {x, x * 2, x * 3};
}

extern "C" __global__ void calls(float *x, const float *c, int n) {
    assert(n > 3);
    Pair p = pair(x[threadIdx.x]);
    x[threadIdx.x] = polynomial(x[threadIdx.x], c, n) + p.a + p.c;
    if (x[threadIdx.x] < 0) {
        printf("negative %f in %d\n", x[threadIdx.x], threadIdx.x);
    }
    if (n > 1000) {
        __trap();
    }
}

extern "C" __global__ void choose(int *p, int n) {
    int i = threadIdx.x;
    int way = p[i];
    __syncthreads();
    switch (way) {
        case 0: p[i] = n * 3; break;
        case 1: p[i] ^= n; break;
        case 2: p[i + 1] = p[i + 7]; break;
        case 3: p[i] = p[i + 2] / n; break;
        case 4: atomicAdd(p, n); break;
        case 5: p[i] = __clz(p[i + 1]); break;
        case 6: atomicMax(p + 1, i); break;
        case 7: p[i] = p[p[i + 3]]; break;
        case 8: p[n] = 17; break;
        case 9: __nanosleep(100); break;
        default: p[i] = -1;
    }
}
