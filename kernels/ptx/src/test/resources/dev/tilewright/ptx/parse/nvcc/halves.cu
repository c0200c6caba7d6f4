// f16, bf16 and f32 with their conversions and approximations.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float *f) {
    int i = threadIdx.x;
    h[i] = __hfma(h[i], h[i + 1], h[i + 2]) + h[i + 3] * h[i + 4] - __hmax(h[i], h[i + 5]) + __habs(h[i + 6]) + hsqrt(h[i + 7]);
    h2[i] = __hfma2_relu(h2[i], h2[i + 1], h2[i + 2]) + __hadd2_sat(h2[i], h2[i + 1]) + __hmin2_nan(h2[i], h2[i + 3]) - h2exp2(h2[i]);
    b[i] = __hfma(b[i], b[i + 1], b[i + 2]) + b[i + 3] * b[i + 4] + __hmin(b[i], b[i + 5]) + __hneg(b[i + 6]);
    b2[i] = __hfma2(b2[i], b2[i + 1], b2[i + 2]) + __hmax2(b2[i], b2[i + 3]) + __hmul2(b2[i + 4], b2[i + 5]);
    f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + __low2float(h2[i]) + __high2float(b2[i]);
    h[i + 8] = h[i] < h[i + 1] ? __float2half_rz(f[i]) : __int2half_rn(i);
    b[i + 8] = __hequ(b[i], b[i + 1]) ? __float2bfloat16_rn(f[i]) : __ushort2bfloat16_rn(i);
    h2[i + 9] = __floats2half2_rn(f[i], f[i + 1]);
    b2[i + 9] = __floats2bfloat162_rn(f[i], f[i + 1]);
    h2[i + 10] = __hgt2(h2[i], h2[i + 1]);
    ((__nv_fp8x2_e4m3 *)f)[i] = __nv_fp8x2_e4m3(make_float2(f[i], f[i + 1]));
    h2[i + 11] = __half2(((__nv_fp8x2_e5m2 *)f)[i + 1]);
    atomicAdd(h2, h2[i]);
    atomicAdd(b2, b2[i]);
    atomicAdd(h, h[i]);
}

extern "C" __global__ void floats(float *f, double *d, int *w, long long *l, unsigned char *c) {
    int i = threadIdx.x;
    f[i] = sqrtf(f[i]) + rsqrtf(f[i + 1]) + __fdividef(f[i], f[i + 2]) + f[i] / f[i + 3] + __expf(f[i]) + __logf(f[i + 1]) + __sinf(f[i]);
    f[i + 4] = fminf(f[i], f[i + 1]) + fmaxf(f[i], 1.5f) + fabsf(f[i]) - __saturatef(f[i]) + copysignf(f[i], f[i + 1]) + tanhf(f[i]);
    f[i + 5] = __fmaf_rz(f[i], f[i + 1], 2.0f) + __fadd_ru(f[i], f[i + 1]) + __frcp_rd(f[i]) + __fsqrt_rz(f[i]) + fdimf(f[i], f[i + 1]);
    w[i] = (int)f[i] + __float2int_rn(f[i + 1]) + __float2int_ru(f[i + 2]) + (int)d[i] + (isnan(f[i]) ? 1 : 0) + signbit(d[i]);
    l[i] = (long long)f[i] + llrintf(f[i]) + (long long)d[i + 1] + __double2ll_rd(d[i]);
    c[i] = (unsigned char)f[i] + (unsigned char)min(max(w[i], 0), 255);
    f[i + 6] = (float)l[i] + (float)c[i] + (float)d[i] + floorf(f[i]) + rintf(f[i + 1]) + truncf(f[i + 2]) + (float)(unsigned)w[i];
    d[i] = d[i] * d[i + 1] + d[i + 2] / d[i + 3] + sqrt(d[i]) + (double)f[i] + (double)w[i] + (double)l[i] + fmin(d[i], d[i + 4]);
    f[i + 7] = sinf(f[i]) + powf(f[i], f[i + 1]) + expf(f[i]) + erff(f[i]);
}
