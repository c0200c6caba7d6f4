package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.gpu.cuda.Gpu;

/** The scales of the operands of one GEMM, read back from the device; empty where they are no buffers. */
record HostScales(Scales kind, ProblemShape shape, double[] a, double[] b) {

    static HostScales read(Gpu gpu, TestData data, OperandLayout.Gemm gemm) {
        return new HostScales(
                data.problem().scales(),
                gemm.shape(),
                read(gpu, data, gemm, OperandRole.A),
                read(gpu, data, gemm, OperandRole.B));
    }

    private static double[] read(Gpu gpu, TestData data, OperandLayout.Gemm gemm, OperandRole role) {
        Scales kind = data.problem().scales();
        if (!kind.areBuffers()) {
            return new double[0];
        }
        long address = data.addressOfScales(data.sets().getFirst(), gemm, role);
        return new EndedSums.Numbers(gpu, ElementType.F32, address)
                .at(0, Math.toIntExact(kind.elements(role, gemm.shape())));
    }

    /** The scale of an element of A times that of one of B; 1 where they are no buffers. */
    double at(int row, int column, int k) {
        return kind.areBuffers()
                ? a[kind.index(OperandRole.A, shape, row, k)] * b[kind.index(OperandRole.B, shape, column, k)]
                : 1;
    }
}
