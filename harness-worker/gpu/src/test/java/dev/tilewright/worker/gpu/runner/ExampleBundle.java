package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.ProblemShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The bundles of the documentation, as they are or with something else in them. */
final class ExampleBundle {

    private static final Path EXAMPLES = Path.of("../../docs/examples/bundles");

    private ExampleBundle() {}

    static BundleFiles files(String name) throws IOException {
        return BundleFiles.read(EXAMPLES.resolve(name));
    }

    /** @param replaced parts of its only text, each before what stands there instead */
    static Bundle read(String name, String... replaced) throws IOException {
        Map<String, byte[]> files = new HashMap<>(files(name).contents());
        for (int i = 0; i < replaced.length; i += 2) {
            String text = new String(files.get("gemm.ptx"), StandardCharsets.UTF_8);
            assertThat(text).contains(replaced[i]);
            files.put("gemm.ptx", text.replace(replaced[i], replaced[i + 1]).getBytes(StandardCharsets.UTF_8));
        }
        return Bundle.read(BundleFiles.of(files));
    }

    /** The one in CUDA C++ with a helper that prints its struct as bytes; what it prints for a problem is recorded. */
    static Bundle recorded(ProblemShape shape, int sms) throws IOException {
        Map<String, byte[]> files = new HashMap<>(files("cuda-gemm").contents());
        String yaml = files("cuda-gemm").text(BundleFiles.DESCRIPTION);
        String described =
                yaml.substring(0, yaml.indexOf("  grid:")).replace("launch:", "helper: params\nlaunch:\n  block: 256");
        files.put(BundleFiles.DESCRIPTION, described.getBytes(StandardCharsets.UTF_8));
        files.put("params", new byte[] {1});
        Bundle bundle = Bundle.read(BundleFiles.of(files));
        String extents = HexFormat.of()
                .formatHex(ByteBuffer.allocate(12)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(shape.m())
                        .putInt(shape.n())
                        .putInt(shape.k())
                        .array());
        return bundle.recorded(
                List.of(bundle.problem().of(shape, 1)), List.of(sms), _ -> """
                    grid: %d
                    parameters: [{pointer: A}, {pointer: B}, {pointer: D}, {bytes: "%s"}]
                    """.formatted(2 * sms, extents));
    }
}
