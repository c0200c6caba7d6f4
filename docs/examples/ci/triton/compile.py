"""Compiles the kernel for sm_90 into TRITON_CACHE_DIR. It needs Triton and no GPU: the target is named."""
import json
import os

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from matmul import matmul

# BLOCK_M, BLOCK_N, BLOCK_K, warps, stages
VARIANTS = ((64, 64, 32, 4, 3), (128, 64, 32, 8, 3))

constexprs = {}
for block_m, block_n, block_k, warps, stages in VARIANTS:
    source = ASTSource(
        fn=matmul,
        signature={"a_ptr": "*fp16", "b_ptr": "*fp16", "d_ptr": "*fp16", "m": "i32", "n": "i32", "k": "i32",
                   "BLOCK_M": "constexpr", "BLOCK_N": "constexpr", "BLOCK_K": "constexpr"},
        constexprs={"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k})
    compiled = triton.compile(
        source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps, "num_stages": stages})
    constexprs[compiled.metadata.hash] = {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": block_k}

# Triton keeps no constexprs. Variants are named by them, so that an edit of the kernel does not rename a variant.
with open(os.path.join(os.environ["TRITON_CACHE_DIR"], "constexprs.json"), "w") as file:
    json.dump(constexprs, file, indent=1)
