package dev.tilewright.launch.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema in {@code docs/} and the reader say the same. */
class BundleSchemaTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Config CONFIG = Config.parse("tile=32 stages=3 order=alongM");

    private Schema schema;

    @BeforeEach
    void load() throws IOException {
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(DOCS.resolve("bundle.schema.json")));
    }

    private List<Error> errors(String yaml) {
        return schema.validate(yaml, InputFormat.YAML);
    }

    private static void launch(String yaml) {
        Bundle bundle = BundleTest.read(yaml);
        bundle.kernel(CONFIG);
        bundle.launch(bundle.problem().of(new ProblemShape(45, 70, 72), 3), 132, CONFIG);
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> folders = Files.list(DOCS.resolve("examples/bundles"))) {
            return folders.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void acceptsTheExamples(Path example) throws IOException {
        assertThat(errors(Files.readString(example.resolve("kernel.yaml")))).isEmpty();
        assertThat(Bundle.read(BundleFiles.read(example)).points()).isGreaterThan(1);
    }

    @Test
    void acceptsEverythingThereIs() {
        assertThat(errors(BundleTest.WHOLE)).isEmpty();
        launch(BundleTest.WHOLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: my-gemm -> name: My Gemm",
                "a: f16 -> a: f17",
                "major: n -> major: m",
                "batched: true -> batched: perhaps",
                "that: m * n < 1000000, -> ",
                "id: fits -> id: 1st",
                "alpha=0.5 -> alpha=half",
                ",bias, -> ,bias-k,",
                ",bias, -> ,",
                ",beta=2 -> ",
                ",gelu-erf -> ,swish",
                "steps: \" -> step: \"",
                "c: f32, bias -> c: f33, bias",
                "c: f32, bias -> beta: f32, bias",
                "tile: [16, 32] -> tile: []",
                "tile: [16, 32] -> tile: [32, 32]",
                "tile: [16, 32] -> tile: [32, 1.5]",
                "{template: -> {file: x, template:",
                "block: tile * 8 -> blok: tile * 8",
                "block: tile * 8 -> block: 0",
                "dtype: u32 -> dtyp: u32",
                "init: zeros -> init: zeors",
                "box: [tile, -> box: [257,",
                "- u32: tilesM -> - u33: tilesM",
                "size: 16, -> ",
                "- unchanged: COUNTER -> - same: COUNTER",
                "- unchanged: COUNTER -> - gemm: {a: A, b: B, d: D}",
                "let: -> lets:"
            })
    void refusesWhatTheReaderRefuses(String change) {
        String[] parts = change.split(" -> ?", -1);
        assertThat(BundleTest.WHOLE).contains(parts[0]);
        String damaged = BundleTest.WHOLE.replaceFirst(java.util.regex.Pattern.quote(parts[0]), parts[1]);
        assertThat(errors(damaged)).as(change).isNotEmpty();
        assertThatThrownBy(() -> launch(damaged)).as(change).isInstanceOf(BundleException.class);
    }
}
