package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.ProgramFiles;
import dev.tilewright.launch.program.ProgramFiles.Language;
import dev.tilewright.launch.program.PythonProgram;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.ConfigSample;
import dev.tilewright.proof.Kernels;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.results.TableFile;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Python;
import dev.tilewright.testing.Selection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Configs from all over the spaces are exported: each description is read back, each program compiles. Each run draws
 * the same ones; {@code -Dtest.arguments=-Ddraws.seed=N} draws others.
 */
class CoverOfProgramsTest {

    private static final Path COVERS = Path.of("..", "..", "docs", "results", "cover");
    private static final int SAMPLE = 1;
    private static final int FULL_SAMPLE = 150;
    private static final long SEED = Selection.seed();

    @TempDir
    private Path folder;

    private record Space(String family, Problem problem, int sms) {}

    static Stream<Space> spaces() {
        return Stream.of(
                hopper(1, OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, "4096x14336x4096"),
                hopper(1, OperandTypes.of(DataType.F16), new OperandMajors(Major.M, Major.K, Major.N), "512x520x264"),
                hopper(
                        1,
                        new OperandTypes(DataType.E5M2, DataType.E4M3, DataType.F32),
                        OperandMajors.DEFAULT,
                        "2048x1032x1024"),
                hopper(3, OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, "520x264x1024"),
                hopper(1, OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, "520x264x1024", "72x1032x136"),
                new Space(Kernels.FAMILY, Kernels.problem("1024x1032x1024").beside(Scenario.QUIET.overlapping()), 132),
                new Space(Kernels.FAMILY_100, Kernels.problem("4096x14336x4096"), 148),
                new Space(Kernels.FAMILY_100, Kernels.problem("16384x16384x16384"), 148));
    }

    private static Space hopper(int batch, OperandTypes types, OperandMajors majors, String... shapes) {
        List<ProblemShape> groups = Stream.of(shapes).map(ProblemShape::parse).toList();
        return new Space(Kernels.FAMILY, new Problem(groups, batch, types, majors, Scenario.QUIET), 132);
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void aSampleIsExported(Space space) throws IOException, InterruptedException {
        isExported(space, SAMPLE);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("spaces")
    void aLargeSampleIsExported(Space space) throws IOException, InterruptedException {
        isExported(space, FULL_SAMPLE);
    }

    /** Every config of the covers that are kept, for a problem of its types; they were built for no problem. */
    @Tag("full")
    @ParameterizedTest
    @CsvSource({"sm90-gemm, 132", "sm100-gemm, 148"})
    void everyConfigOfTheCoverIsExported(String family, int sms) throws IOException {
        List<String> rows = TableFile.lines(ColumnFile.read(COVERS.resolve(family + ColumnFile.ENDING)));
        List<String> untraced =
                rows.stream().filter(row -> row.contains(",false,")).toList();
        assertThat(untraced).hasSizeGreaterThan(1000);
        for (String row : untraced) {
            Config config = Config.parse(row.substring(0, row.indexOf(',')));
            KernelExport export = KernelExport.of(
                    GemmFamilies.standard().named(family), problem(config), config, DeviceLimits.of(sms));
            Map<String, byte[]> files = ProgramFiles.of(
                    export.program("exported", Optional.empty()), List.of(), EnumSet.allOf(Language.class));
            assertThat(LaunchReader.described(new String(files.get("kernel.yaml"), StandardCharsets.UTF_8)))
                    .as(export.title())
                    .isEqualTo(export.launch());
        }
    }

    private static Problem problem(Config config) {
        Problem plain = Kernels.problem("4096x4096x4096");
        if (!config.has("inputType")) {
            return plain;
        }
        DataType input = DataType.parse(config.name("inputType"));
        DataType output = DataType.parse(config.name("outputType"));
        return new Problem(
                plain.groups(), 1, new OperandTypes(input, input, output), OperandMajors.DEFAULT, Scenario.QUIET);
    }

    private void isExported(Space space, int sample) throws IOException, InterruptedException {
        Gcc.assumePresent();
        DeviceLimits limits = DeviceLimits.of(space.sms());
        List<Config> configs = ConfigSample.of(
                SpaceTree.of(
                        GemmFamilies.standard().named(space.family()).space().space(space.problem(), limits)),
                sample,
                SEED);
        assertThat(configs).hasSize(sample);
        List<String> sources = new ArrayList<>();
        List<String> modules = new ArrayList<>(List.of(Python.program(), "-m", "py_compile"));
        for (int i = 0; i < configs.size(); i++) {
            KernelExport export = KernelExport.of(
                    GemmFamilies.standard().named(space.family()), space.problem(), configs.get(i), limits);
            assertThat(LaunchReader.described(export.description()))
                    .as(export.title())
                    .isEqualTo(export.launch());
            Path own = Files.createDirectory(folder.resolve("config" + i));
            ExportedProgram exported = ExportedProgram.of(space.family(), space.problem(), configs.get(i), limits);
            for (Map.Entry<String, String> file :
                    CProgram.of(exported.program()).entrySet()) {
                Files.writeString(own.resolve(file.getKey()), file.getValue());
            }
            for (Map.Entry<String, String> file :
                    PythonProgram.of(exported.program()).entrySet()) {
                Files.writeString(own.resolve(file.getKey()), file.getValue());
                modules.add(own.getFileName() + "/" + file.getKey());
            }
            sources.add(own.getFileName() + "/exported.c");
            sources.add(own.getFileName() + "/exported_test.c");
        }
        List<String> arguments = new ArrayList<>(List.of("-fsyntax-only"));
        arguments.addAll(sources);
        new Gcc(folder).compile(arguments.toArray(String[]::new));
        if (Gcc.has("python3")) {
            assertThat(new Gcc(folder).run(Map.of(), modules.toArray(String[]::new)))
                    .isEqualTo(new Gcc.Ended(0, ""));
        }
    }
}
