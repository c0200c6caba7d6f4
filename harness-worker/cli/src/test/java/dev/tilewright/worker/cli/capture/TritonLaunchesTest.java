package dev.tilewright.worker.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code capture} of kernels of Triton, with stand-ins for PyTorch and Triton that have the same hooks. */
@Timeout(60)
class TritonLaunchesTest {

    /** Two kernels; the grid of one is a function, that of the other a tuple. */
    private static final String KERNELS = """
            import os, signal, sys, time
            import torch, triton
            import triton.language as tl

            def t(*shape):
                return torch.empty(shape, torch.float16, "cuda")

            @triton.jit
            def scale(x_ptr, out_ptr, count, factor, step, mask_ptr, BLOCK: tl.constexpr, KIND: tl.constexpr = "sum"):
                pass

            asked = []
            def grid(meta):
                asked.append(meta["BLOCK"])
                return (triton.cdiv(meta["count"], meta["BLOCK"]),)
            """;

    private static final String LAUNCH = "scale[grid](t(%s), t(%s), %s, 0.5, 1, None, BLOCK=128, num_warps=8)\n";
    private static final String LAUNCHES =
            LAUNCH.replace("%s", "1000").repeat(3) + LAUNCH.replace("%s", "500") + "assert asked == [128] * 4, asked\n";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();

    private int captured(String text) throws IOException {
        Path program = Files.writeString(folder.resolve("program.py"), text);
        Path standIn = CaptureReaderTest.EXAMPLE.resolveSibling("stand-in").toAbsolutePath();
        CommandLine capture = new CommandLine(new CaptureCommand(
                        Map.of("PYTHONPATH", standIn.normalize().toString()),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        new PrintStream(notices, true, StandardCharsets.UTF_8)))
                .setStopAtPositional(true);
        return RootCommand.commandLine(Map.of(), capture)
                .execute(
                        "capture",
                        "--to",
                        folder.resolve("out").toString(),
                        "--",
                        Python.program(),
                        program.toString());
    }

    private String said() {
        return notices.toString(StandardCharsets.UTF_8).strip();
    }

    private ObjectNode file() throws IOException {
        return (ObjectNode) Json.mapper().readTree(folder.resolve("out").resolve("triton.json"));
    }

    private ObjectNode kernel() throws IOException {
        return (ObjectNode) file().at("/kernels/0");
    }

    @Test
    void aLaunchIsKeptWithItsGridAndItsArguments() throws IOException {
        assertThat(captured(KERNELS + LAUNCHES)).as(said()).isZero();

        assertThat(said())
                .endsWith("; 1 Triton kernel in 4 launches; "
                        + folder.resolve("out").resolve("triton.json"));
        ObjectNode kernel = kernel();
        assertThat(kernel.remove("hash").asString()).matches("[0-9a-f]{64}");
        assertThat((JsonNode) kernel).isEqualTo(Json.mapper().readTree("""
                        {"name": "scale", "warps": 8, "stages": 3, "ctas": 1, "shared": 0,
                         "constexprs": {"BLOCK": 128, "KIND": "sum"}, "specialised": {"step": 1, "mask_ptr": null},
                         "arguments": [{"name": "x_ptr", "type": "*fp16"}, {"name": "out_ptr", "type": "*fp16"},
                          {"name": "count", "type": "i32"}, {"name": "factor", "type": "fp32"}],
                         "launches": [
                          {"grid": [8], "count": 3, "values": [{"shape": [1000], "strides": [1]},
                           {"shape": [1000], "strides": [1]}, 1000, 0.5]},
                          {"grid": [4], "count": 1, "values": [{"shape": [500], "strides": [1]},
                           {"shape": [500], "strides": [1]}, 500, 0.5]}]}
                        """));
        assertThat(file().at("/versions/triton").asString()).startsWith("stand-in");
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(Files.readString(Path.of("..", "..", "docs", "triton.schema.json")))
                        .validate(file().toString(), InputFormat.JSON))
                .isEmpty();
    }

    /** Triton 3.2 names its constants, and their types are those of the values. */
    @Test
    void namedConstantsMeanTheSame() throws IOException {
        assertThat(captured(KERNELS + """
                import types
                triton.runtime.jit.ASTSource = lambda signature, constants: types.SimpleNamespace(
                    signature={name: kind for name, kind in signature.items() if name not in ("BLOCK", "KIND")},
                    constants=constants)
                """ + LAUNCHES)).isZero();
        assertThat(kernel().get("specialised").toString()).isEqualTo("{\"step\":1,\"mask_ptr\":null}");
        assertThat(kernel().get("arguments").toString())
                .startsWith("[{\"name\":\"x_ptr\",\"type\":\"*fp16\"}")
                .hasSizeLessThan(160);
    }

    /** Whatever tries the configs of an autotuner is not what the program computes. */
    @Test
    void trialsOfAnAutotunerAreNoLaunches() throws IOException {
        assertThat(captured(KERNELS + """
                tuned = triton.autotune([triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((128, 4), (256, 8))],
                    ["count"])(scale)
                for _ in range(5):
                    tuned[grid](t(1000), t(1000), 1000, 0.5, 1, None)
                """)).isZero();
        ObjectNode file = file();
        assertThat(file.at("/kernels/0/launches/0/count").asInt()).isEqualTo(5);
        assertThat(file.at("/kernels/0/launches/0/trials").asInt()).isEqualTo(1);
        assertThat(file.at("/kernels/1/launches/0/count").asInt()).isZero();
        assertThat(file.at("/kernels/1/launches/0/trials").asInt()).isEqualTo(1);
        assertThat(file.get("autotuned").toString())
                .isEqualTo("[{\"name\":\"scale\",\"configs\":["
                        + "{\"constexprs\":{\"BLOCK\":128},\"warps\":4,\"stages\":3,\"ctas\":1},"
                        + "{\"constexprs\":{\"BLOCK\":256},\"warps\":8,\"stages\":3,\"ctas\":1}]}]");
        assertThat(LaunchesFile.read("--from", folder.resolve("out")).configs()).containsEntry("scale", 2);
    }

    @Test
    void whatWasSeenIsKeptHoweverTheProgramEnds() throws IOException {
        assertThat(captured(KERNELS + LAUNCHES + "raise ValueError('no')")).isEqualTo(1);
        assertThat(file().get("end").asString()).isEqualTo("exception: ValueError");
        assertThat(captured(KERNELS + LAUNCHES + "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(50)"))
                .isEqualTo(128 + 15);
        assertThat(file().get("end").asString()).isEqualTo("SIGTERM");
        assertThat(kernel().at("/launches/0/count").asInt()).isEqualTo(3);

        assertThat(captured("import torch")).isZero();
        assertThat(folder.resolve("out/triton.json"))
                .as("of an earlier recording")
                .doesNotExist();
    }

    /** What cannot be described is named, faults of a launch are the program's, and one without a fault goes on. */
    @Test
    void aFaultOfTheRecordingIsNotOneOfTheProgram() throws IOException {
        assertThat(captured(KERNELS + """
                class Odd(torch.Tensor):
                    def stride(self):
                        raise RuntimeError("has none")
                scale[(4,)](Odd((8,), torch.float16), t(8), 8, float("inf"), 1, None, BLOCK=128)
                scale[(5,)](t(8), t(8), 8, float("inf"), 1, None, BLOCK=128)
                try:
                    scale[lambda meta: meta["none"]](t(8), t(8), 8, 0.5, 1, None, BLOCK=128)
                except KeyError:
                    sys.exit(5)
                """)).isEqualTo(5);
        assertThat(file().at("/faults/scale").asString()).isEqualTo("RuntimeError: has none");
        assertThat(kernel().at("/launches").toString())
                .contains("{\"grid\":[5],\"count\":1,", ",8,\"inf\"]")
                .doesNotContain("[4]");

        assertThat(captured("""
                import torch, tilewright_capture, sys
                before = len(sys.meta_path)
                tilewright_capture._running.pop().finish("finished")
                assert len(sys.meta_path) == before - 2, "nobody waits for Triton any more"
                """)).isZero();
        assertThat(captured("import torch, triton.runtime.jit\ndel triton.runtime.jit.JITFunction.run\n"))
                .as("a hook that is gone again")
                .isZero();
        assertThat(captured("import sys, types\nsys.modules['triton.runtime.jit'] = types.ModuleType('x')\n"
                        + "import torch\ntorch.mm(torch.empty((2, 3)), torch.empty((3, 2)))\n"))
                .isZero();
    }

    /** A pause keeps counts low, and hides no variant; kept are as many launches as a reader takes. */
    @Test
    void aPauseHidesNoVariantAndAPartOfTheProgramIsEnough() throws IOException {
        assertThat(captured(KERNELS + """
                import tilewright_capture
                with tilewright_capture.recording("unused") as recorder:
                    recorder.launches.counting = False
                    recorder.pace.now = lambda *_: False
                    for count in (1000, 1000, 500):
                        scale[grid](t(count), t(count), count, 0.5, 1, None, BLOCK=128)
                    recorder.launches.counting = True
                    recorder.pace.now = lambda *_: True
                    for i in range(10):
                        scale[(i + 2,)](t(8), t(8), 8, 0.5, 1, None, BLOCK=256)
                recorder.finish("finished")
                assert triton.JITFunction.run.__qualname__ == "JITFunction.run"
                scale[(1,)](t(8), t(8), 8, 0.5, 1, None, BLOCK=512)
                """)).as(said()).isZero();
        assertThat(file().at("/kernels")).hasSize(2);
        assertThat(file().at("/kernels/0/launches")).hasSize(1);
        assertThat(file().at("/kernels/0/launches/0/count").asInt()).isEqualTo(1);
        assertThat(file().at("/kernels/1/launches")).hasSize(8);
        assertThat(file().at("/kernels/1/more").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/kernels/0/warps      | 0     | /kernels/0/warps: must be an integer of 1..64, got 0",
                "/kernels/0/launches   | []    | /kernels/0/launches: needs at least one launch",
                "/kernels/0/launches/0/grid   | [] | /kernels/0/launches/0/grid: must have 1 to 3 extents, got 0",
                "/kernels/0/launches/0/values | [1] | /kernels/0/launches/0/values: must have 4 values, one for each",
                "/kernels/0/launches/0/count  | -1 | /kernels/0/launches/0/count: must be an integer of 0..",
                "/kernels/0/constexprs/BLOCK  | [] | /kernels/0/constexprs/BLOCK: must be a number, a word, true,",
                "/kernels/0/colour     | 1     | /kernels/0/colour: unknown key 'colour'",
                "/schemaVersion        | 2     | /schemaVersion: must be an integer of 1..1, got 2",
            })
    void aWrongFieldIsRefusedWithItsPointer(String pointer, String value, String message) throws IOException {
        ObjectNode document = (ObjectNode) Json.mapper().readTree("""
                {"schemaVersion": 1, "program": ["x"], "end": "finished", "versions": {}, "kernels": [
                 {"name": "scale", "hash": "12", "warps": 8, "stages": 3, "ctas": 1, "shared": 0,
                  "constexprs": {"BLOCK": 128}, "specialised": {},
                  "arguments": [{"name": "a", "type": "i32"}, {"name": "b", "type": "i32"},
                   {"name": "c", "type": "i32"}, {"name": "d", "type": "*fp16"}],
                  "launches": [{"grid": [8], "count": 3, "values": [1, 2, 3, {"shape": [2], "strides": [1]}]}]}]}
                """);
        int last = pointer.lastIndexOf('/');
        JsonNode to = last == 0 ? document : document.at(pointer.substring(0, last));
        ((ObjectNode) to).set(pointer.substring(last + 1), Json.mapper().readTree(value));
        Path file = Files.writeString(folder.resolve("triton.json"), document.toString());

        assertThat(catchThrowableOfType(CommandFailedException.class, () -> LaunchesFile.read("--from", folder)))
                .hasMessageStartingWith("--from: " + file + ": " + message);
    }
}
