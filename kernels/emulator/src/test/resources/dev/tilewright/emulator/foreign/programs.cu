// Whole small kernels as people write them, for the emulator's tests.
#include <cassert>
#include <cuda_bf16.h>
#include <stdint.h>

// A tile of 64 x 48 per block of 16 x 16 threads, each computing 4 x 3; reads float4, edges guarded.
extern "C" __global__ void __launch_bounds__(256) tiled(const float *a, const float *b, float *d, int m, int n, int k, float alpha, float beta) {
    __shared__ __align__(16) float tileA[8][64];
    __shared__ float tileB[8][48];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    float sum[4][3] = {};
    for (int at = 0; at < k; at += 8) {
        for (int i = t; i < 512; i += 256) {
            int row = blockIdx.y * 64 + i / 8, column = at + i % 8;
            tileA[i % 8][i / 8] = row < m && column < k ? a[row * k + column] : 0;
        }
        for (int i = t; i < 384; i += 256) {
            int row = blockIdx.x * 48 + i / 8, column = at + i % 8;
            tileB[i % 8][i / 8] = row < n && column < k ? b[row * k + column] : 0;
        }
        __syncthreads();
        for (int s = 0; s < 8; s++) {
            float4 mine = *(float4 *)&tileA[s][y * 4];
            float left[4] = {mine.x, mine.y, mine.z, mine.w};
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 3; j++) {
                    sum[i][j] += left[i] * tileB[s][x + 16 * j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            int row = blockIdx.y * 64 + y * 4 + i, column = blockIdx.x * 48 + x + 16 * j;
            if (row < m && column < n) {
                d[row * n + column] = alpha * sum[i][j] + (beta == 0 ? 0 : beta * d[row * n + column]);
            }
        }
    }
}

// Rows of any length: softmax in f32 of bf16, a warp a row, with a tail that leaves some lanes idle.
extern "C" __global__ void softmax(const __nv_bfloat16 *x, __nv_bfloat16 *y, int rows, int columns) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows) {
        return;
    }
    float most = -INFINITY;
    for (int i = lane; i < columns; i += 32) {
        most = fmaxf(most, __bfloat162float(x[row * columns + i]));
    }
    for (int step = 16; step > 0; step >>= 1) {
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
    }
    float all = 0;
    for (int i = lane; i < columns; i += 32) {
        all += exp2f((__bfloat162float(x[row * columns + i]) - most) * 1.4426950408889634f);
    }
    for (int step = 16; step > 0; step >>= 1) {
        all += __shfl_xor_sync(0xffffffffu, all, step);
    }
    for (int i = lane; i < columns; i += 32) {
        float e = exp2f((__bfloat162float(x[row * columns + i]) - most) * 1.4426950408889634f);
        y[row * columns + i] = __float2bfloat16(e / all);
    }
}

// Counts bytes in shared memory, with warps of which the last is not whole.
extern "C" __global__ void histogram(const uint8_t *data, unsigned *bins, int n) {
    __shared__ unsigned mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        mine[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[data[i]], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        if (mine[i]) {
            atomicAdd(&bins[i], mine[i]);
        }
    }
}

// Sums before each element, over a block by warps; the lanes that are odd take another way to the same barrier.
extern "C" __global__ void scan(const int *x, int *y, int n) {
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t & 31;
    int value = t < n ? x[t] : 0;
    int sum = value;
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) {
            sum += other;
        }
    }
    if (lane == 31) {
        sums[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        int part = t < blockDim.x / 32 ? sums[t] : 0;
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(0xffffffffu, part, step);
            part += t >= step ? other : 0;
        }
        sums[t] = part;
    }
    __syncthreads();
    if (t >= n) {
        return;
    }
    y[t] = sum - value + (t >= 32 ? sums[t / 32 - 1] : 0);
}

// A machine of one stack per thread: local arrays with unknown indices, a switch in a loop, calls.
__noinline__ __device__ int divided(int a, int b) {
    if (b == 0) {
        return -1;
    }
    return a / b;
}

extern "C" __global__ void calculate(const uint8_t *programs, int length, const int *inputs, int *results) {
    int stack[16];
    int top = 0;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint8_t *program = programs + t % 4 * length;
    for (int at = 0; at < length; at++) {
        uint8_t code = program[at];
        switch (code) {
            case 0: at = length; break;
            case 1: stack[top++] = inputs[t]; break;
            case 2: stack[top - 2] += stack[top - 1]; top--; break;
            case 3: stack[top - 2] -= stack[top - 1]; top--; break;
            case 4: stack[top - 2] *= stack[top - 1]; top--; break;
            case 5: stack[top - 2] = divided(stack[top - 2], stack[top - 1]); top--; break;
            case 6: stack[top] = stack[top - 1]; top++; break;
            case 7: { int s = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = s; break; }
            case 8: stack[top - 1] = -stack[top - 1]; break;
            case 9: stack[top - 1] = __popc(stack[top - 1]); break;
            case 10: stack[top++] = at; break;
            case 11: if (stack[top - 1] > 0) { at += program[at + 1]; } else { at++; } break;
            default: stack[top++] = code;
        }
    }
    __syncwarp();
    results[t] = top > 0 ? stack[top - 1] : 0;
}

// Asserts, and what a variable of the host says.
__constant__ float limits[2] = {-1.0f, 1.0f};
__device__ unsigned long long checked;

extern "C" __global__ void within(const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        assert(x[i] >= limits[0] && x[i] <= limits[1]);
        atomicAdd(&checked, 1ull);
    }
}

// The last block to arrive sums up what the others left: fences, volatile, a ticket.
__device__ unsigned ticket;

extern "C" __global__ void lastBlock(const float *x, volatile float *parts, float *out, int n) {
    __shared__ float mine[4];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += x[i];
    }
    for (int step = 16; step > 0; step >>= 1) {
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    }
    if (threadIdx.x % 32 == 0) {
        mine[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = mine[0] + mine[1] + mine[2] + mine[3];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        float all = 0;
        for (int i = 0; i < gridDim.x; i++) {
            all += parts[i];
        }
        *out = all;
    }
}

// Appends what passes a test, one atomic for each group of lanes that got there together.
extern "C" __global__ void compact(const int *x, int *kept, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) {
        unsigned active = __activemask();
        int lane = threadIdx.x & 31;
        int leader = __ffs(active) - 1;
        int base = 0;
        if (lane == leader) {
            base = atomicAdd(count, __popc(active));
        }
        base = __shfl_sync(active, base, leader);
        kept[base + __popc(active & ((1u << lane) - 1))] = x[i];
    }
}

struct Body {
    double position[3];
    float mass;
    char kind;
};

// Structs by value and through functions, f64, a chain of carries.
__noinline__ __device__ Body moved(Body b, double by) {
    Body c = b;
    for (int i = 0; i < 3; i++) {
        c.position[i] = fma(by, (double)b.mass, b.position[i]);
    }
    c.kind++;
    return c;
}

extern "C" __global__ void bodies(Body first, Body *all, int n) {
    int i = threadIdx.x;
    if (i < n) {
        Body b = i == 0 ? first : all[i];
        all[i] = moved(b, 0.1 * i);
    }
}

extern "C" __global__ void wideProducts(const uint64_t *x, const uint64_t *y, uint64_t *high, uint64_t *low, int n) {
    int i = threadIdx.x;
    if (i < n) {
        unsigned __int128 p = (unsigned __int128)x[i] * y[i] + x[i];
        p -= y[i];
        high[i] = (uint64_t)(p >> 64);
        low[i] = (uint64_t)p;
    }
}
