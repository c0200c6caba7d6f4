package dev.tilewright.proof.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A kernel with a wait in front computes what it computed before, however long it waits. */
class DelayedKernelTest {

    private static final Path ROOT = Path.of("../..");
    private static final int SMS = 2;
    /** In steps, of several instructions each: far more than what the order of a run changes. */
    private static final long WAIT = 300;

    private static final CheckOptions OPTIONS = new CheckOptions(50_000_000, (_, _, _, _) -> {});

    private static final String TRITON = """
            name: triton
            problem: {a: f16, b: f16, d: f16}
            kernel: matmul.ptx
            launch:
              entry: matmul
              grid: ["ceildiv(m, 64)", "ceildiv(n, 64)"]
              block: 128
              dynamicShared: 8192
              parameters: [pointer: A, pointer: B, pointer: D, u32: m, u32: n, u32: k, nullPointer, nullPointer]
            """;

    private static FileVerdict check(String text, String entry, LaunchDescription launch) {
        Set<Rule> idioms =
                Arrays.stream(Rule.values()).filter(Rule::vendorIdiom).collect(Collectors.toSet());
        ProofPlan plan = new ProofPlan(SMS, 1, 1, idioms);
        return KernelFile.of("kernel.ptx", text, "launch", launch, Optional.of(entry), plan)
                .check(OPTIONS)
                .verdict();
    }

    private static Effort right(FileVerdict verdict) {
        return switch (verdict) {
            case FileVerdict.Proved proved -> proved.effort();
            case FileVerdict.Shallow shallow -> shallow.effort();
            case FileVerdict.Hazardous _, FileVerdict.Wrong _, FileVerdict.Unsupported _ ->
                throw new AssertionError(verdict.toString());
        };
    }

    private static void proves(String text, String entry, LaunchDescription launch) {
        String delayed = DelayedText.of(text, entry);
        String zero = DelayedText.VARIABLE + " = 0;";
        assertThat(delayed).contains(zero);
        long without = right(check(delayed, entry, launch)).instructions();
        long with = right(check(delayed.replace(zero, DelayedText.VARIABLE + " = " + WAIT + ";"), entry, launch))
                .instructions();
        assertThat(with - without).as("warps wait").isGreaterThan(WAIT / 2);
    }

    private static void proves(Bundle bundle, Config config, ProblemShape shape) {
        Problem problem = bundle.problem().of(shape, 1);
        BundleKernel.Text kernel = (BundleKernel.Text) bundle.kernel(config);
        proves(kernel.ptx(), kernel.entry(), bundle.launch(problem, SMS, config));
    }

    @ParameterizedTest
    @CsvSource({"sm90-gemm", "sm100-gemm"})
    void oursDo(String family) {
        Problem problem = Problem.of(new ProblemShape(200, 136, 136), DataType.BF16);
        DeviceLimits limits = DeviceLimits.of(SMS);
        var known = GemmFamilies.standard().named(family);
        Config config = SpaceTree.of(known.space().space(problem, limits).usual(Map.of()))
                .representatives(List.of())
                .getFirst();
        GemmKernel kernel = known.build(config, false);
        var entry = kernel.module().entries().getFirst();
        proves(
                kernel.text(),
                entry.name(),
                DescribedLaunch.of(problem, kernel.launch(problem, limits, config), entry.params()));
    }

    @Test
    void theExamplesDo() throws IOException {
        Path examples = ROOT.resolve("docs/examples/bundles");
        proves(
                Bundle.read(BundleFiles.read(examples.resolve("cuda-gemm"))),
                Config.of(Map.of("TILE", ParameterValue.of(32), "STEP", ParameterValue.of(16))),
                new ProblemShape(70, 45, 50));
        proves(
                Bundle.read(BundleFiles.read(examples.resolve("ptx-bias-relu"))),
                Config.of(Map.of("tile", ParameterValue.of(8))),
                new ProblemShape(20, 30, 17));
    }

    @Test
    void whatTritonWroteDoes() throws IOException {
        Path cache = ROOT.resolve("harness-worker/cli/src/test/resources/triton-cache/JMHPXPVE2XUD/matmul.ptx");
        Bundle bundle = Bundle.read(BundleFiles.of(Map.of(
                BundleFiles.DESCRIPTION,
                TRITON.getBytes(StandardCharsets.UTF_8),
                "matmul.ptx",
                Files.readAllBytes(cache))));
        proves(bundle, Config.of(Map.of()), new ProblemShape(130, 70, 72));
    }
}
