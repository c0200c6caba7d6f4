package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.bundle.BundleCheck;
import dev.tilewright.proof.bundle.BundleProof;
import dev.tilewright.proof.bundle.ShapeProof;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.space.device.DeviceLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Bundles whose kernel takes scales: one of ours, launched as a user would write it. */
class BundleScalesProofTest {

    private static final int SMS = 2;

    private static final String CONFIG = "clcThrottle=none clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0"
            + " loadStages=3 mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232"
            + " scheduler=static swizzle=128 tileK=128 tileLocation=raster tileM=128 tileN=64 typeA=e4m3 typeB=e4m3"
            + " waitDepth=0";

    private static final List<String> OF_PROBLEM = List.of("A", "B", "D", "SCALE_A", "SCALE_B");

    /** The kernel of a problem, and its launch without what a bundle knows by itself. */
    private static Bundle ours(Problem problem, String scales, String from, String to) {
        Config config = Config.parse(CONFIG).with("scales=" + problem.scales());
        GemmKernel kernel = new Sm90Gemm().build(config, false);
        LaunchDescription launch = DescribedLaunch.of(problem, kernel.launch(problem, DeviceLimits.of(SMS), config));
        ObjectNode written = (ObjectNode) JsonMapper.shared().readTree(LaunchWriter.json(launch));
        ((ObjectNode) written.get("buffers")).remove(OF_PROBLEM);
        ArrayNode expected = written.putArray("expect");
        launch.buffers().stream()
                .map(buffer -> buffer.name())
                .filter(name -> !OF_PROBLEM.contains(name))
                .forEach(name -> expected.addObject().put("unchanged", name));
        String parameters = written.toString();
        assertThat(parameters).contains(from);
        ProblemShape shape = problem.shape();
        String yaml = """
            name: ours
            problem:
              a: e4m3
              b: e4m3
              d: bf16
              scales: %s
              conditions: [m == %d, n == %d, k == %d]
            kernel: ours.ptx
            launch: %s
            """.formatted(scales, shape.m(), shape.n(), shape.k(), parameters.replace(from, to));
        return Bundle.read(BundleFiles.of(Map.of(
                BundleFiles.DESCRIPTION,
                yaml.getBytes(StandardCharsets.UTF_8),
                "ours.ptx",
                kernel.text().getBytes(StandardCharsets.UTF_8))));
    }

    /**
     * In 72x264x544 the pitches are 72 and 8, and there are 3 blocks of N and 5 of K. A single block of N may as well
     * lie along N.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', nullValues = "-", textBlock = """
        72x264x544 | block | block | - | - | right
        69x200x416 | block | block | - | - | right
        72x264x544 | block | {a: {rows: 1, k: 128}, b: {rows: 128, k: 128, pitchMultiple: 1}} | {"u32":8},{"u32":3} | {"u32":5},{"u32":3} | right
        72x264x544 | block | {a: {rows: 1, k: 128}, b: {rows: 128, k: 128, pitchMultiple: 1}} | - | - | wrong
        72x120x544 | block | {a: {rows: 1, k: 128}, b: {rows: 128, k: 128, major: n, pitchMultiple: 1}} | - | - | right
        72x264x544 | block | {a: {rows: 1, k: 128}, b: {rows: 128, k: 128, major: n}} | - | - | wrong
        72x264x544 | block | {a: {rows: 1, k: 128, major: k}, b: {rows: 128, k: 128}} | - | - | wrong
        72x264x544 | block | block | {"pointer":"SCALE_B"} | {"pointer":{"buffer":"SCALE_B","offset":4}} | wrong
        72x264x544 | block | block | {"buffer":"SCALE_A","offset":0,"dtype":"f32","dims":[72,5] | {"buffer":"SCALE_A","offset":288,"dtype":"f32","dims":[72,4] | wrong
        72x264x544 | row   | row   | - | - | right
        69x200x416 | row   | {a: {rows: 1}, b: {rows: 1}} | - | - | right
        72x264x544 | row   | row   | {"pointer":"SCALE_A"} | {"pointer":{"buffer":"SCALE_A","offset":4}} | wrong
        """)
    void scalesLieAsItSays(String shape, String kind, String scales, String from, String to, String verdict) {
        Problem problem = Problem.of(ProblemShape.parse(shape), DataType.E4M3).with(Scales.parse(kind));
        Bundle bundle = ours(problem, scales, from == null ? "" : from, to == null ? "" : to);

        Problem asked = bundle.problem().of(problem.shape(), 1);
        assertThat(asked).isEqualTo(problem);
        BundleProof proof = new BundleCheck(
                        bundle,
                        HelperProgram.Runner.NONE,
                        new ProofPlan(SMS, 1, 1),
                        new CheckOptions(50_000_000, (_, _, _, _) -> {}))
                .check(Config.of(Map.of()), List.of(asked));

        assertThat(proof.word())
                .as(proof.fault().map(ShapeProof::lines).toString())
                .isIn(
                        verdict.equals("right")
                                ? List.of(BundleProof.Word.PROVED, BundleProof.Word.SHALLOW)
                                : List.of(BundleProof.Word.MISMATCH, BundleProof.Word.HAZARD));
    }
}
