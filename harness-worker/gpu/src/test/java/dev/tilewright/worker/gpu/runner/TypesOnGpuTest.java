package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Verdict;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types and layouts of sm90-gemm on a real GPU: the reference is proved, the vendor's kernels and ours are right. */
class TypesOnGpuTest extends OnGpu {

    private static final int CONFIGS = 12;

    /** @param shapes of one GEMM or of several, such as {@code 2 x 64x64x64+64x8x16} */
    private static Problem problem(String shapes, String types, String majors) {
        String[] parts = shapes.split(" x ", 2);
        int batch = parts.length == 1 ? 1 : Integer.parseInt(parts[0]);
        List<DataType> type =
                Arrays.stream(types.split(",")).map(DataType::parse).toList();
        List<Major> major = Arrays.stream(majors.split(","))
                .map(name -> Major.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
        return new Problem(
                Stream.of(parts[parts.length - 1].split("\\+"))
                        .map(ProblemShape::parse)
                        .toList(),
                batch,
                new OperandTypes(type.get(0), type.get(1), type.get(2)),
                new OperandMajors(major.get(0), major.get(1), Major.N),
                Scenario.QUIET);
    }

    /**
     * Tails in each dimension; the last of each type is deep, where the error of 8-bit sums is largest; they have data
     * of one sign too.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000x1512x704 | f16,f16,f16 | k,k",
                "1000x1512x704 | f16,f16,f32 | k,n",
                "1000x1512x703 | f16,f16,bf16 | m,n",
                "1000x1512x704 | bf16,bf16,f32 | k,k",
                "1000x1512x704 | bf16,bf16,bf16 | m,k",
                "1001x1512x704 | bf16,bf16,bf16 | k,n",
                "1000x1512x701 | bf16,bf16,f16 | m,n",
                "4096x2056x8192 | bf16,bf16,bf16 | m,n",
                "1000x1512x720 | e4m3,e4m3,bf16 | k,k",
                "1000x1512x720 | e4m3,e5m2,f16 | k,k",
                "1000x1512x720 | e5m2,e4m3,f32 | k,k",
                "1000x1512x720 | e5m2,e5m2,bf16 | k,k",
                "2048x1032x256 | e4m3,e4m3,f32 | k,k",
                "4096x2056x4096 | e4m3,e4m3,f32 | k,k",
                "4096x2056x16384 | e4m3,e4m3,f32 | k,k",
                "4096x2056x16384 | e5m2,e5m2,f32 | k,k",
                "1000x1512x704+136x2056x4104 | f16,f16,f32 | k,k",
                "1000x1512x701+136x2056x4101+40x24x7 | bf16,bf16,bf16 | m,n",
                "1000x1512x720+136x2056x4112 | e4m3,e5m2,f16 | k,k",
                "3 x 392x1096x528 | e5m2,e4m3,f32 | k,k",
                "3 x 392x1096x520 | f16,f16,f16 | m,k",
                "3 x 392x1096x521 | bf16,bf16,f32 | m,n",
            })
    void everyKernelIsRight(String shapes, String types, String majors) {
        Problem problem = problem(shapes, types, majors);
        areRight(problem, Signs.RANDOM);
        if (problem.types().a().bytes() == 1) {
            areRight(problem, Signs.ONE);
        }
    }

    /** The last block of K is shorter than 128, the last of N too. */
    @ParameterizedTest
    @CsvSource({
        "1000x1512x720, row, bf16",
        "1001x1512x720, row, f32",
        "128x2112x7168, row, f16",
        "1000x1512x720, block, bf16",
        "1000x1512x720, block, f32",
        "128x2112x7168, block, f16"
    })
    void theLibraryScalesAsTheProblemDoes(String shape, String scales, String type) {
        Problem problem = problem(shape, "e4m3,e4m3," + type, "k,k").with(Scales.parse(scales));
        TestData data = bench.store().get(problem, Signs.RANDOM, SEED);
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assertThat(peers).isInstanceOf(PeerArms.Found.class);
        }
        vendors(data, problem);
    }

    private void areRight(Problem problem, Signs signs) {
        TestData data = bench.store().get(problem, signs, SEED);
        vendors(data, problem);
        Random random = new Random(problem.hashCode());
        for (Config config : drawn(problem, random, CONFIGS)) {
            Kernel.Assembled kernel = kernel(problem, config, false);
            try (LoadedKernel loaded = LoadedCubin.load(gpu, config.canonical(), kernel, data)) {
                List<OperandSet> first = List.of(data.sets().getFirst());
                bench.verifier().poison(first);
                loaded.enqueue(0);
                judge(problem, config.canonical(), data, first);
            }
        }
    }

    private void vendors(TestData data, Problem problem) {
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            switch (peers) {
                case PeerArms.Absent(String reason) -> System.out.println(problem.types() + ": " + reason);
                case PeerArms.Found found -> {
                    for (PeerArm peer : found.arms()) {
                        List<OperandSet> first = List.of(data.sets().getFirst());
                        bench.verifier().poison(first);
                        peer.arm().enqueue(0);
                        judge(problem, peer.arm().name(), data, first);
                    }
                }
            }
        }
    }

    private void judge(Problem problem, String kernel, TestData data, List<OperandSet> sets) {
        Verdict verdict = bench.verifier().judge(data, sets);
        System.out.printf(
                Locale.ROOT,
                "%s %s %s errorRatio %.4f of %s%n",
                problem.shapes(),
                problem.types(),
                problem.major(),
                verdict.errorRatio(),
                kernel);
        assertThat(verdict.complaints()).as(problem + " " + kernel).isEmpty();
    }
}
