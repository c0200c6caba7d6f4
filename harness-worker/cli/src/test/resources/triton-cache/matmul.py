"""Compiles a matmul for sm_90 without a GPU, into TRITON_CACHE_DIR."""
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a_ptr, b_ptr, d_ptr, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    # D[M,N] = A[M,K] * B[N,K]^T, all row by row.
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


for block_m, block_n, block_k, warps, stages in ((64, 64, 32, 4, 3), (128, 64, 32, 8, 3)):
    source = ASTSource(
        fn=matmul,
        signature={"a_ptr": "*fp16", "b_ptr": "*fp16", "d_ptr": "*fp16", "m": "i32", "n": "i32", "k": "i32",
                   "BLOCK_M": "constexpr", "BLOCK_N": "constexpr", "BLOCK_K": "constexpr"},
        constexprs={"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k})
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps, "num_stages": stages})
    print(compiled.metadata)
