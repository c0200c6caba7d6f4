package dev.tilewright.worker.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.worker.cli.capture.CapturePlan.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tuned part of a recording. */
class CapturePlanTest {

    @TempDir
    private Path folder;

    private CaptureFile profiled(String from, String to) throws IOException {
        return CaptureReader.read(
                "--from", Files.writeString(folder.resolve("x.json"), CaptureReaderTest.PROFILED.replace(from, to)));
    }

    private static CapturePlan plan(CaptureFile file, Optional<GpuConstants> simulated) {
        return CapturePlan.of(
                file,
                0.01,
                simulated,
                (problem, gpu) -> OptionalDouble.of(problem.shape().m() == 16 ? 45.375 : 300));
    }

    /** 2048x4096x14336 in bf16 takes 243.07 us at the roofline of an H200. */
    @Test
    void whatRunsAtTheRooflineIsNotTuned() throws IOException {
        CapturePlan plan = plan(profiled("\"us\": 100.0", "\"us\": 249.0"), Optional.empty());

        assertThat(plan.tuned()).extracting(line -> line.row().m()).containsExactly(16);
        assertThat(plan.lines()).extracting(Line::share).containsExactly(0.3, 0.2, 0.2, 0.0);
        List<String> text = new PlanTable(plan).lines();
        assertThat(text.getFirst()).isEqualTo("shares of GPU time, profiled for 0.50 s");
        assertThat(text)
                .anySatisfy(line -> assertThat(line)
                        .contains("2048x4096x14336", "no: cannot gain: 243.07 us at the roofline, 249.00 us recorded"));
        assertThat(text).anySatisfy(line -> assertThat(line).contains("not replaceable: sizes on the device"));
        assertThat(text).anySatisfy(line -> assertThat(line).contains("77x4096x14336", "no: not in the trace"));
        assertThat(text.getLast())
                .isEqualTo("1 of 4 problems are tuned, 30.0 % of the time; the model expects to save 7.5 % of the time,"
                        + " the roofline allows 17.8 %");
    }

    /** On an H200 kernels won where the model knew none within 80 % of the recorded time. */
    @Test
    void theModelRefusesNothing() throws IOException {
        CapturePlan plan = plan(profiled("\"us\": 100.0", "\"us\": 251.0"), Optional.empty());

        assertThat(plan.tuned()).extracting(line -> line.row().m()).containsExactly(16, 2048);
        assertThat(new PlanTable(plan).lines().getLast())
                .contains("2 of 4", "save 7.5 % of the time, the roofline allows 18.4 %");
    }

    /** Operands in L2 are read faster than from memory. */
    @Test
    void whatRunsFasterThanTheRooflineIsTuned() throws IOException {
        CapturePlan plan = plan(profiled("\"us\": 60.5", "\"us\": 20.0"), Optional.empty());

        assertThat(plan.tuned()).extracting(line -> line.row().m()).contains(16);
    }

    /** A larger gain goes before a larger share. */
    @Test
    void theLargestGainTimesShareIsFirst() throws IOException {
        CapturePlan plan = plan(profiled("\"us\": 100.0", "\"us\": 2000.0"), Optional.empty());

        assertThat(plan.tuned()).extracting(line -> line.row().m()).containsExactly(2048, 16);
    }

    /** Times of an H200 are not compared with the model of an H100. */
    @Test
    void anotherGpuHasNoExpectedGain() throws IOException {
        CapturePlan plan = plan(profiled("", ""), Optional.of(SimulatedGpus.H100));

        assertThat(plan.lines()).allSatisfy(line -> assertThat(line.gain()).isEmpty());
        assertThat(plan.tuned()).hasSize(2);
    }

    /** Without a trace the datasheet says where the time goes, so the shares are of all problems. */
    @Test
    void withoutATraceTheLeastTimeCounts() {
        CaptureFile file = CaptureReader.read("--from", CaptureReaderTest.EXAMPLE);
        CapturePlan plan = CapturePlan.of(file, 0.05, Optional.of(SimulatedGpus.H200));

        assertThat(plan.lines().stream().mapToDouble(Line::share).sum()).isBetween(0.999, 1.001);
        assertThat(plan.lines()).extracting(Line::share).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(plan.tuned())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.share()).isGreaterThanOrEqualTo(0.05));
        assertThat(plan.tuned().size()).isLessThan(plan.lines().size());
    }

    /** Calls that differ in their addresses alone are one shape, and only the aligned ones can be replaced. */
    @Test
    void operandsThatAreNotAlignedAreNotTuned() throws IOException {
        String json = CaptureReaderTest.PROFILED;
        String first = json.substring(json.indexOf("{\"n\": 4096"), json.indexOf("{\"n\": 512"));
        CapturePlan plan = plan(
                profiled(first, first + first.replace("\"aligned\": true", "\"aligned\": false")), Optional.empty());

        assertThat(plan.lines()).hasSize(7);
        assertThat(plan.tuned()).extracting(line -> line.row().m()).containsExactly(16, 2048);
        assertThat(new PlanTable(plan).lines())
                .anySatisfy(line -> assertThat(line)
                        .contains("16x4096x14336", "no: operands do not begin at a multiple of 16 bytes"));
    }

    @Test
    void nothingToTuneIsRefused() {
        CaptureFile file = CaptureReader.read("--from", CaptureReaderTest.EXAMPLE);
        assertThatThrownBy(() -> CapturePlan.of(file, 1, Optional.empty()))
                .hasMessageContaining("--from: nothing of the recording is tuned: ")
                .hasMessageContaining("less than 100.0 %");
    }

    /** A server with prompts of any length: no M is worth it by itself, all together are. */
    @Test
    void manySmallMAreOneRange() throws IOException {
        String rows = IntStream.range(0, 40)
                .mapToObj(i -> "{\"m\": " + (100 + 7 * i) + ", \"calls\": 2, \"replays\": 1}")
                .collect(Collectors.joining(", "));
        String few = "{\"m\": 16, \"calls\": 1000, \"replays\": 0}, ";
        CaptureFile file = CaptureReader.read("--from", Files.writeString(folder.resolve("many.json"), """
                {"schemaVersion": 1, "program": [], "end": "finished", "seconds": 1, "observedSeconds": 1,
                 "versions": {}, "device": null, "notProfiled": "no GPU", "problems": [%s, %s]}""".formatted(
                        problem("k,k,n", few + rows), problem("m,k,n", few + rows))));

        CapturePlan plan = CapturePlan.byShare(file, 0.02, Optional.empty());

        assertThat(plan.tuned()).hasSize(3);
        Line range = plan.tuned().stream()
                .filter(line -> line.range().isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(range.text()).isEqualTo("100-373x4096x4096 bf16,bf16,bf16");
        assertThat(range.row().launches()).isEqualTo(120);
        assertThat(range.ranged().orElseThrow().range()).hasToString("100-373x4096x4096");
        assertThat(plan.lines().stream().mapToDouble(Line::share).sum()).isBetween(0.999, 1.001);
        // M is the pitch of an A that lies along it: there is no such range.
        assertThat(plan.lines())
                .filteredOn(line -> line.problem().text().contains("major m,k,n"))
                .hasSize(41);
    }

    private static String problem(String major, String rows) {
        return """
                {"n": 4096, "k": 4096, "batch": 1, "types": "bf16,bf16,bf16", "major": "%s", "epilogue": "",
                 "scales": "tensor", "aligned": true, "ops": ["mm"], "rows": [%s]}""".formatted(major, rows);
    }
}
