package dev.tilewright.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.launch.reader.LaunchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparerTest {
    private static final int M = 5;
    private static final int N = 3;
    private static final int K = 7;

    @TempDir
    private Path directory;

    private LaunchDescription read(String buffers, String expect) throws IOException {
        Path file = directory.resolve("launch.yaml");
        Files.writeString(file, "grid: 1\nblock: 1\nbuffers: {" + buffers + "}\nexpect: [" + expect + "]\n");
        return LaunchReader.read(file);
    }

    private static Map<String, byte[]> before(LaunchDescription launch) {
        Map<String, byte[]> contents = new HashMap<>();
        launch.buffers().forEach(buffer -> contents.put(buffer.name(), Contents.of(buffer, 1)));
        return contents;
    }

    private static double get(LaunchDescription launch, Map<String, byte[]> bytes, String name, int row, int column) {
        BufferDescription buffer = launch.buffer(name);
        return buffer.type().decode(Elements.get(bytes.get(name), buffer.offset(row, column), buffer.type()));
    }

    private static void put(LaunchDescription launch, Map<String, byte[]> bytes, int row, int column, double value) {
        BufferDescription buffer = launch.buffer("D");
        byte[] copy = bytes.get("D").clone();
        Elements.put(
                copy, buffer.offset(row, column), buffer.type(), buffer.type().encode(value));
        bytes.put("D", copy);
    }

    /** Every layout, with a product computed here the plain way. */
    @ParameterizedTest
    @CsvSource({
        "MK, NK, MN, f32, bf16, exact", "KM, NK, MN, f32, f16, exact", "MK, KN, NM, bf16, bf16, exact",
        "KM, KN, NM, s32, s8, exact", "MK, NK, MN, f16, e4m3, bound", "KM, NK, NM, f32, tf32, bound",
        "MK, KN, MN, f64, f64, bound", "MK, NK, MN, u32, u8, exact", "MK, NK, NM, e5m2, e5m2, bound"
    })
    void everyLayout(String a, String b, String d, String type, String input, String tolerance) throws IOException {
        String random = input.startsWith("u") ? "{integers: {low: 0}}" : "integers";
        LaunchDescription launch = read(
                "A: {dtype: " + input + ", shape: " + shape(a) + ", init: " + random + "}, B: {dtype: " + input
                        + ", shape: " + shape(b) + ", rowStride: 11, init: " + random + "}, D: {dtype: " + type
                        + ", shape: " + shape(d) + ", rowStride: 8}",
                "gemm: {a: {buffer: A, layout: " + a + "}, b: {buffer: B, layout: " + b + "}, d: {buffer: D, layout: "
                        + d + "}, tolerance: " + tolerance + "}");
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        for (int m = 0; m < M; m++) {
            for (int n = 0; n < N; n++) {
                double sum = 0;
                for (int k = 0; k < K; k++) {
                    double x = a.equals("MK") ? get(launch, before, "A", m, k) : get(launch, before, "A", k, m);
                    double y = b.equals("NK") ? get(launch, before, "B", n, k) : get(launch, before, "B", k, n);
                    sum += x * y;
                }
                put(launch, after, d.equals("MN") ? m : n, d.equals("MN") ? n : m, sum);
            }
        }
        Compared compared = new Comparer(launch, before, after).run();
        assertThat(compared.mismatch()).isEmpty();
        boolean rows = d.equals("MN");
        int gaps =
                (rows ? M * (8 - N) : N * (8 - M)) * launch.buffer("D").type().bytes();
        assertThat(compared.elements()).isEqualTo(M * N + gaps);
        put(launch, after, rows ? 4 : 2, rows ? 2 : 4, 100);
        Compared wrong = new Comparer(launch, before, after).run();
        assertThat(wrong.mismatch()).hasValueSatisfying(mismatch -> {
            assertThat(mismatch.wrong()).isEqualTo(1);
            assertThat(mismatch.first().getFirst().index()).isEqualTo(rows ? "[4, 2]" : "[2, 4]");
            assertThat(mismatch.worstRatio()).isGreaterThan(1);
        });
    }

    private static String shape(String layout) {
        return "["
                + layout.replace("M", M + "~")
                        .replace("N", N + "~")
                        .replace("K", K + "~")
                        .replaceFirst("~", ", ")
                        .replace("~", "")
                + "]";
    }

    @Test
    void alphaBetaAndBatch() throws IOException {
        LaunchDescription launch = read(
                "A: {dtype: f32, shape: [2, 2, 2], init: {values: [1, 2, 3, 4, 5, 6, 7, 8]}}, "
                        + "B: {dtype: f32, shape: [2, 2], init: identity}, "
                        + "D: {dtype: f32, shape: [2, 2, 2], init: {iota: {start: 10, step: 10}}}",
                "gemm: {a: A, b: B, c: D, d: D, epilogue: \"alpha=2,beta=0.5\", tolerance: exact}");
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        for (int i = 0; i < 8; i++) {
            put(launch, after, i / 2, i % 2, 2 * (i + 1) + 0.5 * 10 * (i + 1));
        }
        assertThat(new Comparer(launch, before, after).run().mismatch()).isEmpty();
        put(launch, after, 3, 0, 49.5);
        assertThat(new Comparer(launch, before, after).run().mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.first())
                        .containsExactly(new Mismatch.Element("[1, 1, 0]", "49.5", "49.0", 0)));
    }

    @Test
    void anElementBeyondTheProblemMustStay() throws IOException {
        LaunchDescription launch = read(
                "A: {dtype: f32, shape: [2, 2], init: zeros}, B: {dtype: f32, shape: [2, 2], init: zeros}, "
                        + "D: {dtype: f32, shape: [3, 3], init: poison}",
                "gemm: {a: A, b: B, d: D, m: 2, n: 2}");
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        for (int i = 0; i < 4; i++) {
            put(launch, after, i / 2, i % 2, 0);
        }
        assertThat(new Comparer(launch, before, after).run().mismatch()).isEmpty();
        put(launch, after, 1, 2, 0);
        assertThat(new Comparer(launch, before, after).run().mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.first().getFirst())
                        .isEqualTo(new Mismatch.Element("byte 20, which is no element of D", "0x00", "0xff", 0)));
    }

    @Test
    void theBoundIsThatOfTheDesign() throws IOException {
        LaunchDescription launch = read(
                "A: {dtype: bf16, shape: [1, 64], init: {constant: 1}}, "
                        + "B: {dtype: bf16, shape: [1, 64], init: {constant: 1}}, D: {dtype: bf16, shape: [1, 1]}",
                "gemm: {a: A, b: B, d: D}");
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        put(launch, after, 0, 0, 64.5);
        // One unit in the last place of bf16 at 64 is 0.5, and so twice the rounding.
        double allowed = 0x1p-8 * 64 + 8 * 0x1p-24 * 64;
        Compared compared = new Comparer(launch, before, after).run();
        assertThat(compared.worstRatio()).isCloseTo(0.5 / allowed, within(1e-12));
        assertThat(compared.mismatch()).isPresent();
        put(launch, after, 0, 0, Double.NaN);
        assertThat(new Comparer(launch, before, after).run().worstRatio()).isInfinite();
    }

    @Test
    void contentsAndUnchanged() throws IOException {
        LaunchDescription launch = read(
                "D: {dtype: s64, shape: [2], init: {values: [9007199254740993, -1]}}, X: {dtype: u8, shape: 3, init: zeros}",
                "{values: {buffer: D, values: [9007199254740993, -1]}}, {unchanged: X}");
        Map<String, byte[]> before = before(launch);
        assertThat(new Comparer(launch, before, before).run())
                .isEqualTo(new Compared(5, 0, java.util.Optional.empty()));
        Map<String, byte[]> after = new HashMap<>(before);
        byte[] next = before.get("D").clone();
        next[0]--;
        after.put("D", next);
        assertThat(new Comparer(launch, before, after).run().mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.first())
                        .containsExactly(new Mismatch.Element("[0]", "9007199254740992", "9007199254740993", 0)));
        after.put("D", before.get("D"));
        after.put("X", new byte[] {0, 0, 7});
        assertThat(new Comparer(launch, before, after).run().mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.first())
                        .containsExactly(new Mismatch.Element("byte 2", "0x07", "0x00", 0)));
        LaunchDescription loose = read(
                "D: {dtype: f32, shape: [2], init: {values: [1, 10]}}",
                "values: {buffer: D, values: [1.1, 10.1], tolerance: {absolute: 0.05, relative: 0.01}}");
        Map<String, byte[]> bytes = before(loose);
        assertThat(new Comparer(loose, bytes, bytes).run().mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.first())
                        .extracting(Mismatch.Element::index)
                        .containsExactly("[0]"));
    }
}
