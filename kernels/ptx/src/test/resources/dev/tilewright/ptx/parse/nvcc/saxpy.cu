// y = a x + y, a tiled product with shared memory, and sums by shuffles.
extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

extern "C" __global__ void sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float tileA[16][17];
    __shared__ float tileB[16][17];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * 16 + y;
    int column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int at = 0; at < k; at += 16) {
        tileA[y][x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
        tileB[y][x] = column < n && at + y < k ? b[(at + y) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++) {
            sum += tileA[y][i] * tileB[i][x];
        }
        __syncthreads();
    }
    if (row < m && column < n) {
        c[row * n + column] = sum;
    }
}

extern "C" __global__ void sum(const float4 *x, double *out, unsigned long long *count, int n) {
    extern __shared__ float parts[];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = x[i];
        mine += v.x + v.y + v.z + v.w;
    }
    for (int step = 16; step > 0; step /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, step);
    }
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        double all = 0;
        for (int i = 0; i < blockDim.x / 32; i++) {
            all += parts[i];
        }
        atomicAdd(out, all);
        atomicAdd(count, 1ull);
    }
}
