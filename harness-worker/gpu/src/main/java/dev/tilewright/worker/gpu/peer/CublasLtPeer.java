package dev.tilewright.worker.gpu.peer;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.space.vendor.VendorAlgorithm;
import dev.tilewright.space.vendor.VendorEpilogue;
import dev.tilewright.space.vendor.VendorKnowledge;
import dev.tilewright.space.vendor.VendorOperands;
import dev.tilewright.space.vendor.VendorScales;
import dev.tilewright.worker.gpu.cuda.CublasAlgorithm;
import dev.tilewright.worker.gpu.cuda.CublasAlgorithms;
import dev.tilewright.worker.gpu.cuda.CublasGemm;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.LaunchCapture;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.Reference;
import dev.tilewright.worker.gpu.verify.TestData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The vendor's own: an arm for each algorithm that cublasLt's heuristic returns, {@code algorithm=0} being its first
 * choice, and one for {@code cublasGemmEx}, {@code algorithm=gemmEx}. More is drawn from all algorithms of the library.
 */
final class CublasLtPeer {

    /** Names the library where the loader does not find it. */
    static final String PATH_VARIABLE = "TILEWRIGHT_CUBLASLT";

    /** A kernel, perhaps with a reduction over its splits and a memset. */
    private static final int ENTRIES_PER_LAUNCH = 4;

    private CublasLtPeer() {}

    /**
     * Asks the library for the arms of a problem; there are none where it does not multiply its types or layouts, and
     * several GEMMs it computes at once only if all have one shape.
     */
    static PeerArms arms(Gpu gpu, TestData data, Map<String, String> environment) {
        Problem problem = data.problem();
        Optional<String> refusal = VendorOperands.refusal(problem.types(), problem.major())
                .or(() -> VendorEpilogue.refusal(problem))
                .or(() -> VendorScales.refusal(problem));
        if (refusal.isPresent()) {
            return new PeerArms.Absent(refusal.get());
        }
        if (problem.groups().stream().distinct().count() > 1) {
            return new PeerArms.Absent(
                    "it has no kernel for " + problem.groups().size() + " groups, " + problem.shapes()
                            + ": ours are timed beside each other alone");
        }
        Optional<Path> explicit =
                Optional.ofNullable(environment.get(PATH_VARIABLE)).map(Path::of);
        Reference reference = data.ofProblem();
        OptionalLong bias = reference.bias().stream()
                .mapToLong(content -> content.buffer().address())
                .findFirst();
        Optional<CublasGemm> open;
        try {
            open = CublasGemm.open(gpu, problem, explicit, bias);
        } catch (IllegalArgumentException unknown) {
            return new PeerArms.Absent(String.valueOf(unknown.getMessage()));
        }
        return open.<PeerArms>map(gemm -> found(gpu, gemm, problem, operands(data.sets(), reference.c())))
                .orElseGet(() ->
                        new PeerArms.Absent("libcublasLt.so.13 and .12 are neither in the loader's path nor in a CUDA "
                                + "folder; " + PATH_VARIABLE
                                + explicit.map(path -> " is " + path + ", which cannot be loaded")
                                        .orElse(" is not set")));
    }

    private static PeerArms found(Gpu gpu, CublasGemm gemm, Problem problem, List<CublasGemm.Operands> operands) {
        List<PeerArm> arms = new ArrayList<>();
        for (int i = 0; i < gemm.algorithms(); i++) {
            int algorithm = i;
            arms.add(arm(
                    VendorFamily.config(ParameterValue.of(algorithm)), operands, on -> gemm.enqueue(algorithm, on)));
        }
        if (gemm.hasGemmEx()) {
            arms.add(arm(
                    VendorFamily.config(ParameterValue.of("gemmEx")),
                    operands,
                    on -> gemm.enqueueGemmEx(on.a(), on.b(), on.d())));
        }
        if (arms.isEmpty()) {
            String library = gemm.library();
            gemm.close();
            return new PeerArms.Absent(library + " has no algorithm for " + problem.shape() + " of " + problem.types()
                    + ", " + problem.major()
                    + (problem.scales().areBuffers() ? ", scales = " + problem.scales() : ""));
        }
        Optional<LaunchCapture> capture = LaunchCapture.of(gpu);
        return new PeerArms.Found(
                gemm.library(),
                List.copyOf(arms),
                seed -> draw(gemm, capture, arms.subList(0, gemm.algorithms()), problem, operands, seed),
                config -> algorithm(gemm, capture, operands, config),
                gemm::close);
    }

    /** One of all algorithms of the library; it is recorded, so that its kernels are known, and does not run. */
    private static PeerAlgorithm algorithm(
            CublasGemm gemm, Optional<LaunchCapture> capture, List<CublasGemm.Operands> operands, Config config) {
        if (capture.isEmpty()) {
            return new PeerAlgorithm.Refused("its kernels cannot be told: the library of the driver is not found");
        }
        return switch (gemm.all().set(VendorAlgorithm.of(config).attributes())) {
            case CublasAlgorithms.Setting.Refused(String reason) -> new PeerAlgorithm.Refused(reason);
            case CublasAlgorithms.Setting.Taken(CublasAlgorithm algorithm) ->
                recorded(capture.get(), arm(config, operands, on -> gemm.enqueue(algorithm, on)));
        };
    }

    private static PeerAlgorithm recorded(LaunchCapture capture, PeerArm arm) {
        try {
            return new PeerAlgorithm.Taken(
                    arm.arm(), capture.capture(() -> arm.arm().enqueue(0)));
        } catch (CudaException refusal) {
            refusal.throwIfSticky();
            return new PeerAlgorithm.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    /** Through all algorithms of the library, as far as the driver can tell their launches apart. */
    private static PeerDraw draw(
            CublasGemm gemm,
            Optional<LaunchCapture> captures,
            List<PeerArm> heuristic,
            Problem problem,
            List<CublasGemm.Operands> operands,
            long seed) {
        return captures.<PeerDraw>map(capture -> new CublasDraw(
                        gemm,
                        capture,
                        heuristic,
                        VendorKnowledge.stored()
                                .inOrder(problem.shape(), gemm.all().capabilities(), seed)
                                .iterator(),
                        (algorithm, taken) -> arm(algorithm.config(), operands, on -> gemm.enqueue(taken, on))))
                .orElse(PeerDraw.NOTHING);
    }

    /** Puts one launch on operands into the stream. */
    private interface Launch {
        void enqueue(CublasGemm.Operands on);
    }

    private static PeerArm arm(Config config, List<CublasGemm.Operands> operands, Launch launch) {
        String name = VendorFamily.NAME + " " + config.canonical();
        return new PeerArm(VendorFamily.NAME, config, new VendorArm(name, operands, launch));
    }

    /** One for each set; an address of a C that it multiplies with 0 the library wants too. */
    private static List<CublasGemm.Operands> operands(List<OperandSet> sets, List<Reference.Content> c) {
        return IntStream.range(0, sets.size())
                .mapToObj(index -> {
                    OperandSet set = sets.get(index);
                    long d = set.d().address();
                    return new CublasGemm.Operands(
                            set.a().address(),
                            set.b().address(),
                            c.isEmpty() ? d : c.get(index).buffer().address(),
                            d,
                            scales(set, OperandRole.A),
                            scales(set, OperandRole.B));
                })
                .toList();
    }

    private static long scales(OperandSet set, OperandRole role) {
        return set.scales().map(scales -> scales.of(role).address()).orElse(0L);
    }

    private record VendorArm(String name, List<CublasGemm.Operands> operands, Launch launch) implements Arm {
        @Override
        public int sets() {
            return operands.size();
        }

        @Override
        public void enqueue(int set) {
            launch.enqueue(operands.get(set));
        }

        @Override
        public int entriesPerLaunch() {
            return ENTRIES_PER_LAUNCH;
        }
    }
}
