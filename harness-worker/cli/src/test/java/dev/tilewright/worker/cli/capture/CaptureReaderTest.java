package dev.tilewright.worker.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The reader, and that {@code docs/capture.schema.json} says the same. */
class CaptureReaderTest {

    static final Path EXAMPLE = Path.of("..", "..", "docs", "examples", "capture", "llama");

    /** Of an H200, made for this test: nothing in it was measured. */
    static final String PROFILED = """
            {"schemaVersion": 1, "program": ["python", "x.py"], "end": "exception: ValueError", "seconds": 12.5,
             "observedSeconds": 6.25, "versions": {"torch": "2.11.0"},
             "device": {"name": "NVIDIA H200", "capability": "9.0", "sms": 132, "count": 1},
             "gpu": {"profiledSeconds": 0.5, "busySeconds": 0.4, "gemmShare": 0.8, "unattributedShare": 0.05},
             "problems": [
              {"n": 4096, "k": 14336, "batch": 1, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "bias",
               "scales": "tensor", "aligned": true, "ops": ["addmm"], "behind": {"silu": 3},
               "rows": [{"m": 16, "calls": 7, "replays": 9, "timeShare": 0.3, "us": 60.5},
                        {"m": 2048, "calls": 7, "replays": 0, "timeShare": 0.2, "us": 100.0},
                        {"m": 77, "calls": 1, "replays": 0}]},
              {"n": 512, "k": 264, "batch": 1, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "",
               "scales": "tensor", "aligned": true, "ops": ["_grouped_mm"], "why": "not replaceable: sizes on the device",
               "rows": [{"m": 96, "calls": 4, "replays": 0, "timeShare": 0.2, "us": 7.5}]}]}
            """;

    @TempDir
    private Path folder;

    private static List<?> schemaErrors(String json) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("..", "..", "docs", "capture.schema.json")))
                .validate(json, InputFormat.JSON);
    }

    @Test
    void readsTheExampleAndWhatIsProfiled() throws IOException {
        assertThat(schemaErrors(Files.readString(EXAMPLE.resolve("capture.json"))))
                .isEmpty();
        CaptureFile example = CaptureReader.read("--from", EXAMPLE);
        assertThat(example.gpu()).isEmpty();
        assertThat(new CaptureSummary(example).line()).endsWith("GPU time was not profiled");

        assertThat(schemaErrors(PROFILED)).isEmpty();
        CaptureFile file = CaptureReader.read("--from", Files.writeString(folder.resolve("x.json"), PROFILED));
        assertThat(file.device()).contains("NVIDIA H200");
        assertThat(file.problems())
                .extracting(CapturedProblem::said)
                .containsExactly("bf16,bf16,bf16 + bias", "bf16,bf16,bf16");
        // 0.5 of 0.8 is of problems with kernels of ours.
        assertThat(new CaptureSummary(file).line())
                .isEqualTo("4 problems in 28 calls, counted in 6.3 s of 12.5 s,"
                        + " GEMMs are 80.0 % of GPU time, 62.5 % of that can be replaced");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/problems/0/n              | 0        | /problems/0/n: must be an integer of 1..2147483647, got 0",
                "/problems/0/types          | 'b16,b16,b16' | /problems/0/types: unknown data type 'b16'",
                "/problems/0/scales         | 'row'    | /problems/0/scales: scales = row: only inputs of 8 bits",
                "/problems/0/major          | 'n,k'    | /problems/0/major: major.a must be k or m",
                "/problems/0/epilogue       | 'tanh'   | /problems/0/epilogue: unknown step 'tanh'",
                "/problems/0/rows/1/calls   | -1       | /problems/0/rows/1/calls: must be an integer of 0..",
                "/problems/0/rows/1/timeShare | 1.5    | /problems/0/rows/1/timeShare: must be from 0 to 1, got 1.5",
                "/problems/1/rows           | []       | /problems/1/rows: needs at least one row",
                "/problems/1/aligned        | 'yes'    | /problems/1/aligned: must be true or false, got 'yes'",
                "/problems/1/weight         | 3        | /problems/1/weight: unknown key 'weight'; known: n, k,",
                "/schemaVersion             | 2        | /schemaVersion: must be an integer of 1..1, got 2",
                "/end                       | 'died'   | /end: must match",
                "/gpu/gemmShare             | 2        | /gpu/gemmShare: must be from 0 to 1, got 2",
                "/device/sms                | 'many'   | /device/sms: must be an integer of 1..65536, got 'many'",
                "/notProfiled               | 'no'     | the document: needs exactly one of the keys 'gpu' and 'notProfiled'",
            })
    void aWrongFieldIsRefusedWithItsPointer(String pointer, String value, String message) throws IOException {
        ObjectNode document = (ObjectNode) Json.mapper().readTree(PROFILED);
        int last = pointer.lastIndexOf('/');
        JsonNode to = last == 0 ? document : document.at(pointer.substring(0, last));
        ((ObjectNode) to).set(pointer.substring(last + 1), Json.mapper().readTree(value.replace('\'', '"')));
        Path file =
                Files.writeString(folder.resolve("capture.json"), Json.pretty().writeValueAsString(document));

        CommandFailedException refused =
                catchThrowableOfType(CommandFailedException.class, () -> CaptureReader.read("--from", folder));

        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.getMessage())
                .startsWith("--from: " + file + ": " + message)
                .contains("(line ");
        assertThat(refused.details()).isEmpty();
    }

    @Test
    void whatIsNoRecordingIsRefused() throws IOException {
        assertThat(catchThrowableOfType(
                        CommandFailedException.class, () -> CaptureReader.read("--from", folder.resolve("none"))))
                .hasMessageContaining("none: cannot be read");
        Files.writeString(folder.resolve("capture.json"), "{]");
        assertThat(catchThrowableOfType(CommandFailedException.class, () -> CaptureReader.read("--from", folder)))
                .hasMessageContaining("is no JSON from here on");
    }
}
