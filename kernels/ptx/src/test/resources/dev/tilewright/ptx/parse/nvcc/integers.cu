// Integers of all widths, bits, carries, comparisons.
#include <stdint.h>

__device__ unsigned table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
__constant__ short weights[4] = {-1, 2, -3, 4};
__device__ const unsigned *pointers[2] = {table, table + 3};

extern "C" __global__ void integers(int64_t *l, int *w, short *h, signed char *b, uint64_t *u, unsigned *v) {
    int i = threadIdx.x;
    l[i] = l[i] * l[i + 1] + (int64_t)w[i] * w[i + 1];
    u[i] = __umul64hi(u[i], u[i + 1]) + u[i] / u[i + 2] + u[i] % u[i + 3];
    v[i] = __umulhi(v[i], v[i + 1]) + v[i] / 7 + __mulhi(w[i], w[i + 2]);
    w[i] = __popc(v[i]) + __clz(v[i + 1]) + __ffs(v[i + 2]) + __popcll(u[i]) + __clzll(u[i + 1]) + __brev(v[i + 3]);
    v[i + 4] = __byte_perm(v[i], v[i + 1], 0x5410) ^ __funnelshift_l(v[i], v[i + 1], w[i]) ^ __funnelshift_rc(v[i], v[i + 2], 7);
    h[i] = h[i] * h[i + 1] + (h[i] > h[i + 2] ? h[i] : h[i + 2]) - weights[i & 3];
    b[i] = b[i] * 3 + (signed char)w[i];
    w[i + 5] = __sad(w[i], w[i + 1], v[i]) + __dp4a(w[i], w[i + 1], w[i + 2]) + abs(w[i + 3]) + min(w[i], w[i + 4]);
    v[i + 6] = (v[i] & v[i + 1]) ^ (v[i + 2] | ~v[i + 3]) ^ ((v[i] >> 5) & 0x3ff) ^ table[v[i] & 7] ^ *pointers[i & 1];
    u[i + 4] = ((uint64_t)v[i] << 32 | v[i + 1]) >> (v[i + 2] & 63);
    unsigned __int128 p = (unsigned __int128)u[i] * u[i + 1] + u[i + 2];
    u[i + 6] = (uint64_t)(p >> 64) + (uint64_t)p;
    w[i + 7] = __vadd4(w[i], w[i + 1]) + __vmaxs2(w[i], w[i + 2]) + __rhadd(w[i], w[i + 1]) + __mul24(w[i], w[i + 1]);
}

extern "C" __global__ void locals(int *out, int n) {
    int scratch[16];
    for (int i = 0; i < 16; i++) {
        scratch[i] = i * n;
    }
    for (int i = 0; i < n; i++) {
        scratch[(i * 7 + n) & 15] += scratch[out[i] & 15];
    }
    out[threadIdx.x] = scratch[threadIdx.x & 15];
}

struct Arguments {
    int n;
    double scale;
    short offset[5];
    char flag;
};

extern "C" __global__ void arguments(Arguments a, char c, unsigned short s, double d, bool on, double *out) {
    out[threadIdx.x] = a.n * a.scale + a.offset[threadIdx.x % 5] + (a.flag ? c : s) + (on ? d : 0);
}
