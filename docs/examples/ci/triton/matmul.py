"""The kernel that the gate watches: D[M,N] = A[M,K] * B[N,K]^T in f16, all of them row by row."""
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, d_ptr, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    along = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, k, BLOCK_K):
        inside = step + along < k
        a = tl.load(a_ptr + rows[:, None] * k + (step + along)[None, :],
                    mask=(rows < m)[:, None] & inside[None, :], other=0.0)
        b = tl.load(b_ptr + columns[None, :] * k + (step + along)[:, None],
                    mask=(columns < n)[None, :] & inside[:, None], other=0.0)
        total = tl.dot(a, b, total)
    tl.store(d_ptr + rows[:, None] * n + columns[None, :], total.to(tl.float16),
             mask=(rows < m)[:, None] & (columns < n)[None, :])
