# Compiles matmul.py and writes the PTX beside kernel/kernel.yaml, which is kept. tilewright.yaml calls it, also in the
# checkout of the commit that is compared with.
set -eu
rm -rf .triton-cache
# Without line information: it has the path of the checkout in it, so that the same kernel would be another text.
TRITON_CACHE_DIR="$PWD/.triton-cache" TRITON_DISABLE_LINE_INFO=1 python3 compile.py
tilewright bundle from-triton .triton-cache --kernel matmul --to kernel
