package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.Kernels;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.space.device.DeviceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exported programs run against a driver that writes down what it is told. */
abstract class ProgramContract {

    private static final DeviceLimits LIMITS = DeviceLimits.of(132);
    private static final int[] SMS_OF_GPCS = {18, 16, 18, 16, 18, 16, 18, 12};

    @TempDir
    private Path folder;

    private Gcc gcc;

    /** Writes the program, with a main program that opens it, binds it, launches it twice and gives all back. */
    abstract void make(Gcc gcc, ExportedProgram exported) throws IOException, InterruptedException;

    /** The command that runs it in the folder. */
    abstract String[] command(Path folder);

    /** Which programs it needs. */
    abstract void assumeProgramsArePresent();

    /** How it says that something was refused. */
    abstract Gcc.Ended refused(String reason);

    @BeforeEach
    void makeTheDriver() throws IOException, InterruptedException {
        Gcc.assumePresent();
        assumeProgramsArePresent();
        gcc = new Gcc(folder);
        gcc.makeStub();
    }

    private static Problem problem(OperandTypes types, OperandMajors majors, int batch, String... shapes) {
        return new Problem(
                List.of(shapes).stream().map(ProblemShape::parse).toList(), batch, types, majors, Scenario.QUIET);
    }

    private static Problem plain(String shape) {
        return Kernels.problem(shape);
    }

    /** Files that are written. */
    interface Making {
        void into(Gcc gcc) throws IOException, InterruptedException;
    }

    private Gcc.Ended built(ExportedProgram exported, String requiredCluster, Map<String, String> more)
            throws IOException, InterruptedException {
        return built(exported, requiredCluster, more, own -> make(own, exported));
    }

    Gcc.Ended built(ExportedProgram exported, String requiredCluster, Map<String, String> more, Making making)
            throws IOException, InterruptedException {
        making.into(gcc);
        Map<String, String> environment = new TreeMap<>(Map.of(
                "LD_LIBRARY_PATH",
                folder.toString(),
                "STUB_LOG",
                folder.resolve("log").toString(),
                "STUB_REQUIRED_CLUSTER",
                requiredCluster,
                "STUB_PARAMETERS",
                Told.sizes(exported.launch())));
        environment.putAll(more);
        Gcc.Ended ended = gcc.run(environment, command(folder));
        // Of what an exception says, the last line says why.
        return ended.code() == 0
                ? ended
                : new Gcc.Ended(ended.code(), ended.said().lines().reduce("", (_, last) -> last));
    }

    Path folder() {
        return folder;
    }

    List<String> log() throws IOException {
        return Files.readAllLines(folder.resolve("log"));
    }

    private void tellsTheDriverWhatTheLaunchSays(String family, Problem problem, String config)
            throws IOException, InterruptedException {
        ExportedProgram exported = ExportedProgram.of(family, problem, Config.parse(config), LIMITS);
        KernelLaunch launch = exported.launch().takesScale() ? exported.launch().withScale(0.375f) : exported.launch();

        Gcc.Ended ended =
                built(exported, launch.clusterSize() == 1 ? "0" : String.valueOf(launch.clusterSize()), Map.of());

        assertThat(ended).isEqualTo(new Gcc.Ended(0, ""));
        List<String> log = log();
        assertThat(log.getFirst())
                .isEqualTo("load 2e76657273696f6e20382e" + log.getFirst().substring(27));
        List<String> told = log.stream()
                .filter(line -> !line.startsWith("load ") && !line.startsWith("free "))
                .toList();
        assertThat(told).isEqualTo(new Told(told, launch).expected("0x77", ""));
        // What was allocated is given back.
        assertThat(log.stream().filter(line -> line.startsWith("free ")))
                .hasSize(launch.buffers().size() + launch.filled().size());
    }

    @Test
    void aStaticScheduler() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                plain("4096x4096x4096"),
                Kernels.config("clusterM=2 tileM=128 consumers=2").canonical());
    }

    /** The counter is zeroed once. */
    @Test
    void anAtomicScheduler() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                plain("1000x1032x264"),
                Kernels.config("scheduler=atomic").canonical());
    }

    /** Workspace and arrivals. */
    @Test
    void splitTiles() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                plain("520x264x4096"),
                Kernels.config("splitK=4").canonical());
    }

    /** The table of tiles is data, the maps are made of the addresses. */
    @Test
    void groupsWhoseTilesAreLookedUp() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                problem(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, 2, "520x264x136", "200x392x72"),
                Kernels.config("tileLocation=table scheduler=atomic").canonical());
    }

    @Test
    void eightBitInputsWithAScale() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                problem(
                        new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16),
                        OperandMajors.DEFAULT,
                        1,
                        "520x264x272"),
                Kernels.config("typeA=e4m3 typeB=e5m2 tileK=64").canonical());
    }

    @Test
    void transposedInputs() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY,
                problem(
                        new OperandTypes(DataType.F16, DataType.F16, DataType.F32),
                        new OperandMajors(Major.M, Major.N, Major.N),
                        1,
                        "520x264x77"),
                Kernels.config("typeA=f16 typeB=f16 typeD=f32 majorA=m majorB=n l2Promotion=256")
                        .canonical());
    }

    @Test
    void blackwellWithLaunchControl() throws IOException, InterruptedException {
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY_100,
                plain("1032x1160x520"),
                Kernels.config100("scheduler=clc clusterM=2").canonical());
    }

    /** Programmatic dependent launch is an attribute. */
    @Test
    void overlappingLaunches() throws IOException, InterruptedException {
        Problem problem = plain("1000x1032x264").beside(Scenario.QUIET.overlapping());
        tellsTheDriverWhatTheLaunchSays(
                Kernels.FAMILY, problem, Kernels.config("launchOverlap=loaded").canonical());
    }

    /** A kernel whose text requires no cluster gets its own by an attribute. */
    @Test
    void aClusterThatTheTextDoesNotRequire() throws IOException, InterruptedException {
        ExportedProgram exported =
                ExportedProgram.of(Kernels.FAMILY, plain("512x512x512"), Kernels.config("clusterM=2"), LIMITS);

        assertThat(built(exported, "0", Map.of())).isEqualTo(new Gcc.Ended(0, ""));
        assertThat(log().stream().filter(line -> line.startsWith("launch ")))
                .hasSize(2)
                .allMatch(line -> line.endsWith(" attribute 4 2 1 1"));
    }

    /** How clusters are dealt is looked at when the kernel is opened. */
    @Test
    void clustersInTheOrderOfGpcs() throws IOException, InterruptedException {
        Problem problem = plain("4096x4096x512");
        for (int clusters : new int[] {2, 4}) {
            Files.deleteIfExists(folder.resolve("log"));
            Config config = Kernels.config("clusterOrder=gpc clusterN=1 clusterM=" + clusters);
            ExportedProgram described = ExportedProgram.of(Kernels.FAMILY, problem, config, LIMITS);
            KernelLaunch seen = ExportedProgram.of(
                            Kernels.FAMILY, problem, config, LIMITS.dealing(ClusterDeal.ofEach(dealt())))
                    .launch();
            // Pairs are dealt in another way than is taken for granted where nobody looks, fours are not.
            assertThat(seen.arguments().equals(described.launch().arguments())).isEqualTo(clusters == 4);

            assertThat(built(described, String.valueOf(clusters), Map.of())).isEqualTo(new Gcc.Ended(0, ""));

            List<String> told = log().stream()
                    .filter(line -> !line.matches("(load|free|alloc 528) .*"))
                    .toList();
            assertThat(told).isEqualTo(new Told(told, seen).expected("0x77", ""));
        }
    }

    /** The GPC of each cluster as the driver of the test deals them out, by the size of clusters. */
    static Map<Integer, List<Integer>> dealt() {
        Map<Integer, List<Integer>> dealt = new TreeMap<>();
        for (int size = 2; size <= 8; size++) {
            List<Integer> gpcs = new ArrayList<>();
            int[] used = new int[SMS_OF_GPCS.length];
            int skipped = 0;
            for (int gpc = 0; gpcs.size() < 132 / size; gpc = (gpc + 1) % used.length) {
                if (used[gpc] + size <= SMS_OF_GPCS[gpc]) {
                    used[gpc] += size;
                    gpcs.add(gpc);
                    skipped = 0;
                } else if (++skipped == used.length) {
                    Arrays.fill(used, 0);
                }
            }
            dealt.put(size, gpcs);
        }
        return dealt;
    }

    @Test
    void aSmallerGpuIsRefused() throws IOException, InterruptedException {
        ExportedProgram exported = ExportedProgram.of(Kernels.FAMILY, plain("512x512x512"), Kernels.config(""), LIMITS);

        assertThat(built(exported, "0", Map.of("STUB_SMS", "114")))
                .isEqualTo(refused("the grid is for a GPU with at least 132 SMs, this one has 114; export for it"));
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void withoutADriverItSaysSo() throws IOException, InterruptedException {
        ExportedProgram exported = ExportedProgram.of(Kernels.FAMILY, plain("512x512x512"), Kernels.config(""), LIMITS);

        // A machine with a GPU has a driver elsewhere, which must not be found.
        Files.writeString(folder.resolve("libcuda.so.1"), "no library, and long enough to be read as the head of one");

        assertThat(built(exported, "0", Map.of()))
                .isEqualTo(refused("there is no CUDA driver: libcuda.so.1 cannot be opened"));
    }
}
