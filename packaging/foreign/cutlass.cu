// One GEMM of CUTLASS from its collective builders. The macros of the text that includes this choose it. The program
// needs no GPU: it prints the launch description with the bytes of Params. Arguments: M N K SMS BETA
#include <cuda.h>
#include <string>

#include "cutlass/cutlass.h"

#include "cute/tensor.hpp"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "record.h"
using namespace cute;

constexpr int Align = 16 / sizeof(ELEMENT);
using Row = cutlass::layout::RowMajor;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<ARCH, cutlass::arch::OpClassTensorOp, TILE,
    CLUSTER, cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, Row, 4, float, Row, 4,
    EPILOGUE>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<ARCH, cutlass::arch::OpClassTensorOp, ELEMENT,
    Row, Align, ELEMENT, cutlass::layout::ColumnMajor, Align, float, TILE, CLUSTER,
    cutlass::gemm::collective::StageCountAutoCarveout<int(sizeof(typename Epilogue::SharedStorage))>,
    MAINLOOP>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue, SCHEDULER>;
template __global__ void cutlass::device_kernel<Kernel>(CUTLASS_GRID_CONSTANT typename Kernel::Params const);

int main(int, char **argv) {
  size_t m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]);
  float beta = atof(argv[5]);
  typename Kernel::Arguments arguments{};
  arguments.mode = cutlass::gemm::GemmUniversalMode::kGemm;
  arguments.problem_shape = make_shape(int(m), int(n), int(k), 1);
  arguments.mainloop.ptr_A = recorded<ELEMENT>("A", DTYPE, {m, k}, "normal");
  arguments.mainloop.dA = make_stride(int64_t(k), _1{}, int64_t(0));
  arguments.mainloop.ptr_B = recorded<ELEMENT>("B", DTYPE, {n, k}, "normal");
  arguments.mainloop.dB = make_stride(int64_t(k), _1{}, int64_t(0));
  arguments.epilogue.thread.alpha = 1.5f;
  arguments.epilogue.thread.beta = beta;
  arguments.epilogue.ptr_C = recorded<float>("C", "f32", {m, n}, "normal");
  arguments.epilogue.dC = make_stride(int64_t(n), _1{}, int64_t(0));
  arguments.epilogue.ptr_D = recorded<float>("D", "f32", {m, n}, "poison");
  arguments.epilogue.dD = make_stride(int64_t(n), _1{}, int64_t(0));
  dim3 cluster(size<0>(CLUSTER{}), size<1>(CLUSTER{}), 1);
  arguments.hw_info.sm_count = atoi(argv[4]);
  arguments.hw_info.max_active_clusters = arguments.hw_info.sm_count / size(CLUSTER{});
  arguments.hw_info.cluster_shape = arguments.hw_info.cluster_shape_fallback = cluster;
  size_t bytes = Kernel::get_workspace_size(arguments);
  void *workspace = bytes ? recorded("W", "u8", {bytes}, "zeros") : nullptr;
  alignas(64) static char bytesOfParams[sizeof(typename Kernel::Params)]; // padding is 0
  auto &params = *new (bytesOfParams) typename Kernel::Params(Kernel::to_underlying_arguments(arguments, workspace));
  expected(beta ? "gemm: {a: A, b: B, c: C, d: D, epilogue: 'alpha=1.5,beta=0.5'}"
                : "gemm: {a: A, b: B, d: D, epilogue: alpha=1.5}");
  describe(Kernel::get_grid_shape(params), Kernel::get_block_shape(), cluster, Kernel::SharedStorageSize, &params,
      sizeof(params));
}
