package dev.tilewright.launch.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Expectation.ScaleBuffers;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scales of a bundle: what lies where, and what is refused. */
class BundleScalesTest {

    private static final String PLAIN = """
        name: scaled
        problem: {a: e4m3, b: e5m2, d: bf16, scales: %s}
        kernel: gemm-16.ptx
        launch: {grid: 1, block: 32, parameters: [pointer: SCALE_A, pointer: SCALE_B]}
        """;

    private static LaunchDescription launch(String yaml, ProblemShape shape, int batch) {
        Bundle bundle = BundleTest.read(yaml);
        return bundle.launch(bundle.problem().of(shape, batch), 132, Config.of(Map.of()));
    }

    private static Expectation.Gemm gemm(LaunchDescription launch) {
        return (Expectation.Gemm) launch.expected().getFirst();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        row                                             | f32[70] log-uniform | f32[300] log-uniform | m | n
        {a: {rows: 1}, b: {rows: 1}}                    | f32[70] log-uniform | f32[300] log-uniform | m | n
        block                                           | f32[5, 70] row stride 72 log-uniform | f32[3, 5] row stride 8 log-uniform | m | k
        {a: {rows: 1, k: 128}, b: {rows: 128, k: 128}}  | f32[5, 70] row stride 72 log-uniform | f32[3, 5] row stride 8 log-uniform | m | k
        {a: {rows: 1, k: 128, pitchMultiple: 1}, b: {rows: 128, k: 128, pitchMultiple: 1}} | f32[5, 70] log-uniform | f32[3, 5] log-uniform | m | k
        {a: {rows: 1, k: 128, major: k}, b: {rows: 128, k: 128, major: n, pitchMultiple: 2}} | f32[70, 5] row stride 8 log-uniform | f32[5, 3] row stride 4 log-uniform | k | n
        """)
    void lieAsTheBundleSays(String scales, String a, String b, String majorA, String majorB) {
        LaunchDescription launch = launch(PLAIN.formatted(scales), new ProblemShape(70, 300, 600), 1);
        assertThat(launch.buffer("SCALE_A").toString()).startsWith("SCALE_A " + a);
        assertThat(launch.buffer("SCALE_B").toString()).startsWith("SCALE_B " + b);
        Scales kind = scales.contains("128") || scales.equals("block") ? Scales.BLOCK : Scales.ROW;
        assertThat(gemm(launch).scales())
                .contains(new ScaleBuffers(kind, "SCALE_A", "SCALE_B", Major.parse(majorA), Major.parse(majorB)));
        assertThat(launch.expected())
                .contains(new Expectation.Unchanged("SCALE_A"), new Expectation.Unchanged("SCALE_B"));
        assertThat(LaunchReader.described(LaunchWriter.json(launch))).isEqualTo(launch);
    }

    @ParameterizedTest
    @CsvSource({"row, 1", "row, 3", "block, 1", "block, 3"})
    void eachMatrixOfABatchHasItsOwn(String scales, int batch) {
        String yaml = PLAIN.formatted(scales + ", batched: true");
        assertThat(launch(yaml, new ProblemShape(5, 7, 9), batch)
                        .buffer("SCALE_A")
                        .shape())
                .startsWith((long) batch)
                .endsWith(5L);
    }

    @Test
    void aBundleTakesItsScalesAlone() {
        Bundle bundle = BundleTest.read(PLAIN.formatted("block"));
        Problem asked = bundle.problem().of(new ProblemShape(5, 7, 300), 1);
        assertThat(asked.scales()).isEqualTo(Scales.BLOCK);
        assertThat(bundle.problem().refusal(asked)).isEmpty();
        assertThat(bundle.problem().refusal(asked.with(Scales.ROW))).hasValue("takes scales = block, got scales = row");
        Bundle without = BundleTest.read(PLAIN.formatted("tensor"));
        assertThat(without.problem().refusal(asked)).hasValue("takes scales = tensor, got scales = block");
        assertThatThrownBy(() -> without.launch(asked.with(Scales.TENSOR), 132, Config.of(Map.of())))
                .hasMessageContaining("launch.parameters[0].pointer: must be a buffer of [A, B, D], got 'SCALE_A'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        column | problem.scales: unknown scales 'column'; known: tensor, row, block
        {a: {rows: 1, k: 128}} | problem.scales: needs the key 'b'
        {a: {rows: 1, k: 64}, b: {rows: 128, k: 128}} | problem.scales.a: the elements of A that share a scale must be {rows: 1} or {rows: 1, k: 128}, got {rows: 1, k: 64}
        {a: {rows: 128, k: 128}, b: {rows: 1, k: 128}} | problem.scales.a: the elements of A that share a scale must be {rows: 1} or {rows: 1, k: 128}, got {rows: 128, k: 128}
        {a: {rows: 1}, b: {rows: 128, k: 128}} | problem.scales.b: must be {rows: 1} beside a: {rows: 1}, got {rows: 128, k: 128}
        {a: {rows: 1, major: m}, b: {rows: 1}} | problem.scales.a.major: is of scales with 'k': those of rows are a vector, got 'm'
        {a: {rows: 1, k: 128, major: n}, b: {rows: 128, k: 128}} | problem.scales.a.major: must be one of [m, k], got 'n'
        {a: {rows: 1, k: 128, pitchMultiple: 0}, b: {rows: 128, k: 128}} | problem.scales.a.pitchMultiple: must be an integer of 1..1024, got 0
        {a: {rows: 1, k: 128, pitch: 4}, b: {rows: 128, k: 128}} | unknown key 'pitch'; known: rows, k, major, pitchMultiple
        """)
    void refusesOthers(String scales, String message) throws IOException {
        String yaml = PLAIN.formatted(scales);
        assertThatThrownBy(() -> BundleTest.read(yaml))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining(message.strip());
        assertThat(isValid(yaml)).as(scales).isFalse();
    }

    @Test
    void onlyInputsOf8BitsHaveAny() {
        assertThatThrownBy(() -> BundleTest.read(PLAIN.formatted("row").replace("a: e4m3", "a: bf16")))
                .hasMessageContaining("problem.scales: scales = row: only inputs of 8 bits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        row
        {a: {rows: 1}, b: {rows: 1}}
        {a: {rows: 1, k: 128, major: k}, b: {rows: 128, k: 128, major: n, pitchMultiple: 1}}
        """)
    void theSchemaTakesThem(String scales) throws IOException {
        assertThat(isValid(PLAIN.formatted(scales))).isTrue();
    }

    private static boolean isValid(String yaml) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("..", "..", "docs", "bundle.schema.json")))
                .validate(yaml, InputFormat.YAML)
                .isEmpty();
    }
}
